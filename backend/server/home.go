package server

import (
	"bytes"
	"errors"
	"html"
	"io/fs"
	"path/filepath"
	"regexp"

	"footnote/backend/disk"
)

// homeName is the file of a data folder that names it.
const homeName = "home"

var homeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)

// HomeID gives the name of a data folder: random, made once, kept in it. A web
// view keeps what a page remembers per user and address, not per data folder;
// by this name the page keeps the drafts of two folders apart.
func HomeID(dataDir string) (string, error) { return keptName(dataDir, homeName) }

// SessionSecret gives what the cookie of a page says that was let in: random,
// made once, readable by the owner of the data folder alone. A page stays let in
// when the program is started again; removing the file shuts all out.
func SessionSecret(dataDir string) (string, error) { return keptName(dataDir, "session") }

// LaunchPath is where LaunchFile writes.
func LaunchPath(dataDir string) string { return filepath.Join(dataDir, "open.html") }

// LaunchFile writes a page that leads to a one-time address, for the owner of the
// data folder alone, and names it. A browser is opened by such a file: the words
// of a program's command line are read by every user of the computer.
func LaunchFile(dataDir, address string) (string, error) {
	path := LaunchPath(dataDir)
	page := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=` + html.EscapeString(address) + `"><title>Footnote</title>` + "\n"
	return path, SaveFile(path, []byte(page))
}

func keptName(dataDir, name string) (string, error) {
	path := filepath.Join(dataDir, name)
	kept, err := disk.ReadRegular(path, 1<<10)
	if id := string(bytes.TrimSpace(kept)); err == nil && homeForm.MatchString(id) {
		return id, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, disk.ErrTooLarge) {
		return "", err
	}
	id := NewToken()
	return id, SaveFile(path, []byte(id+"\n"))
}

// Shell is the built front end with its page marked by the name of the data
// folder that it shows.
func Shell(pages fs.FS, home string) fs.FS { return shell{pages, home} }

type shell struct {
	fs.FS
	home string
}

// Open implements fs.FS.
func (s shell) Open(name string) (fs.File, error) {
	f, err := s.FS.Open(name)
	if err != nil || name != "index.html" {
		return f, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	page, err := fs.ReadFile(s.FS, name)
	if err != nil {
		return nil, err
	}
	page = bytes.Replace(page, []byte("<html "), []byte(`<html data-home="`+s.home+`" `), 1)
	return &markedPage{Reader: bytes.NewReader(page), FileInfo: info}, nil
}

// markedPage is an open page that differs from the file it was made of.
type markedPage struct {
	*bytes.Reader
	fs.FileInfo
}

// Stat implements fs.File.
func (p *markedPage) Stat() (fs.FileInfo, error) { return p, nil }

// Size implements fs.FileInfo: that of the marked page.
func (p *markedPage) Size() int64 { return p.Reader.Size() }

// Close implements fs.File.
func (p *markedPage) Close() error { return nil }
