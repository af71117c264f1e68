package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/walk"
)

func fileID(parts ...string) string { return evidence.ID("fil", parts...) }
func rootID(path string) string     { return evidence.ID("rot", path) }

// AddResult says what became of added paths.
type AddResult struct {
	Added   []Root
	Paths   []string // as they stand in the catalog: absolute, links resolved
	Files   int      // met below them, known ones too
	Skipped []walk.Skip
}

// Add takes files and folders in, in place, and returns when they are queued.
// Paths must be absolute, exist, be readable and not be left out by name; a path
// that is not is skipped with the reason. When all are, the fault is
// path-not-allowed. Adding again brings removed files back and looks for changes.
func (l *Library) Add(ctx context.Context, paths []string, watch bool) (AddResult, error) {
	return l.add(ctx, paths, watch, func(targets []target) (*comparison, error) { return l.compare(ctx, targets, true) })
}

// AddSoon is Add that looks through folders for so long at most and goes on behind
// the caller: what is met later is in no result, but in the events and in what Wait
// waits for. What cannot be looked through then is told as a notice.
func (l *Library) AddSoon(ctx context.Context, paths []string, watch bool, patience time.Duration) (AddResult, error) {
	return l.add(ctx, paths, watch, func(targets []target) (*comparison, error) {
		folders := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !t.root.Folder || t.path != t.root.Path })
		if len(folders) == 0 {
			return l.compare(ctx, targets, true)
		}
		return l.compareSoon(ctx, targets, patience)
	})
}

func (l *Library) add(ctx context.Context, paths []string, watch bool, compare func([]target) (*comparison, error)) (AddResult, error) {
	var result AddResult
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return result, err
	}
	var targets []target
	for _, path := range paths {
		at, info, reason := l.admit(ctx, path)
		if reason != "" {
			result.Skipped = append(result.Skipped, walk.Skip{Path: path, Reason: reason})
			continue
		}
		root, ok := covering(roots, at)
		if !ok || root.Path == at && root.Watch != watch {
			root = Root{ID: rootID(at), Path: at, Folder: info.IsDir(), Watch: watch, Reachable: true, Added: l.Now()}
			if err := l.Catalog.PutRoot(ctx, root); err != nil {
				return result, err
			}
			roots = append(roots, root)
		}
		result.Added, result.Paths = append(result.Added, root), append(result.Paths, at)
		targets = append(targets, target{root, at})
	}
	if len(targets) == 0 {
		return result, refused(result.Skipped)
	}
	c, err := compare(targets)
	if err != nil {
		return result, err
	}
	result.Files, result.Skipped = c.files, append(result.Skipped, c.skips...)
	return result, nil
}

func refused(skipped []walk.Skip) error {
	if len(skipped) == 0 {
		return fault.New(fault.InvalidRequest, "No path was given.", "Name a file or a folder.")
	}
	if skipped[0].Reason == walk.System {
		return fault.New(fault.ConfirmNeeded, skipped[0].Path+" belongs to the system and may hold what is nobody's document.", "Confirm it in the window, or use --force on the command line.")
	}
	return fault.New(fault.PathNotAllowed, fmt.Sprintf("%s cannot be added. %s", skipped[0].Path, skipped[0].Reason),
		"Choose files or folders of documents that you may read.")
}

// admit checks a path that came from outside. Links in it are resolved once,
// here; below it none is followed.
func (l *Library) admit(ctx context.Context, path string) (at string, info os.FileInfo, reason string) {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", nil, walk.Relative
	}
	at, err := filepath.EvalSymlinks(filepath.Clean(path))
	if err == nil {
		info, err = os.Lstat(at)
	}
	switch {
	case err != nil:
		return "", nil, walk.Reason(err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", nil, walk.Special
	case l.exclusion().CoversAny(at):
		return "", nil, walk.Excluded
	case walk.OfTheSystem(at) && !isConfirmed(ctx):
		return "", nil, walk.System
	}
	return at, info, ""
}

