package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
)

const recalled = 128 // answers kept per engine

// Recall remembers an engine's answers for some minutes, so that the same
// query is not sent twice. Failures and empty answers are not remembered.
type Recall struct {
	next gather.Finder
	ttl  time.Duration
	now  func() time.Time

	mu   sync.Mutex
	kept map[string]recall
}

type recall struct {
	leads []evidence.Lead
	until time.Time
}

// NewRecall remembers an engine's answers for ttl.
func NewRecall(next gather.Finder, ttl time.Duration, now func() time.Time) *Recall {
	return &Recall{next: next, ttl: ttl, now: now, kept: map[string]recall{}}
}

// Find answers from memory or, where what is asked shall be fresh, asks.
func (r *Recall) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	key := fmt.Sprint(q)
	if leads, ok := r.get(key); ok && !answer.Fresh(ctx) {
		return leads, nil
	}
	leads, err := r.next.Find(ctx, q)
	if err == nil && len(leads) > 0 {
		r.put(key, leads)
	}
	return leads, err
}

func (r *Recall) get(key string) ([]evidence.Lead, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.kept[key]
	if !ok || !r.now().Before(k.until) {
		delete(r.kept, key)
		return nil, false
	}
	return slices.Clone(k.leads), true
}

func (r *Recall) put(key string, leads []evidence.Lead) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept) >= recalled {
		clear(r.kept)
	}
	r.kept[key] = recall{slices.Clone(leads), r.now().Add(r.ttl)}
}

// Retry asks an engine again after a failure that may pass: twice at most by
// default, after a wait that doubles. Refusals, time-outs and being offline are
// not retried; the context ends a wait at once.
type Retry struct {
	next  gather.Finder
	tries func() (retries int, first time.Duration)
}

// NewRetry retries an engine; tries gives web.retries and web.retry_ms as they
// are now.
func NewRetry(next gather.Finder, tries func() (retries int, first time.Duration)) *Retry {
	return &Retry{next: next, tries: tries}
}

// Find asks until there is an answer or no try is left.
func (r *Retry) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	retries, pause := r.tries()
	for {
		leads, err := r.next.Find(ctx, q)
		var may *passing
		if !errors.As(err, &may) || retries <= 0 || wait(ctx, pause) != nil {
			return leads, err
		}
		retries, pause = retries-1, 2*pause
	}
}
