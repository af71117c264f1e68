package server

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestADataFolderKeepsItsNameAndSharesItWithNoOther(t *testing.T) {
	dir := t.TempDir()
	first, err := HomeID(dir)
	if err != nil || !homeForm.MatchString(first) {
		t.Fatalf("HomeID = %q, %v", first, err)
	}
	if again, err := HomeID(dir); err != nil || again != first {
		t.Errorf("the second time HomeID = %q, %v; want %q", again, err, first)
	}
	if other, err := HomeID(t.TempDir()); err != nil || other == first {
		t.Errorf("another folder has the name %q, %v", other, err)
	}
}

func TestANameThatCouldLeaveTheMarkIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, homeName), []byte(`"><script>`), 0o600); err != nil {
		t.Fatal(err)
	}
	if id, err := HomeID(dir); err != nil || !homeForm.MatchString(id) {
		t.Errorf("HomeID = %q, %v", id, err)
	}
}

func TestThePageIsMarkedAndNothingElseIs(t *testing.T) {
	pages := fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><html lang="en"></html>`)}, "assets/a.js": {Data: []byte(`"<html "`)}}
	marked := Shell(pages, "abc")
	page, err := fs.ReadFile(marked, "index.html")
	if want := `<html data-home="abc" lang="en">`; err != nil || !strings.Contains(string(page), want) {
		t.Errorf("the page is %q, %v; want %q in it", page, err, want)
	}
	if info, err := fs.Stat(marked, "index.html"); err != nil || info.Size() != int64(len(page)) {
		t.Errorf("its size is told as %v, %v; it has %d bytes", info, err, len(page))
	}
	if script, err := fs.ReadFile(marked, "assets/a.js"); err != nil || string(script) != `"<html "` {
		t.Errorf("a script is %q, %v", script, err)
	}
}

func TestThePageThatWasLetInStaysSo(t *testing.T) {
	dir := t.TempDir()
	first, err := SessionSecret(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := SessionSecret(dir)
	if err != nil || again != first || len(first) < 40 {
		t.Errorf("%q, then %q (%v)", first, again, err)
	}
	info, err := os.Stat(filepath.Join(dir, "session"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is open to others: %v (%v)", info.Mode(), err)
	}
	if home, err := HomeID(dir); err != nil || home == first {
		t.Errorf("the page is told the secret (%v)", err)
	}
}

func TestTheFileThatOpensABrowserIsTheOwners(t *testing.T) {
	dir := t.TempDir()
	path, err := LaunchFile(dir, "http://127.0.0.1:1/launch?code=a-b_c&x=\"")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(page), `content="0;url=http://127.0.0.1:1/launch?code=a-b_c&amp;x=&#34;"`) {
		t.Errorf("%s (%v)", page, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("open to others: %v (%v)", info.Mode(), err)
	}
}
