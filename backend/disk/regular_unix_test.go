//go:build unix

package disk_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"footnote/backend/disk"
)

func TestPipesAndDevicesAreNotWaitedFor(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		ended := make(chan error, 1)
		go func() {
			_, err := disk.ReadRegular(path, 1<<20)
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s is read", path)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s is waited for", path)
		}
	}
}
