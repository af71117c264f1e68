//go:build windows

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrLocked is the error of a lock that another process has.
var ErrLocked = errors.New("the lock is held")

const sharingViolation = syscall.Errno(32)

// Lock opens the lock file without sharing. The system closes it when the
// process ends, however it ends: a stale file never blocks.
func Lock(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		err = ErrLocked
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return os.NewFile(uintptr(h), path), nil
}