// covering finds the root in or at which a path stands, the nearest one.
func covering(roots []Root, path string) (Root, bool) {
	var best Root
	for _, r := range roots {
		inside := path == r.Path || r.Folder && strings.HasPrefix(path, strings.TrimRight(r.Path, walk.Separator)+walk.Separator)
		if inside && len(r.Path) > len(best.Path) {
			best = r
		}
	}
	return best, best.ID != ""
}

// Remove forgets a root or a file, by id or path: its text leaves index, vectors
// and catalog unless an answer cites it. A file of a folder stays out until it is
// added again. A missing one is fault not-found.
func (l *Library) Remove(ctx context.Context, idOrPath string) error {
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(roots, func(r Root) bool { return r.ID == idOrPath || r.Path == idOrPath })
	if i >= 0 {
		return l.removeRoot(ctx, roots[i], slices.Delete(slices.Clone(roots), i, i+1))
	}
	files, err := l.named(ctx, []string{idOrPath})
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fault.New(fault.NotFound, "There is no such file in the library.", "It may have been removed already.")
	}
	return l.removeFile(ctx, files[0], roots)
}

// named finds files by id or path.
func (l *Library) named(ctx context.Context, names []string) ([]File, error) {
	found, _, err := l.Catalog.Files(ctx, FileQuery{IDs: names, Unlisted: true})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !filepath.IsAbs(name) {
			continue
		}
		at, _, err := l.Catalog.Files(ctx, FileQuery{Under: []string{name}, Unlisted: true, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(at) == 1 && at[0].Path == name {
			found = append(found, at[0])
		}
	}
	return found, nil
}

func (l *Library) removeFile(ctx context.Context, f File, roots []Root) error {
	root, ok := covering(roots, f.Path)
	if !ok {
		return l.dropFiles(ctx, []File{f})
	}
	if !root.Folder { // it would come back with the next scan
		return l.removeRoot(ctx, root, slices.DeleteFunc(slices.Clone(roots), func(r Root) bool { return r.ID == root.ID }))
	}
	f.State, f.Digest, f.Code, f.Reason = Removed, "", "", ""
	l.books.Lock()
	err := l.Catalog.PutFiles(ctx, []File{f})
	l.books.Unlock()
	l.changedShelf()
	l.bus.publish(Gone{f.ID, string(Removed)})
	l.outcomes.tell(f)
	return err
}

// removeRoot forgets a root; files that another root covers go over to it.
func (l *Library) removeRoot(ctx context.Context, root Root, others []Root) error {
	l.scanning.Lock()
	defer l.scanning.Unlock()
	l.unwatch(root.Path)
	files, _, err := l.Catalog.Files(ctx, FileQuery{Root: root.ID, Unlisted: true, Hidden: true})
	if err != nil {
		return err
	}
	var keep, drop []File
	for _, f := range files {
		if other, ok := covering(others, f.Path); ok && f.State != NotReachable {
			f.Root = other.ID
			keep = append(keep, f)
		} else {
			drop = append(drop, f)
		}
	}
	if err := l.dropFiles(ctx, drop); err != nil {
		return err
	}
	if err := l.Catalog.PutFiles(ctx, keep); err != nil {
		return err
	}
	l.shut.forget(root.ID)
	return l.Catalog.DropRoot(ctx, root.ID)
}

// Rescan looks for changes: in all roots, or in the roots and files that are
// named by id or path. A named file is read again even if it failed before or was
// read in part; without names so are all such files, once more is read here.
func (l *Library) Rescan(ctx context.Context, names ...string) error {
	roots, err := l.Catalog.Roots(ctx)
	if err == nil && len(names) == 0 {
		err = errors.Join(l.readBetter(ctx), l.readUnstarted(ctx), l.scanRoots(ctx, roots))
	}
	if err != nil || len(names) == 0 {
		return err
	}
	chosen := slices.DeleteFunc(roots, func(r Root) bool { return !slices.Contains(names, r.ID) && !slices.Contains(names, r.Path) })
	if err := l.scanRoots(ctx, chosen); err != nil {
		return err
	}
	files, err := l.named(ctx, names)
	if err != nil {
		return err
	}
	return l.readAfresh(ctx, files)
}
