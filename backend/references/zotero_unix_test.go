//go:build unix

package references

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"footnote/backend/fault"
)

func TestAPipeInThePlaceOfZoterosLibraryIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, zoteroFile), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := ReadZotero(t.Context(), dir)
		ended <- err
	}()
	select {
	case err := <-ended:
		if fault.CodeOf(err) != fault.InvalidRequest {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it is waited for")
	}
}
