package index

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Scorch writes in goroutines of its own. When one of them panics over a damaged
// folder it is gone, and its lock with it: a later write, and even closing, would
// wait for ever. So their panics are heard here, and nothing waits for them.

// ErrBroken means that the folder turned out to be damaged while it was written.
// What stands in it must be rebuilt.
var ErrBroken = errors.New("index is damaged: start Footnote again to rebuild it")

// brokenWait is how long a write or Close that is under way may still take.
const brokenWait = 2 * time.Second

const watcherName = "footnote"

var watched sync.Map // path of postings to *Index

func init() {
	scorch.RegistryAsyncErrorCallbacks[watcherName] = func(err error, path string) {
		x, known := watched.Load(path)
		if known && errors.Is(err, scorch.ErrAsyncPanic) {
			x.(*Index).breakOff(err)
		}
	}
}

// breakOff makes every write, running or to come, an error.
func (x *Index) breakOff(err error) {
	x.breaking.Do(func() {
		x.log.Error("index is damaged", "err", err)
		close(x.broken)
	})
}

// unlessBroken waits for do, which goes on alone when ctx ends first or the
// folder proves to be damaged.
func (x *Index) unlessBroken(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-x.broken:
	}
	select {
	case err := <-done:
		return err
	case <-time.After(brokenWait):
		return ErrBroken
	}
}
