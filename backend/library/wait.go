package library

import (
	"context"
	"sync"
	"time"

	"footnote/backend/fault"
)

// outcomes calls waiters for every file that is stored, refused or gone.
type outcomes struct {
	mu      sync.Mutex
	waiters map[*waiter]bool
}

// waiter gathers outcomes for one goroutine that waits.
type waiter struct {
	mu    sync.Mutex
	files []File
	news  signal
}

func (o *outcomes) add() *waiter {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := &waiter{news: newSignal()}
	if o.waiters == nil {
		o.waiters = map[*waiter]bool{}
	}
	o.waiters[w] = true
	return w
}

func (o *outcomes) remove(w *waiter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.waiters, w)
}

func (o *outcomes) tell(f File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for w := range o.waiters {
		w.mu.Lock()
		w.files = append(w.files, f)
		w.mu.Unlock()
		w.news.raise()
	}
}

func (w *waiter) take() []File {
	w.mu.Lock()
	defer w.mu.Unlock()
	files := w.files
	w.files = nil
	return files
}

// Wait calls each for every file at or below the paths, once it is stored for
// good or refused, in the order of that, and returns when all are and the index
// has learned them. each runs on the caller's goroutine.
func (l *Library) Wait(ctx context.Context, paths []string, each func(File)) error {
	w := l.outcomes.add()
	defer l.outcomes.remove(w)
	for l.Looking() {
		if !pause(ctx, settledLook) {
			return ctx.Err()
		}
	}
	pending := map[string]bool{}
	for _, path := range paths {
		files, _, err := l.Catalog.Files(ctx, FileQuery{Under: []string{path}, Unlisted: true})
		if err != nil {
			return err
		}
		for _, f := range files {
			if f.State.Settled() {
				each(f)
			} else {
				pending[f.ID] = true
			}
		}
	}
	for len(pending) > 0 {
		if l.Settings().Library.Paused {
			return fault.New(fault.Busy, "Reading is paused.", "Let it go on in Settings, under Library.")
		}
		if !w.news.wait(ctx, pausedLook) {
			return ctx.Err()
		}
		for _, f := range w.take() {
			if pending[f.ID] && f.State != Removed {
				each(f)
			}
			delete(pending, f.ID)
		}
	}
	return l.settled(ctx)
}

// Rest waits until the work that is going on has come to its end, topics chosen
// for the library as it is now. It does not wait for files that still wait to be
// read, nor for an index that cannot be written.
func (l *Library) Rest(ctx context.Context) error {
	for look := settledLook; l.counter.active() && !l.deaf.Load(); look = min(2*look, settledMost) {
		t, err := l.Catalog.Totals(ctx, l.embedderID())
		if err != nil || t.Waiting > 0 {
			return err
		}
		if !pause(ctx, look) {
			return ctx.Err()
		}
	}
	return nil
}

// Between two looks whether all is learned: a question on a few files goes on at
// once, and a large library is not counted all the time.
const (
	settledLook = 10 * time.Millisecond
	settledMost = 500 * time.Millisecond
	vectorsLate = 5 * time.Second // without a new one: the embedder is slow, words have to do
)

// settled waits until the index knows the words and vectors of all texts. It
// does not wait for what cannot be done now.
func (l *Library) settled(ctx context.Context) error {
	made, since := -1, l.Now()
	for look := settledLook; ; look = min(2*look, settledMost) {
		t, err := l.Catalog.Totals(ctx, l.embedderID())
		if err != nil {
			return err
		}
		words := t.Indexed >= t.Chunks
		if t.Vectors != made || !words {
			made, since = t.Vectors, l.Now()
		}
		vectors := l.Embedder == nil || l.stuck.Load() || t.Vectors >= t.Chunks && closed(l.fed) || l.Now().Sub(since) > vectorsLate
		if words && vectors {
			l.caughtUp()
			return nil
		}
		if l.deaf.Load() {
			return fault.New(fault.IndexRebuilding, "The texts are stored, but the search index cannot be written now.", "Footnote goes on by itself; the log has the cause.")
		}
		if !pause(ctx, look) {
			return ctx.Err()
		}
	}
}

// caughtUp waits until what is stored has reached the index too: one follows the
// other under learning.
func (l *Library) caughtUp() {
	l.learning.Lock()
	defer l.learning.Unlock()
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
