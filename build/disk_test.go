package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlacesOnOneDiskAreNeededTogether(t *testing.T) {
	dir := t.TempDir()
	disks := needed([]place{{dir, 300}, {filepath.Join(dir, "not", "there"), 200}, {dir, -50}})
	if len(disks) != 1 || disks[0].megabytes != 500 {
		t.Errorf("%v, and not 500 MB on one disk", disks)
	}
}

func TestWhatIsTakenIsCounted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 1<<20), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := taken(dir); got != 2 {
		t.Errorf("%d MB, and not 2", got)
	}
	if got := taken(filepath.Join(dir, "none")); got != 0 {
		t.Errorf("what is not there takes %d MB", got)
	}
}
