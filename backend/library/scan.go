package library

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"footnote/backend/extract"
	"footnote/backend/library/exclude"
	"footnote/backend/library/walk"
)

// flushAt is how many files are queued in one transaction.
const flushAt = 500

// target is a path to be compared with the catalog. A root without id stands
// for files that are read for one question only.
type target struct {
	root Root
	path string
}

// comparison is one pass over some targets: what is new or changed goes to the
// queue, what is gone goes out, what moved keeps its id, text and vectors.
type comparison struct {
	*Library
	ctx      context.Context
	explicit bool // the reader named these paths: removed files come back
	root     Root
	known    map[string]File // met files are taken out; the rest is missing
	early    bool            // nothing can have moved: queue at once
	fresh    []File
	changed  []File
	unread   []string // folders that could not be looked into: what they hold stays
	skips    []walk.Skip
	files    int
}

// compare runs a comparison. Scans take turns.
func (l *Library) compare(ctx context.Context, targets []target, explicit bool) (*comparison, error) {
	if len(targets) == 0 {
		return &comparison{}, nil
	}
	l.scanning.Lock()
	defer l.scanning.Unlock()
	l.queued.Add(1) // files are queued as they are met
	c := &comparison{Library: l, ctx: ctx, explicit: explicit}
	if err := c.load(targets); err != nil {
		return nil, err
	}
	w := walk.Walker{Exclude: l.exclusion(), File: c.meet, Folder: l.watchFolder, Skip: c.leaveOut, List: l.list}
	for _, t := range targets {
		c.root = t.root
		before := len(c.skips)
		if err := w.Walk(ctx, t.root.Path, t.path); err != nil {
			return nil, err
		}
		l.shut.note(t, c.skips[before:])
	}
	return c, c.finish()
}

// compareSoon runs a comparison that goes on when patience is at an end; then there
// is nothing to tell of it yet. It ends with the library.
func (l *Library) compareSoon(ctx context.Context, targets []target, patience time.Duration) (*comparison, error) {
	type compared struct {
		c   *comparison
		err error
	}
	done, late := make(chan compared, 1), make(chan struct{})
	going, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := context.AfterFunc(l.life, stop)
	l.looking.Add(1)
	l.spawn(func() {
		defer stop()
		defer ended()
		c, err := l.compare(going, targets, true)
		l.looking.Add(-1)
		done <- compared{c, err}
		select {
		case <-late:
			l.reportScan(going, err)
		default:
		}
	})
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.c, r.err
	case <-timer.C:
	}
	close(late)
	select {
	case r := <-done: // at the last moment: nobody else tells its error
		return r.c, r.err
	default:
		return &comparison{}, nil
	}
}

// Looking reports whether folders that were added are still being looked through.
func (l *Library) Looking() bool { return l.looking.Load() > 0 }

func (l *Library) exclusion() exclude.Rules {
	return exclude.New(l.Settings().Library.Exclude, l.Private, l.Opened)
}

func (c *comparison) load(targets []target) error {
	paths := make([]string, len(targets))
	for i, t := range targets {
		paths[i] = t.path
	}
	c.known = map[string]File{}
	for part := range slices.Chunk(paths, 100) {
		rows, _, err := c.Catalog.Files(c.ctx, FileQuery{Under: part, Unlisted: true, Hidden: true})
		if err != nil {
			return err
		}
		for _, f := range rows {
			if !c.opensElsewhere(f, paths) {
				c.known[f.Path] = f
			}
		}
	}
	c.early = len(c.known) == 0
	return nil
}

// opensElsewhere reports whether a file stands in an opened folder that none of
// the paths leads into: the way there is private, so it is not missing.
func (c *comparison) opensElsewhere(f File, paths []string) bool {
	return slices.ContainsFunc(c.Opened, func(dir string) bool {
		in := func(path string) bool { return path == dir || strings.HasPrefix(path, dir+walk.Separator) }
		return in(f.Path) && !slices.ContainsFunc(paths, in)
	})
}

func (c *comparison) leaveOut(s walk.Skip) {
	if s.Reason != walk.Excluded && !s.Incidental() {
		c.unread = append(c.unread, s.Path)
	}
	c.skips = append(c.skips, s)
	c.bus.publish(SkippedPath(s))
}

// meet compares one file on disk with its row.
func (c *comparison) meet(path string, stamp walk.Stamp) error {
	c.files++
	row, ok := c.known[path]
	delete(c.known, path)
	listed := c.root.ID != ""
	switch {
	case !ok:
		c.fresh = append(c.fresh, File{Path: path, Root: c.root.ID, RootPath: c.root.Path, Listed: listed, Stamp: stamp, State: Waiting})
	case row.State == Removed && !c.explicit:
	case row.State == Waiting && row.Stamp == stamp && (row.Listed || !listed): // it may have been read meanwhile
	case row.State == Removed || row.Stamp != stamp || !row.State.Settled():
		row.State = Waiting
		c.changed = append(c.changed, c.adopt(row))
	case listed && !row.Listed:
		c.changed = append(c.changed, c.adopt(row))
	}
	if c.early && len(c.fresh) >= flushAt {
		return c.flush()
	}
	return nil
}

// adopt lists a file that was so far read for one question only.
func (c *comparison) adopt(f File) File {
	if c.root.ID != "" && (!f.Listed || f.Root == "") {
		f.Root, f.Listed = c.root.ID, true
	}
	return f
}

