package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/library/exclude"
)

// Skip is a path that was left out, with the reason for people.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Reasons for leaving a path out.
const (
	reasonExcluded   = "Left out: keys, passwords, mail, browser profiles and tool folders are never read."
	reasonUnreadable = "You have no permission to read this."
	reasonGone       = "There is no such file or folder."
	reasonRelative   = "The path must be absolute."
	reasonSystem     = "This belongs to the system: it is read only when you confirm it."
	reasonSpecial    = "This is not a file or folder with documents."
	reasonLink       = "This is a link: what it leads to is read where it stands, or when it is added itself."
	reasonPipe       = "This is a pipe, a socket or a device: it has no text of its own."
)

// Incidental reports whether a path inside a folder was left out for what it is: no
// document is missed.
func (s Skip) Incidental() bool { return s.Reason == reasonLink || s.Reason == reasonPipe }

// walker goes through a folder without leaving it: through an os.Root, never
// over a link, and only regular files.
type walker struct {
	exclude exclude.Rules
	file    func(path string, stamp Stamp) error
	folder  func(path string)
	skip    func(Skip)
	list    func(dir *os.Root, rel string) ([]fs.DirEntry, error)
}

// walk visits what stands at path, which lies in or at root. Entries of a folder
// come in order of their names. Only ctx's end and an error of the callback end it.
func (w *walker) walk(ctx context.Context, root, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && path != root {
		return nil
	}
	if err != nil { // a root that is not there keeps its entries
		w.skip(Skip{path, readReason(err)})
		return nil
	}
	if !info.IsDir() {
		return w.visit(path, info)
	}
	base := root
	if path == root || !strings.HasPrefix(path, root+Separator) {
		base = path
	}
	dir, err := os.OpenRoot(base)
	if err != nil {
		w.skip(Skip{path, readReason(err)})
		return nil
	}
	defer dir.Close()
	rel := "."
	if path != base {
		rel = strings.TrimPrefix(path, base+Separator)
	}
	return w.descend(ctx, dir, base, rel)
}

// descend reads one folder. Names are joined by hand: filepath.Join would clean
// away what an odd name is made of.
func (w *walker) descend(ctx context.Context, root *os.Root, base, rel string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := base
	if rel != "." {
		path += Separator + rel
	}
	w.folder(path) // before the look inside: a watch set after it would miss what comes in between
	entries, err := w.list(root, rel)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.skip(Skip{path, readReason(err)})
		}
		return nil
	}
	for _, e := range entries {
		child := path + Separator + e.Name()
		if kind := e.Type() &^ fs.ModeDir; kind != 0 && !w.exclude.Covers(child) {
			reason := reasonPipe
			if kind&fs.ModeSymlink != 0 {
				reason = reasonLink
			}
			w.skip(Skip{child, reason})
			continue
		}
		if w.exclude.Covers(child) {
			w.skip(Skip{child, reasonExcluded})
			continue
		}
		if e.IsDir() {
			err = w.descend(ctx, root, base, strings.TrimPrefix(rel+Separator+e.Name(), "."+Separator))
		} else if info, statErr := e.Info(); statErr == nil {
			err = w.visit(child, info)
		} else if !errors.Is(statErr, fs.ErrNotExist) { // a folder whose names alone may be read
			w.skip(Skip{path, readReason(statErr)})
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readFolder(root *os.Root, rel string) ([]fs.DirEntry, error) {
	dir, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, errors.Join(err, dir.Close())
}

func (w *walker) visit(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return nil
	}
	return w.file(path, stampOf(info))
}

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: inodeChanged(info)}
}

func readReason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return reasonUnreadable
	case errors.Is(err, fs.ErrNotExist):
		return reasonGone
	}
	return "It could not be read: " + rootCause(err).Error() + "."
}

// rootCause is the system's own words, without the path.
func rootCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// openRegular opens a file inside its root for reading. Links that lead out, and
// anything that is not a regular file once it is open, are refused.
func openRegular(root, path string) (*os.File, fs.FileInfo, error) {
	base := root
	if root == "" || path == root || !strings.HasPrefix(path, root+Separator) {
		base = filepath.Dir(path)
	}
	dir, err := os.OpenRoot(base)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(strings.TrimPrefix(path[len(strings.TrimRight(base, Separator)):], Separator), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}
