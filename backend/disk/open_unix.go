//go:build unix

package disk

import "syscall"

// openFlags keep the opening of a pipe or device from waiting for its other end.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
