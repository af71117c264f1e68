//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

var errLocked = errors.New("the lock is held")

// acquire takes the lock for this process. The kernel gives it free when the
// process ends, however it ends: a stale file never blocks.
func acquire(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
}
