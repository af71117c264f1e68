package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestALicenceIsGivenOnceForAllItHoldsFor(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"a/LICENSE": "Do as you like.\n", "b/licence.txt": "Do as you like.", "c/COPYING": "Share alike.", "c/NOTICE.md": "Made by C.", "a/licenses.go": "package a",
		"d/package.json": `{"name": "d", "license": "MIT", "author": {"name": "Dora"}}`, "e/package.json": `{"name": "e", "license": "MIT", "author": "Emil <e@example.org>"}`,
		"f/package.json": `{"name": "f", "license": "MIT"}`, "g/package.json": `{"name": "g", "license": "Ours-1.0"}`})
	const own = "MIT License\n\nCopyright (c) us\n\nPermission is hereby granted, free.\n"
	text, err := joinLicences([]part{{"a v1", filepath.Join(dir, "a")}, {"b v2", filepath.Join(dir, "b")}, {"c v3", filepath.Join(dir, "c")}, {"d v4", filepath.Join(dir, "d")}, {"e v5", filepath.Join(dir, "e")}, {"f v6", filepath.Join(dir, "f")}, {"a v1", filepath.Join(dir, "a")}}, own)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a v1\nb v2\n\nDo as you like.\n", "c v3\n\nShare alike.\nMade by C.\n", "d v4\n\nThe MIT License\n\nCopyright (c) Dora\n\nPermission is hereby granted, free.\n", "Copyright (c) Emil <e@example.org>\n", "Copyright (c) the authors of f\n"} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, text)
		}
	}
	for _, name := range []string{"gone", "g"} {
		if _, err := joinLicences([]part{{name, filepath.Join(dir, name)}}, own); err == nil {
			t.Errorf("%s has a licence", name)
		}
	}
}

func TestTheSameFolderGivesTheSamePackage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "footnote_1")
	writeAll(t, dir, map[string]string{"footnote": "program", "docs/LICENSE": "MIT"})
	if err := os.Chmod(filepath.Join(dir, "footnote"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, pack := range []func(string, string) error{packTar, packZip} {
		var made [2][]byte
		for i := range made {
			file := filepath.Join(t.TempDir(), "package")
			if err := pack(dir, file); err != nil {
				t.Fatal(err)
			}
			var err error
			if made[i], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Error("two packages of one folder differ")
		}
		if got, want := contents(t, made[0]), "footnote_1/docs/LICENSE 644 MIT\nfootnote_1/footnote 755 program\n"; got != want {
			t.Errorf("packed\n%swant\n%s", got, want)
		}
	}
}

func TestWhatIsInstalledHasTheRightsOfItsKind(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	writeAll(t, root, map[string]string{"usr/bin/footnote": "program", "usr/share/doc/NOTICE": "text"})
	for name, mode := range map[string]os.FileMode{"usr/bin/footnote": 0o700, "usr/share/doc/NOTICE": 0o600, "usr/share/doc": 0o700, "usr": 0o700} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil { // as a umask of 077 leaves it
			t.Fatal(err)
		}
	}
	r := &release{job: &job{}, when: time.Unix(1e9, 0)}
	if err := r.settled(root); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"usr/bin/footnote": 0o755, "usr/share/doc/NOTICE": 0o644, "usr/share/doc": 0o755, "usr": 0o755} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Mode().Perm() != want || !info.ModTime().Equal(r.when) {
			t.Errorf("%s: %v %v", name, err, info)
		}
	}
}

// contents lists a .tar.gz or a .zip.
func contents(t *testing.T, body []byte) string {
	t.Helper()
	var out strings.Builder
	line := func(name string, mode os.FileMode, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %o %s\n", name, mode.Perm(), text)
	}
	if archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body))); err == nil {
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			line(f.Name, f.Mode(), r)
		}
		return out.String()
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(unzipped); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		line(head.Name, head.FileInfo().Mode(), archive)
	}
}

func TestEveryPackageHasTheVersionOfTheProgram(t *testing.T) {
	version, err := versionOf(filepath.Join("..", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	wails, err := os.ReadFile(filepath.Join("..", "wails.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(wails), `"productVersion": "`+version+`"`) {
		t.Errorf("wails.json has another version than main.go, which says %s", version)
	}
	r := &release{job: &job{root: ".."}, version: version}
	plist, err := r.plist()
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(plist, new(struct{})); err != nil || strings.Count(string(plist), "<string>"+version+"</string>") != 2 {
		t.Errorf("the property list is broken (%v) or lacks the version:\n%s", err, plist)
	}
}
