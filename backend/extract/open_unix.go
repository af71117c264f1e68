//go:build unix

package extract

import (
	"os"
	"syscall"
)

// openNonBlocking opens for reading without waiting for the writer of a pipe.
func openNonBlocking(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC|syscall.O_NOCTTY, 0)
}
