package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"
)

// noConsole is CREATE_NO_WINDOW of CreateProcess.
const noConsole = 0x08000000

func main() {
	self, err := os.Executable()
	if err == nil {
		cmd := exec.Command(filepath.Join(filepath.Dir(self), "footnote.exe"), os.Args[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: noConsole}
		err = cmd.Start()
	}
	if err != nil {
		tell("Footnote cannot be started: " + err.Error())
		os.Exit(1)
	}
}

// tell shows a text in a window of the system: there is no console to print on.
func tell(text string) {
	words, err := syscall.UTF16PtrFromString(text)
	if err != nil {
		return
	}
	title, err := syscall.UTF16PtrFromString("Footnote")
	if err != nil {
		return
	}
	const errorIcon = 0x10
	syscall.NewLazyDLL("user32.dll").NewProc("MessageBoxW").Call(0, uintptr(unsafe.Pointer(words)), uintptr(unsafe.Pointer(title)), errorIcon)
}
