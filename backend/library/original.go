package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Renew reads files again that have changed since, before they are asked about;
// of the paths, only those of files that the library knows. It returns when they
// can be searched, or with ctx.
func (l *Library) Renew(ctx context.Context, paths []string) error {
	var known []string
	for _, path := range paths {
		_, err := l.fileAt(ctx, path)
		if err == nil {
			known = append(known, path)
		} else if fault.CodeOf(err) != fault.NotFound {
			return err
		}
	}
	if len(known) == 0 {
		return nil
	}
	_, _, err := l.Attach(ctx, known, nil)
	if fault.CodeOf(err) == fault.PathNotAllowed { // all of them are gone: that is told by who looks for them
		return nil
	}
	return err
}

// fileAt is the file at a path, whether it is listed or was read for one question.
func (l *Library) fileAt(ctx context.Context, path string) (File, error) {
	files, _, err := l.Catalog.Files(ctx, FileQuery{Under: []string{path}, Unlisted: true, Hidden: true, Limit: 1})
	if err == nil && (len(files) == 0 || files[0].Path != path) {
		err = fault.New(fault.NotFound, filepath.Base(path)+" is not in the library.", "Add it, or its folder.")
	}
	if err != nil {
		return File{}, err
	}
	return files[0], nil
}

// Original reads a file of the library as it is on disk now, whatever is indexed
// of it. One that is gone, or that the library does not have, is fault not-found.
func (l *Library) Original(ctx context.Context, path string) (evidence.Document, error) {
	path = filepath.Clean(path)
	name := filepath.Base(path)
	if _, err := l.fileAt(ctx, path); err != nil {
		return evidence.Document{}, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return evidence.Document{}, fault.Wrap(err, fault.NotFound, name+" is not where it was read.", "Look for it where it was moved to.")
	}
	doc, err := l.Extract(ctx, path)
	doc.Source.Kind, doc.Source.Address = evidence.File, path
	return doc, err
}
