package library

import (
	"context"
	"errors"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// learnAt is about how many passages the index learns or forgets at once.
const learnAt = 4000

// learnFirst lets texts gather while files stream in: small batches cost the
// index more merging than they gain. The first are searchable soon; each further
// batch gathers for twice as long, up to learnLast.
const (
	learnFirst = 150 * time.Millisecond
	learnLast  = 9600 * time.Millisecond
	learnLook  = 50 * time.Millisecond // between looks whether files still come
)

// generation is the note of the index filling that the catalog's marks are about.
const generation = "index.generation"

// filled is an index that can tell its filling and what it holds.
type filled interface {
	Generation() string
	Count() (words, vectors int)
}

// checkIndex compares the index with the catalog's marks. Another filling, or
// one that lost passages, is filled again while search goes on with what is there.
func (l *Library) checkIndex(ctx context.Context) error {
	x, ok := l.Index.(filled)
	if !ok {
		return nil
	}
	noted, err := l.Catalog.Note(ctx, generation)
	if err != nil {
		return err
	}
	totals, err := l.Catalog.Totals(ctx, l.embedderID())
	if err != nil {
		return err
	}
	words, _ := x.Count()
	if noted == x.Generation() && words >= totals.Indexed {
		return nil
	}
	if totals.Indexed > 0 {
		l.Log.Info("filling the word index again", "passages", totals.Chunks, "in index", words)
		l.rebuilds.Store(true)
		l.bus.publish(Rebuilding{What: "words"})
	}
	if err := l.Catalog.MarkIndexed(ctx, nil, false); err != nil {
		return err
	}
	return l.Catalog.SetNote(ctx, generation, x.Generation())
}

// runWords teaches the index what the catalog lists, and lets it forget. New
// texts, those of before a crash and a whole rebuild are one list.
func (l *Library) runWords(ctx context.Context) {
	gather := learnFirst
	for ctx.Err() == nil {
		l.gather(ctx, gather)
		learned, busy, err := l.learn(ctx)
		if ctx.Err() != nil {
			return
		}
		l.deaf.Store(err != nil)
		switch {
		case err != nil:
			l.trouble(ctx, "write index", err)
		case learned >= learnAt: // more waits
			gather = 0
		case busy:
			gather = min(max(2*gather, learnFirst), learnLast)
		case !l.words.wait(ctx, 0):
			return
		default:
			gather = learnFirst
		}
	}
}

// gather waits while files stream in, at most for limit.
func (l *Library) gather(ctx context.Context, limit time.Duration) {
	for limit > 0 && l.inflight.count() > 0 && pause(ctx, learnLook) {
		limit -= learnLook
	}
}

// learn does one step. It tells how many passages the index learned and whether
// there may be more to do.
func (l *Library) learn(ctx context.Context) (learned int, busy bool, err error) {
	forgot, err := l.forget(ctx)
	if err != nil {
		return 0, false, err
	}
	placed, err := l.Catalog.Unindexed(ctx, learnAt)
	if err != nil {
		return 0, false, err
	}
	if len(placed) == 0 {
		l.rested(ctx)
		return 0, forgot, nil
	}
	entries := make([]Entry, len(placed))
	var digests []string
	for i, p := range placed {
		entries[i] = Entry{ID: p.Passage.ID, Digest: p.Digest, Name: plainName(p.Path), Heading: p.Passage.At.Heading, Body: p.Passage.Text}
		if len(digests) == 0 || digests[len(digests)-1] != p.Digest {
			digests = append(digests, p.Digest)
		}
	}
	if err := l.Index.Put(ctx, entries); err != nil {
		return 0, false, err
	}
	if err := l.Catalog.MarkIndexed(ctx, digests, true); err != nil {
		return 0, false, err
	}
	l.vectors.raise()
	if l.Meaning != nil {
		l.Meaning.Wake()
	}
	return len(placed), true, l.tellSearchable(ctx, digests)
}

// rested ends a rebuild and a spell of work.
func (l *Library) rested(ctx context.Context) {
	if l.rebuilds.Swap(false) {
		l.bus.publish(Rebuilding{What: "words", Percent: 100})
	}
	if l.inflight.count() == 0 && l.counter.active() {
		l.tellProgress(ctx, true)
		if totals, err := l.Catalog.Totals(ctx, l.embedderID()); err == nil && totals.Waiting == 0 {
			if err := l.chooseAgain(ctx); err != nil && ctx.Err() == nil {
				l.Log.Warn("topics not chosen", "error", err)
			}
			l.counter.rest()
			l.tuneForRest()
			debug.FreeOSMemory() // reading many files took more than rest needs
		}
	}
}

func plainName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// forget drops what the catalog lists as gone. Vectors that are being added wait
// their turn, so that none comes after its passage was dropped.
func (l *Library) forget(ctx context.Context) (bool, error) {
	ids, err := l.Catalog.Dropped(ctx, learnAt)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	l.learning.Lock()
	defer l.learning.Unlock()
	if err := l.Index.Drop(ctx, ids); err != nil {
		return false, err
	}
	if l.Meaning != nil {
		l.Meaning.Forget(ids)
	}
	return true, l.Catalog.Forgotten(ctx, ids)
}

func (l *Library) tellSearchable(ctx context.Context, digests []string) error {
	if l.rebuilds.Load() {
		return l.tellRebuilding(ctx)
	}
	files, _, err := l.Catalog.Files(ctx, FileQuery{Digests: digests, Unlisted: true})
	bodies := make([]EventBody, 0, 2*len(files))
	for _, f := range files {
		bodies = append(bodies, Searchable{f.ID, f.Chunks}, ReadyFile{f.ID, f.Coverage.Share()})
	}
	l.bus.publish(bodies...)
	l.tellProgress(ctx, false)
	return err
}

func (l *Library) tellRebuilding(ctx context.Context) error {
	if !l.counter.due(l.Now()) {
		return nil
	}
	t, err := l.Catalog.Totals(ctx, l.embedderID())
	l.bus.publish(Rebuilding{What: "words", Percent: 100 * t.Indexed / max(1, t.Chunks)})
	return err
}

// noticeOf tells people why work is paused.
func noticeOf(err error) Noticed {
	if f := fault.Of(err); f.Code != fault.Internal {
		return Noticed{string(f.Code), f.Message + " " + f.Hint}
	}
	if errors.Is(err, syscall.ENOSPC) { // what the index could not write
		return Noticed{string(fault.DiskFull), "The disk with Footnote's data is full. Free some space; Footnote goes on by itself."}
	}
	return Noticed{"index-trouble", "The library cannot go on just now; Footnote tries again by itself."}
}

// idsOf lists the passages of a batch.
func idsOf(placed []Placed) []evidence.PassageID {
	return slices.Collect(func(yield func(evidence.PassageID) bool) {
		for _, p := range placed {
			if !yield(p.Passage.ID) {
				return
			}
		}
	})
}
