package app

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestThePagesLiePackedInTheProgram(t *testing.T) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	page, err := archive.Create("dist/assets/page.js")
	if err != nil {
		t.Fatal(err)
	}
	page.Write([]byte("let a"))
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	pages, err := Program{Assets: fstest.MapFS{"frontend/packed/pages.zip": {Data: packed.Bytes()}}}.pages()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(pages, "assets/page.js"); err != nil || string(text) != "let a" {
		t.Errorf("%q %v", text, err)
	}
	if pages, err = (Program{Assets: fstest.MapFS{}}).pages(); err != nil {
		t.Fatalf("a program without pages: %v", err)
	}
	if _, err := pages.Open("index.html"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a program without pages opens one: %v", err)
	}
	if _, err := (Program{Assets: fstest.MapFS{"frontend/packed/pages.zip": {Data: packed.Bytes()[:40]}}}).pages(); err == nil {
		t.Error("half an archive passes for the pages")
	}
}
