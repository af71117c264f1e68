// Package walk goes through folders of the reader and opens their files, without
// leaving them and without reading what is never read.
package walk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/disk"
	"footnote/backend/library/exclude"
)

// Stamp is what the file system says of a file without reading it. Equal stamps
// mean that it is not read again.
type Stamp struct {
	Size     int64 // bytes
	Modified int64 // Unix nanoseconds
	Changed  int64 // Unix nanoseconds of the last change of the inode; 0 where unknown
}

// Skip is a path that was left out, with the reason for people.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Separator ends the name of a folder in a path.
const Separator = string(filepath.Separator)

// Reasons for leaving a path out.
const (
	Excluded   = "Left out: keys, passwords, mail, browser profiles and tool folders are never read."
	Unreadable = "You have no permission to read this."
	Gone       = "There is no such file or folder."
	Relative   = "The path must be absolute."
	System     = "This belongs to the system: it is read only when you confirm it."
	Special    = "This is not a file or folder with documents."
	Link       = "This is a link: what it leads to is read where it stands, or when it is added itself."
	Pipe       = "This is a pipe, a socket or a device: it has no text of its own."
)

// Incidental reports whether a path inside a folder was left out for what it is: no
// document is missed.
func (s Skip) Incidental() bool { return s.Reason == Link || s.Reason == Pipe }

// Walker goes through a folder without leaving it: through an os.Root, never
// over a link, and only regular files.
type Walker struct {
	Exclude exclude.Rules
	File    func(path string, stamp Stamp) error
	Folder  func(path string) // told before it is looked into
	Skip    func(Skip)
	List    func(dir *os.Root, rel string) ([]fs.DirEntry, error)
}

// Walk visits what stands at path, which lies in or at root. Entries of a folder
// come in order of their names. Only ctx's end and an error of the callback end it.
func (w *Walker) Walk(ctx context.Context, root, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && path != root {
		return nil
	}
	if err != nil { // a root that is not there keeps its entries
		w.Skip(Skip{path, Reason(err)})
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
		w.Skip(Skip{path, Reason(err)})
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
func (w *Walker) descend(ctx context.Context, root *os.Root, base, rel string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path := base
	if rel != "." {
		path += Separator + rel
	}
	w.Folder(path) // before the look inside: a watch set after it would miss what comes in between
	entries, err := w.List(root, rel)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.Skip(Skip{path, Reason(err)})
		}
		return nil
	}
	for _, e := range entries {
		child := path + Separator + e.Name()
		if kind := e.Type() &^ fs.ModeDir; kind != 0 && !w.Exclude.Covers(child) {
			reason := Pipe
			if kind&fs.ModeSymlink != 0 {
				reason = Link
			}
			w.Skip(Skip{child, reason})
			continue
		}
		if w.Exclude.Covers(child) {
			w.Skip(Skip{child, Excluded})
			continue
		}
		if e.IsDir() {
			err = w.descend(ctx, root, base, strings.TrimPrefix(rel+Separator+e.Name(), "."+Separator))
		} else if info, statErr := e.Info(); statErr == nil {
			err = w.visit(child, info)
		} else if !errors.Is(statErr, fs.ErrNotExist) { // a folder whose names alone may be read
			w.Skip(Skip{path, Reason(statErr)})
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadFolder lists a folder below a root, in the order of names.
func ReadFolder(root *os.Root, rel string) ([]fs.DirEntry, error) {
	dir, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, errors.Join(err, dir.Close())
}

func (w *Walker) visit(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return nil
	}
	return w.File(path, StampOf(info))
}

// StampOf is what the file system says of a file.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Changed: inodeChanged(info)}
}

// Reason says for people why something could not be read.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return Unreadable
	case errors.Is(err, fs.ErrNotExist):
		return Gone
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

// OpenRegular opens a file inside its root for reading. Links that lead out, and
// anything that is not a regular file once it is open, are refused.
func OpenRegular(root, path string) (*os.File, fs.FileInfo, error) {
	base := root
	if root == "" || path == root || !strings.HasPrefix(path, root+Separator) {
		base = filepath.Dir(path)
	}
	dir, err := os.OpenRoot(base)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(strings.TrimPrefix(path[len(strings.TrimRight(base, Separator)):], Separator), os.O_RDONLY|disk.NoWait, 0)
	if err != nil {
		return nil, nil, err
	}
	return disk.Regular(f, path)
}
