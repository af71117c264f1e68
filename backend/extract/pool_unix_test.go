//go:build unix

package extract

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"footnote/backend/extract/formattest"
)

func TestPipesAndDevicesAreNotRead(t *testing.T) {
	pool := testPool(t, "serve", 1, DefaultLimits())
	fifo := filepath.Join(t.TempDir(), "pipe.txt")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	start := time.Now()
	for _, path := range []string{fifo, "/dev/zero"} {
		_, err := pool.Extract(context.Background(), path)
		formattest.WantCode(t, err, Unreadable)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("took %s", took)
	}
}
