package library

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"footnote/backend/library/walk"
)

// Texts of files that were read for one question only are kept for the next one,
// but not for ever: at a start, those read longest ago go. Uploaded files stay.
const (
	attachedAge   = 30 * 24 * time.Hour
	attachedBytes = 2 << 30   // of the files together
	attachedRest  = time.Hour // what was read just now stays, whatever its size
)

// pruneAttached drops files that nobody asked about for long, or that are too
// many.
func (l *Library) pruneAttached(ctx context.Context) error {
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil || totals.Attached == 0 {
		return err
	}
	files, _, err := l.Catalog.Files(ctx, FileQuery{Unlisted: true})
	if err != nil {
		return err
	}
	return l.dropFiles(ctx, outdated(files, l.Opened, l.Now()))
}

// outdated chooses among files those that are not listed, stand in no opened
// folder, and are too old or beyond the size, the newest kept first.
func outdated(files []File, opened []string, now time.Time) []File {
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool {
		return f.Listed || !f.State.Settled() || f.Indexed.IsZero() || slices.ContainsFunc(opened, func(dir string) bool { return strings.HasPrefix(f.Path, dir+walk.Separator) })
	})
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(b.Indexed.UnixNano(), a.Indexed.UnixNano()) })
	var bytes int64
	return slices.DeleteFunc(files, func(f File) bool {
		bytes += f.Stamp.Size
		age := now.Sub(f.Indexed)
		return age <= attachedRest || age <= attachedAge && bytes <= attachedBytes
	})
}