func (c *comparison) finish() error {
	maps.DeleteFunc(c.known, func(_ string, f File) bool { return c.hidden(f) })
	if err := c.followMoves(); err != nil {
		return err
	}
	if err := c.flush(); err != nil {
		return err
	}
	return c.dropFiles(c.ctx, slices.Collect(maps.Values(c.known)))
}

// hidden reports whether a missing file may still be there, in a folder that
// cannot be looked into now, or below a root that went away meanwhile.
func (c *comparison) hidden(f File) bool {
	path := f.Path
	return f.RootPath != "" && f.RootPath != path && !exists(f.RootPath) || slices.ContainsFunc(c.unread, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, dir+walk.Separator)
	})
}

// followMoves finds new files that are missing ones under another name: equal
// size, then equal digest.
func (c *comparison) followMoves() error {
	missing := map[int64][]File{}
	for _, f := range c.known {
		if f.Digest != "" && f.State.Settled() && f.State != Removed {
			missing[f.Stamp.Size] = append(missing[f.Stamp.Size], f)
		}
	}
	var moved []File
	c.fresh = slices.DeleteFunc(c.fresh, func(f File) bool {
		old, ok := c.movedFrom(f, missing[f.Stamp.Size])
		if ok {
			delete(c.known, old.Path)
			missing[f.Stamp.Size] = slices.DeleteFunc(missing[f.Stamp.Size], func(m File) bool { return m.ID == old.ID })
			old.Path, old.Root, old.Listed, old.Stamp = f.Path, f.Root, f.Listed, f.Stamp
			if old.Code == extract.Unreadable { // of the place it had
				old.State = Waiting
			}
			moved = append(moved, old)
		}
		return ok
	})
	return c.put(moved)
}

func (c *comparison) movedFrom(f File, missing []File) (File, bool) {
	if len(missing) == 0 {
		return File{}, false
	}
	print, err := fingerprint(c.ctx, f.RootPath, f.Path)
	if err != nil {
		return File{}, false // the queue will meet the same error and tell it
	}
	i := slices.IndexFunc(missing, func(m File) bool { return m.Digest == print.digest })
	if i < 0 {
		return File{}, false
	}
	return missing[i], true
}

// flush queues what is new and changed.
func (c *comparison) flush() error {
	for part := range slices.Chunk(c.fresh, flushAt) {
		if err := c.name(part); err != nil {
			return err
		}
		if err := c.put(part); err != nil {
			return err
		}
		for _, f := range part {
			c.bus.publish(Seen{f.ID, f.Path}, Queued{f.ID})
		}
	}
	for part := range slices.Chunk(c.changed, flushAt) {
		if err := c.put(part); err != nil {
			return err
		}
		for _, f := range part {
			if f.State == Waiting {
				c.bus.publish(Queued{f.ID})
			}
		}
	}
	c.fresh, c.changed = c.fresh[:0], c.changed[:0]
	return nil
}

// name gives new files their ids: of the path, or, where a file that moved away
// took that id along, of path and time.
func (c *comparison) name(files []File) error {
	ids := make([]string, len(files))
	for i := range files {
		files[i].ID = fileID(files[i].Path)
		ids[i] = files[i].ID
	}
	taken, _, err := c.Catalog.Files(c.ctx, FileQuery{IDs: ids, Unlisted: true, Hidden: true})
	for _, old := range taken {
		i := slices.Index(ids, old.ID)
		files[i].ID = fileID(files[i].Path, strconv.FormatInt(c.Now().UnixNano(), 36))
	}
	return err
}

func (c *comparison) put(files []File) error {
	if len(files) == 0 {
		return nil
	}
	c.books.Lock()
	err := c.Catalog.PutFiles(c.ctx, files)
	c.books.Unlock()
	c.changedShelf()
	c.moreToRead()
	return err
}

// dropFiles removes files with their texts and tells it.
func (l *Library) dropFiles(ctx context.Context, files []File) error {
	for part := range slices.Chunk(files, flushAt) {
		ids := make([]string, len(part))
		gone := make([]EventBody, len(part))
		for i, f := range part {
			ids[i], gone[i] = f.ID, Gone{f.ID, string(Removed)}
		}
		l.books.Lock()
		err := l.Catalog.DropFiles(ctx, ids)
		l.books.Unlock()
		if err != nil {
			return err
		}
		l.changedShelf()
		l.bus.publish(gone...)
		for _, f := range part {
			f.State = Removed
			l.outcomes.tell(f)
		}
	}
	return nil
}

// changedShelf is called after every change of files or texts.
func (l *Library) changedShelf() {
	l.scope.outdated()
	l.words.raise()
}

// scanRoots compares whole roots; one that is not there keeps its entries.
func (l *Library) scanRoots(ctx context.Context, roots []Root) error {
	var targets []target
	for _, r := range roots {
		there, err := l.reach(ctx, &r)
		if err != nil {
			return err
		}
		if there {
			targets = append(targets, target{r, r.Path})
		}
	}
	_, err := l.compare(ctx, targets, false)
	return err
}

// reach finds out whether a root is there and notes a change of that. A single
// file that is gone from a folder that is there was deleted.
func (l *Library) reach(ctx context.Context, r *Root) (bool, error) {
	_, err := os.Lstat(r.Path)
	there := err == nil
	if !there && !r.Folder && errors.Is(err, fs.ErrNotExist) && exists(filepath.Dir(r.Path)) {
		return false, l.Remove(ctx, r.ID)
	}
	if there == r.Reachable {
		return there, nil
	}
	r.Reachable = there
	if !there {
		l.bus.publish(Gone{r.ID, string(NotReachable)})
	}
	return there, l.Catalog.PutRoot(ctx, *r)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
