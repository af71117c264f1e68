//go:build unix

package library_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"footnote/backend/library"
)

func TestLinksAndPipesAreListed(t *testing.T) {
	h := newHouse(t).open()
	file := h.write("a.txt", "words")
	dir := filepath.Dir(file)
	must(t, os.Symlink(file, filepath.Join(dir, "link.txt")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.txt"), 0o600))
	result, err := h.Add(t.Context(), []string{dir}, false)
	must(t, err)
	said := map[string]string{}
	for _, s := range result.Skipped {
		said[filepath.Base(s.Path)] = s.Reason
		if !s.Incidental() {
			t.Errorf("%s is missed: %s", s.Path, s.Reason)
		}
	}
	if !strings.Contains(said["link.txt"], "link") || !strings.Contains(said["pipe.txt"], "pipe") || len(said) != 2 {
		t.Errorf("left out: %v", said)
	}
	if roots := result.Added; len(roots) != 1 || len(h.Shut(roots[0].ID)) != 0 {
		t.Errorf("taken for folders that cannot be looked into: %+v", roots)
	}
	h.wait()
	files, _, err := h.Files(t.Context(), library.FileQuery{})
	must(t, err)
	if len(files) != 1 {
		t.Errorf("%d files, want 1", len(files))
	}
}

func TestTimeLeftGoesByBytesToo(t *testing.T) {
	if one, many := library.TimeLeft(10, 100<<10, 1, 100<<20), library.TimeLeft(10, 100<<10, 1, 10<<10); one < 100*many {
		t.Errorf("a large file takes %v, a small one %v", one, many)
	}
}
