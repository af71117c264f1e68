package library

import (
	"context"
	"slices"
	"strings"
)

// Members are the files that ids or paths of files and folders name, by their
// paths. Skipped ones are left out.
func (l *Library) Members(ctx context.Context, names []string) (files []File, err error) {
	var q FileQuery
	for _, name := range names {
		if strings.HasPrefix(name, "fil_") {
			q.IDs = append(q.IDs, name)
		} else {
			q.Under = append(q.Under, name)
		}
	}
	for _, q := range []FileQuery{{IDs: q.IDs, Unlisted: true}, {Under: q.Under, Unlisted: true}} {
		if len(q.IDs)+len(q.Under) == 0 {
			continue
		}
		found, _, err := l.Files(ctx, q)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(f File) bool { return f.State == Skipped })
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(files, func(a, b File) bool { return a.ID == b.ID }), nil
}

// Unread tells why a file cannot be asked, for people; empty where it can.
func (l *Library) Unread(ctx context.Context, id string) (string, error) {
	files, _, err := l.Files(ctx, FileQuery{IDs: []string{id}, Unlisted: true})
	switch {
	case err != nil:
		return "", err
	case len(files) == 0:
		return "It is no longer in the library.", nil
	case files[0].Digest != "" && files[0].State != Failed && files[0].State != Skipped:
		return "", nil
	case files[0].Reason != "":
		return files[0].Reason, nil
	}
	return "It is still being read.", nil
}
