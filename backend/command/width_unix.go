//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// Columns is the width of the terminal that a file is, 0 where it is none.
func Columns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
