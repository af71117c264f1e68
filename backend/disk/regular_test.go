package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"footnote/backend/disk"
)

func TestOnlyRegularFilesAreReadAndOnlySoFar(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := disk.ReadRegular(file, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q %v", data, err)
	}
	if _, err := disk.ReadRegular(file, 4); !errors.Is(err, disk.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err := disk.ReadRegular(filepath.Join(dir, "none"), 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if _, err := disk.ReadRegular(dir, 4); err == nil {
		t.Error("a folder is read")
	}
}
