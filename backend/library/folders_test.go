package library

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/library/walk"
	"footnote/backend/settings"
)

func TestAPickerSeesOnlyWhatMayBeAdded(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Bills", "archive/2020", ".ssh", ".hidden", "node_modules", "private"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/", filepath.Join(dir, "everything")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	l := New(Config{Now: time.Now, Log: slog.New(slog.DiscardHandler), Settings: settings.Default, Private: []string{filepath.Join(dir, "private")}})
	in, err := l.FoldersIn(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Folder{{"archive", filepath.Join(dir, "archive")}, {"Bills", filepath.Join(dir, "Bills")}}
	if !slices.Equal(in.Folders, want) || !in.Addable || in.Path != dir || in.Parent != filepath.Dir(dir) {
		t.Errorf("%+v", in)
	}
	for path, code := range map[string]fault.Code{
		filepath.Join(dir, ".ssh"): fault.PathNotAllowed, filepath.Join(dir, "private"): fault.PathNotAllowed, filepath.Join(dir, "note.txt"): fault.PathNotAllowed,
		filepath.Join(dir, "none"): fault.PathNotAllowed, "Bills": fault.PathNotAllowed,
	} {
		if _, err := l.FoldersIn(t.Context(), path); fault.CodeOf(err) != code {
			t.Errorf("%s: %v", path, err)
		}
	}
	if begin, err := l.FoldersIn(t.Context(), ""); err != nil || begin.Addable || begin.Parent != "" {
		t.Errorf("%+v %v", begin, err)
	}
}

func TestAPickerPassesByTheSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the paths are those of Linux")
	}
	l := New(Config{Now: time.Now, Log: slog.New(slog.DiscardHandler), Settings: settings.Default})
	for _, path := range []string{"/etc", "/usr/share", "/proc/self"} {
		if _, err := l.FoldersIn(t.Context(), path); fault.CodeOf(err) != fault.ConfirmNeeded {
			t.Errorf("%s: %v", path, err)
		}
	}
	top, err := l.FoldersIn(t.Context(), "/")
	if err != nil || top.Addable || top.Parent != "" {
		t.Fatalf("%+v %v", top, err)
	}
	for _, f := range top.Folders {
		if walk.InSystem(f.Path) {
			t.Errorf("%s is offered", f.Path)
		}
	}
}
