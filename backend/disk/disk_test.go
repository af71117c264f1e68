package disk_test

import (
	"path/filepath"
	"testing"

	"footnote/backend/disk"
)

func TestFreeSpaceIsToldOfFoldersThatAreThere(t *testing.T) {
	dir := t.TempDir()
	if free, known := disk.Free(dir); !known || free <= 0 {
		t.Errorf("%d bytes, %t", free, known)
	}
	if _, known := disk.Free(filepath.Join(dir, "none")); known {
		t.Error("a folder that is not there has free space")
	}
	if !disk.Same(dir, filepath.Dir(dir)) {
		t.Error("a folder and the one it lies in are on two disks")
	}
}
