package privacy

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"
)

// Book keeps entries of the ledger that are in no run's.
type Book interface {
	Load(ctx context.Context) ([]LedgerEntry, error)
	Save(ctx context.Context, entries []LedgerEntry) error
}

// asideEvery is how long what was counted waits to be kept.
const asideEvery = 2 * time.Second

// Aside is the ledger of what goes out beside runs: for files that are indexed,
// lists of models, tests of engines. That a host is sent something is kept before it
// is, how much at most asideEvery later and with Close. Safe for concurrent use.
type Aside struct {
	book  Book
	log   *slog.Logger
	meter *Meter

	mu     sync.Mutex
	loaded bool
	timer  *time.Timer // until what was counted is kept; nil: all is
	closed bool
}

// NewAside goes on with what a book holds.
func NewAside(book Book, log *slog.Logger) *Aside {
	a := &Aside{book: book, log: log, meter: &Meter{entries: map[[2]string]*LedgerEntry{}}}
	a.meter.quiet = a.later
	return a
}

// Pays is ctx with a ledger for a request to a host: that of its run where it has
// one, else this.
func (a *Aside) Pays(ctx context.Context, host string) context.Context {
	if m, _ := ctx.Value(meterKey{}).(*Meter); m != nil {
		return ctx
	}
	purpose, _ := ctx.Value(purposeKey{}).(string)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load(ctx)
	if a.meter.opens(host, cmp.Or(purpose, "other")) {
		a.save(ctx)
	}
	return context.WithValue(ctx, meterKey{}, a.meter)
}

// Entries are what was sent and received since the data folder was made.
func (a *Aside) Entries(ctx context.Context) []LedgerEntry {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.load(ctx)
	return a.meter.Entries()
}

// Close keeps what was counted.
func (a *Aside) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
		a.save(context.Background())
	}
}

// later has what was counted kept in a moment.
func (a *Aside) later() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil || a.closed {
		return
	}
	a.timer = time.AfterFunc(asideEvery, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.timer != nil { // Close was not first
			a.timer = nil
			a.save(context.Background())
		}
	})
}

// load reads the book, once; where it cannot be read, it is tried again. The caller
// holds the lock, as that of save does.
func (a *Aside) load(ctx context.Context) {
	if a.loaded {
		return
	}
	kept, err := a.book.Load(context.WithoutCancel(ctx))
	if err != nil {
		a.log.Error("read what went out beside questions", "err", err)
		return
	}
	a.loaded = true
	a.meter.Take(kept)
}

// save does not write over a book that was not read.
func (a *Aside) save(ctx context.Context) {
	if !a.loaded {
		return
	}
	if err := a.book.Save(context.WithoutCancel(ctx), a.meter.Entries()); err != nil {
		a.log.Error("note what went out beside questions", "err", err)
	}
}
