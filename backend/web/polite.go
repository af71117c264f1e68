package web

import (
	"context"
	"sync"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
)

// PoliteOptions pace the queries to one host. Interval is the least time
// between the starts of two; it varies by a quarter, so that the rhythm is no
// machine's. Random gives numbers in [0,1).
type PoliteOptions struct {
	Interval time.Duration
	Now      func() time.Time
	Random   func() float64
}

// Polite sends one query at a time to an engine and keeps an interval between
// two. Waiting ends with the context, whose error it then gives.
type Polite struct {
	opt  PoliteOptions
	next gather.Finder
	turn chan struct{}

	mu   sync.Mutex
	free time.Time
}

// NewPolite paces an engine.
func NewPolite(next gather.Finder, opt PoliteOptions) *Polite {
	return &Polite{opt: opt, next: next, turn: make(chan struct{}, 1)}
}

// Find waits for its turn and asks.
func (p *Polite) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := wait(ctx, p.reserve()); err != nil {
		return nil, err
	}
	return p.next.Find(ctx, q)
}

// reserve gives the time to wait and books the next start.
func (p *Polite) reserve() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.opt.Now()
	start := now
	if p.free.After(now) {
		start = p.free
	}
	jitter := 0.75 + 0.5*p.opt.Random()
	p.free = start.Add(time.Duration(float64(p.opt.Interval) * jitter))
	return start.Sub(now)
}

func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
