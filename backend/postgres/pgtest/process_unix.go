//go:build unix

package pgtest

import "syscall"

// attributes give the server a process group of its own, as somebody else where
// that is said.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: as}
}

// endGroup ends a process and those that it started.
func endGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
