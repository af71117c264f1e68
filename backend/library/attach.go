package library

import (
	"context"
	"slices"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library/walk"
)

// Attach reads paths in place for a question, without adding them to the
// library, and returns the scope that names them when they can be searched. Text
// is kept by digest: unchanged files are not read again. progress, which may be
// nil, is called on the caller's goroutine about twice a second. Files that gave
// no text come back with the reason; no readable path at all is fault
// path-not-allowed.
func (l *Library) Attach(ctx context.Context, paths []string, progress func(Progress)) (evidence.Scope, []walk.Skip, error) {
	var scope evidence.Scope
	var skipped []walk.Skip
	var targets []target
	for _, path := range paths {
		at, info, reason := l.admit(ctx, path)
		switch {
		case reason != "":
			skipped = append(skipped, walk.Skip{Path: path, Reason: reason})
			continue
		case info.IsDir():
			scope.Folders = append(scope.Folders, at)
		default:
			scope.Files = append(scope.Files, at)
		}
		targets = append(targets, target{Root{Path: at}, at})
	}
	if len(targets) == 0 {
		return scope, skipped, refused(skipped)
	}
	c, err := l.compare(ctx, targets, true)
	if err != nil {
		return scope, skipped, err
	}
	skipped = append(skipped, c.skips...)
	var told time.Time
	err = l.Wait(ctx, slices.Concat(scope.Files, scope.Folders), func(f File) {
		if f.State == Failed || f.State == Skipped {
			skipped = append(skipped, walk.Skip{Path: f.Path, Reason: f.Reason})
		}
		if now := l.Now(); progress != nil && now.Sub(told) >= progressEvery {
			told = now
			if status, err := l.Status(ctx); err == nil {
				progress(status.Progress)
			}
		}
	})
	return scope, skipped, err
}
