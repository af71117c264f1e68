//go:build unix

package extract

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a child and what it starts a group that ends together.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a child and what it started. Errors say that it has ended.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}
