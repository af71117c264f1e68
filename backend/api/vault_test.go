package api

import (
	"os"
	"path/filepath"
	"testing"
)

func TestANoteIsWrittenOverNoFile(t *testing.T) {
	vault := t.TempDir()
	folder := filepath.Join(vault, "answers")
	if err := os.MkdirAll(filepath.Join(vault, ".obsidian"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := vaultOf(folder); got != vault {
		t.Errorf("%s, not %s", got, vault)
	}
	name := noteName("What is  #1: [a|b]\nof *it*?")
	if name != "What is 1 a b of it" {
		t.Errorf("%q", name)
	}
	mine := filepath.Join(folder, name+".md")
	if err := os.WriteFile(mine, []byte("written by hand"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, want := range []SavedNote{{Name: name + " 2.md"}, {Name: name + " 2.md", There: true}} {
		got, err := writeNote(folder, name, []byte("the answer"))
		if want.Path = filepath.Join(folder, want.Name); err != nil || got != want {
			t.Errorf("%d: %+v %v", i, got, err)
		}
	}
	if err := os.Symlink(mine, filepath.Join(folder, name+" 3.md")); err != nil {
		t.Skip(err)
	}
	if got, err := writeNote(folder, name, []byte("another answer")); err != nil || got.Name != name+" 4.md" {
		t.Errorf("%+v %v", got, err)
	}
	if body, err := os.ReadFile(mine); err != nil || string(body) != "written by hand" {
		t.Errorf("%q %v", body, err)
	}
}
