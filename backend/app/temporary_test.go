package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTemporaryFilesLieInTheDataFolderWhereThereIsNoOtherPlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the variables differ there")
	}
	data := t.TempDir()
	before := os.TempDir()
	if err := ensureTemporary(data); err != nil || os.TempDir() != before {
		t.Fatalf("%s became %s, %v", before, os.TempDir(), err)
	}
	t.Setenv("TMPDIR", filepath.Join(data, "not", "there"))
	if err := ensureTemporary(data); err != nil {
		t.Fatal(err)
	}
	made, err := os.MkdirTemp("", "x")
	if err != nil || !strings.HasPrefix(made, filepath.Join(data, "cache", "tmp")) {
		t.Errorf("%s, %v", made, err)
	}
}
