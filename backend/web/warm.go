package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"footnote/backend/privacy"
)

const (
	warmEvery = 25 * time.Second // less than idle connections live
	warmLimit = 5 * time.Second
)

// Host is a server that a connection is opened to ahead of a question.
type Host struct {
	Address string // of a page that costs its server little
	Client  *http.Client
}

// WarmOptions make a Warmer. Hosts are those that the reader chose and that a
// question to a model would go to now; Shut reports that nothing may be opened; Book
// keeps what went out until the ledger of a run has it.
type WarmOptions struct {
	Hosts func(ctx context.Context, model string) []Host
	Shut  func() bool
	Book  privacy.Book
	Now   func() time.Time
	Log   *slog.Logger
}

// Warmer opens connections while a question is typed, so that asking finds them
// open. Nothing of the question goes with them. Safe for concurrent use.
type Warmer struct {
	opt  WarmOptions
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu   sync.Mutex
	last map[string]time.Time // by scheme, host and port

	book sync.Mutex
	read bool // kept is what the book holds
	kept []privacy.LedgerEntry
}

// NewWarmer makes a warmer; Close ends it.
func NewWarmer(opt WarmOptions) *Warmer {
	w := &Warmer{opt: opt, last: map[string]time.Time{}}
	w.ctx, w.stop = context.WithCancel(context.Background())
	return w
}

// Warm opens connections for a question to a model and returns at once; done is
// closed when they stand. A host that was warmed a moment ago is left alone.
func (w *Warmer) Warm(model string) (done <-chan struct{}) {
	over := make(chan struct{})
	if w.opt.Shut() || w.ctx.Err() != nil {
		close(over)
		return over
	}
	w.work.Go(func() {
		defer close(over)
		w.pass(model)
	})
	return over
}

// Close ends what is being opened and waits for it.
func (w *Warmer) Close() {
	w.stop()
	w.work.Wait()
}

func (w *Warmer) pass(model string) {
	ctx, cancel := context.WithTimeout(w.ctx, warmLimit)
	defer cancel()
	ctx, meter := privacy.WithMeter(privacy.WithPurpose(ctx, "connect"))
	var all sync.WaitGroup
	for _, host := range w.opt.Hosts(ctx, model) {
		if w.due(host) {
			all.Go(func() { w.open(ctx, host) })
		}
	}
	all.Wait()
	if err := w.note(context.WithoutCancel(ctx), beyond(meter.Entries())); err != nil {
		w.opt.Log.Error("note what was opened ahead", "err", err)
	}
}

// due books a host for now.
func (w *Warmer) due(host Host) bool {
	u, err := url.Parse(host.Address)
	if err != nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now, origin := w.opt.Now(), originOf(u)
	if last, ok := w.last[origin]; ok && now.Sub(last) < warmEvery {
		return false
	}
	w.last[origin] = now
	return true
}

// open asks for the head of a page, which leaves an idle connection behind.
// Redirects are not followed.
func (w *Warmer) open(ctx context.Context, host Host) {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, host.Address, nil)
	if err == nil {
		var resp *http.Response
		if resp, err = host.Client.Transport.RoundTrip(req); err == nil {
			err = resp.Body.Close()
		}
	}
	if err != nil {
		w.opt.Log.Info("no connection ahead of a question", "to", host.Address, "err", err)
	}
}

// beyond leaves out what stayed on this computer.
func beyond(entries []privacy.LedgerEntry) []privacy.LedgerEntry {
	var out []privacy.LedgerEntry
	for _, e := range entries {
		if !onLoopback(&url.URL{Host: e.Host}) {
			out = append(out, e)
		}
	}
	return out
}

func (w *Warmer) note(ctx context.Context, entries []privacy.LedgerEntry) error {
	if len(entries) == 0 {
		return nil
	}
	w.book.Lock()
	defer w.book.Unlock()
	if err := w.load(ctx); err != nil {
		return err
	}
	for _, e := range entries {
		w.kept = added(w.kept, e)
	}
	return w.opt.Book.Save(ctx, w.kept)
}

// load reads the book, once. The caller holds the lock.
func (w *Warmer) load(ctx context.Context) error {
	if w.read {
		return nil
	}
	kept, err := w.opt.Book.Load(ctx)
	w.kept, w.read = kept, err == nil
	return err
}

func added(to []privacy.LedgerEntry, e privacy.LedgerEntry) []privacy.LedgerEntry {
	for i := range to {
		if to[i].Host == e.Host && to[i].Purpose == e.Purpose {
			to[i].BytesOut += e.BytesOut
			to[i].BytesIn += e.BytesIn
			to[i].Requests += e.Requests
			return to
		}
	}
	return append(to, e)
}

// Opened lists what was opened since a run last took it.
func (w *Warmer) Opened(ctx context.Context) ([]privacy.LedgerEntry, error) {
	w.book.Lock()
	defer w.book.Unlock()
	err := w.load(ctx)
	return slices.Clone(w.kept), err
}

// TakeOpened gives the same to the ledger of a run, and forgets it.
func (w *Warmer) TakeOpened(ctx context.Context) ([]privacy.LedgerEntry, error) {
	w.book.Lock()
	defer w.book.Unlock()
	if err := w.load(ctx); err != nil || len(w.kept) == 0 {
		return nil, err
	}
	if err := w.opt.Book.Save(ctx, nil); err != nil {
		return nil, err
	}
	entries := w.kept
	w.kept = nil
	return entries, nil
}
