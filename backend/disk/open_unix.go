//go:build unix

package disk

import "syscall"

// NoWait are flags that keep the opening of a pipe or device from waiting for its other end.
const NoWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
