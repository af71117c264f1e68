package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	quietFor   = 300 * time.Millisecond // after the last change of a path, before it is looked at
	quietMost  = 2 * time.Second        // and at most this long after the first
	pollEvery  = 10 * time.Minute       // when the system cannot tell changes
	rootsEvery = time.Minute            // roots that are not reachable or not readable are looked for this often
)

// debouncer gathers paths until they have been quiet for a while.
type debouncer struct {
	mu    sync.Mutex
	paths map[string]due
	wake  signal
}

type due struct{ first, at time.Time }

// at asks for a look at a path after a while; asking again puts it off, up to
// quietMost in all.
func (d *debouncer) at(path string, after time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paths == nil {
		d.paths = map[string]due{}
	}
	now := time.Now()
	p, ok := d.paths[path]
	if !ok {
		p.first = now
	}
	p.at = now.Add(after)
	if most := p.first.Add(max(quietMost, after)); p.at.After(most) {
		p.at = most
	}
	d.paths[path] = p
	d.wake.raise()
}

// ready takes the paths that are due and tells how long until the next is; 0
// when there is none. Paths due within a moment come along: the two halves of a
// move belong together.
func (d *debouncer) ready(now time.Time) (paths []string, next time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var soonest time.Time
	any := false
	for _, p := range d.paths {
		any = any || !p.at.After(now)
	}
	for path, p := range d.paths {
		if any && p.at.Before(now.Add(quietFor/2)) {
			paths = append(paths, path)
			delete(d.paths, path)
		} else if soonest.IsZero() || p.at.Before(soonest) {
			soonest = p.at
		}
	}
	if soonest.IsZero() {
		return paths, 0
	}
	return paths, max(time.Millisecond, soonest.Sub(now))
}

// runScans looks through the roots at the start and from time to time, and at
// single paths when something pokes them.
func (l *Library) runScans(ctx context.Context) {
	var full, roots time.Time // of the next look; zero is at once
	for ctx.Err() == nil {
		now := time.Now()
		paths, wait := l.poked.ready(now)
		if len(paths) > 0 {
			l.reportScan(ctx, l.scanPaths(ctx, paths))
		}
		if l.Watch && !now.Before(full) {
			l.reportScan(ctx, l.Rescan(ctx))
			full, roots = time.Now().Add(l.rescanEvery()), time.Now().Add(rootsEvery)
		} else if l.Watch && !now.Before(roots) {
			l.reportScan(ctx, l.lookForRoots(ctx))
			roots = time.Now().Add(rootsEvery)
		}
		if l.Watch && (wait == 0 || wait > rootsEvery) {
			wait = rootsEvery
		}
		if !l.poked.wake.wait(ctx, wait) {
			return
		}
	}
}

func (l *Library) reportScan(ctx context.Context, err error) {
	if err != nil {
		l.trouble(ctx, "look for changes", err)
	}
}

func (l *Library) rescanEvery() time.Duration {
	if w := l.watcher.Load(); w == nil || w.polling.Load() {
		return pollEvery
	}
	if d := l.Settings().Library.Rescan.Duration; d > 0 {
		return d
	}
	return 100 * 365 * 24 * time.Hour // the reader turned it off
}

// lookForRoots scans the roots that came back or went away, or may be read again.
func (l *Library) lookForRoots(ctx context.Context) error {
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return err
	}
	var changed []Root
	for _, r := range roots {
		if exists(r.Path) != r.Reachable || r.Reachable && l.opened(r) {
			changed = append(changed, r)
		}
	}
	return l.scanRoots(ctx, changed)
}

// scanPaths compares single paths with the catalog, all in one pass so that a
// move from one to another is seen as such.
func (l *Library) scanPaths(ctx context.Context, paths []string) error {
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return err
	}
	rules := l.exclusion()
	var targets []target
	var whole []Root
	for _, path := range paths {
		root, ok := covering(roots, path)
		switch {
		case !ok || rules.CoversAny(path):
		case root.Path == path || !exists(root.Path): // the root itself came, went or changed
			whole = append(whole, root)
		default:
			targets = append(targets, target{root, path})
		}
	}
	if err := l.scanRoots(ctx, whole); err != nil {
		return err
	}
	_, err = l.compare(ctx, targets, false)
	return err
}

// watcher hears of changes from the system, one watch a folder.
type watcher struct {
	fs      *fsnotify.Watcher
	polling atomic.Bool // the system cannot watch everything: look from time to time
}

func (l *Library) startWatcher(ctx context.Context) {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		l.pollInstead(nil, err)
		return
	}
	w := &watcher{fs: fs}
	l.watcher.Store(w)
	l.spawn(func() {
		defer fs.Close()
		l.listen(ctx, w)
	})
}

func (l *Library) listen(ctx context.Context, w *watcher) {
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			l.poked.at(e.Name, quietFor)
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			l.watchTrouble(ctx, w, err)
		}
	}
}

// watchTrouble looks through everything once after changes were lost.
func (l *Library) watchTrouble(ctx context.Context, w *watcher, err error) {
	l.Log.Warn("watching files", "error", err)
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		return
	}
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		l.pollInstead(w, err)
	}
	for _, r := range roots {
		l.poked.at(r.Path, quietFor)
	}
}

// pollInstead goes over to looking from time to time, and says so once.
func (l *Library) pollInstead(w *watcher, err error) {
	if w != nil && w.polling.Swap(true) {
		return
	}
	l.Log.Warn("folders are looked through every ten minutes instead of watched", "error", err)
	l.bus.publish(Noticed{"watch-limit", "The system cannot watch all folders; Footnote looks for changes every 10 minutes."})
	l.poked.wake.raise()
}

// watchFolder is called for every folder that a scan goes through.
func (l *Library) watchFolder(path string) {
	w := l.watcher.Load()
	if w == nil || w.polling.Load() {
		return
	}
	err := w.fs.Add(path)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		l.pollInstead(w, err)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, fsnotify.ErrClosed) {
		l.Log.Warn("folder not watched", "path", path, "error", err)
	}
}

// unwatch ends the watches of a root that was removed.
func (l *Library) unwatch(root string) {
	w := l.watcher.Load()
	if w == nil {
		return
	}
	for _, path := range w.fs.WatchList() {
		if _, inside := covering([]Root{{ID: "r", Path: root, Folder: true}}, filepath.Clean(path)); inside {
			if err := w.fs.Remove(path); err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) {
				l.Log.Warn("watch not ended", "path", path, "error", err)
			}
		}
	}
}
