package web

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// EngineState is what is known of an engine's willingness. It survives a
// restart, except Off.
type EngineState struct {
	Blocks      int       `json:"blocks"`         // refusals in a row
	Until       time.Time `json:"until,omitzero"` // suspended until
	Reason      string    `json:"reason,omitempty"`
	LastSuccess time.Time `json:"last_success,omitzero"`
	Off         bool      `json:"-"` // a refused or empty key: off until the program ends
}

// EngineStates keeps the states over restarts, by engine name. Load gives the
// zero state for an unknown engine.
type EngineStates interface {
	Load(ctx context.Context, engine string) (EngineState, error)
	Save(ctx context.Context, engine string, state EngineState) error
}

// BreakerOptions make a breaker. The limits give [web.breaker] as it is now;
// States nil keeps the state in memory only.
type BreakerOptions struct {
	Name   string
	Limits func() BreakerLimits
	States EngineStates
	Now    func() time.Time
	Log    *slog.Logger
}

// BreakerLimits say when an engine is left alone and for how long. The zero
// value means the defaults: 2, 5 min, 5 min, 10 min.
type BreakerLimits struct {
	Blocks    int
	Forbidden time.Duration // after 403
	TooMany   time.Duration // after 429 without Retry-After
	Max       time.Duration // the longest Retry-After that is obeyed
}

const captchaRest = time.Hour

func (l BreakerLimits) filled() BreakerLimits {
	if l.Blocks <= 0 {
		l.Blocks = 2
	}
	for d, standard := range map[*time.Duration]time.Duration{&l.Forbidden: 5 * time.Minute, &l.TooMany: 5 * time.Minute, &l.Max: 10 * time.Minute} {
		if *d <= 0 {
			*d = standard
		}
	}
	return l
}

// Breaker leaves an engine alone after it refused several times in a row. While
// it rests, Find fails at once with search-blocked and the time of the end.
type Breaker struct {
	opt  BreakerOptions
	next gather.Finder

	mu     sync.Mutex
	loaded bool
	state  EngineState
	noted  time.Time // when the store last heard of a success
}

// NewBreaker puts a breaker before an engine.
func NewBreaker(next gather.Finder, opt BreakerOptions) *Breaker {
	if opt.Limits == nil {
		opt.Limits = func() BreakerLimits { return BreakerLimits{} }
	}
	return &Breaker{opt: opt, next: next}
}

// Find asks the engine unless it rests.
func (b *Breaker) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	if err := b.resting(ctx); err != nil {
		return nil, err
	}
	leads, err := b.next.Find(ctx, q)
	b.judge(ctx, err)
	return leads, err
}

// State is what is known of the engine now, for the reader of the settings.
func (b *Breaker) State(ctx context.Context) EngineState {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load(ctx)
	b.state.Until = b.clamped(b.state.Until)
	return b.state
}

// Usable reports whether the engine would be asked now.
func (b *Breaker) Usable(ctx context.Context) bool { return b.resting(ctx) == nil }

func (b *Breaker) resting(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.load(ctx)
	b.state.Until = b.clamped(b.state.Until)
	switch {
	case b.state.Off:
		return fault.New(fault.SearchBlocked, b.state.Reason, "Enter a valid key in the settings.").With("engine", b.opt.Name)
	case b.opt.Now().Before(b.state.Until):
		until := b.state.Until.In(b.opt.Now().Location()).Format("15:04")
		return fault.New(fault.SearchBlocked, b.opt.Name+" rests until "+until+": "+b.state.Reason, "Wait, or use another search engine.").
			With("engine", b.opt.Name).With("until", b.state.Until.UTC().Format(time.RFC3339))
	}
	return nil
}

// clamped is the end of a rest that is no longer than any rest: a clock that ran
// ahead when it began, and was set right since, rests no engine for years.
func (b *Breaker) clamped(until time.Time) time.Time {
	limits := b.opt.Limits().filled()
	latest := b.opt.Now().Add(max(captchaRest, limits.Forbidden, limits.TooMany, limits.Max)).UTC()
	if until.After(latest) {
		return latest
	}
	return until
}

// load reads the kept state once; a failure to read is an engine without one.
func (b *Breaker) load(ctx context.Context) {
	if b.loaded || b.opt.States == nil {
		return
	}
	state, err := b.opt.States.Load(ctx, b.opt.Name)
	if err != nil {
		if ctx.Err() == nil {
			b.loaded = true
			b.opt.Log.Warn("load engine state", "engine", b.opt.Name, "err", err)
		}
		return
	}
	state.Off = false // a new start tries the key again
	b.loaded, b.state = true, state
}

func (b *Breaker) judge(ctx context.Context, err error) {
	var block *Block
	if err != nil && !errors.As(err, &block) {
		return // time-outs and failures are no refusals
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		if !b.succeeded() {
			return
		}
	} else {
		b.refused(block, fault.Of(err).Message)
	}
	if b.opt.States == nil {
		return
	}
	if err := b.opt.States.Save(context.WithoutCancel(ctx), b.opt.Name, b.state); err != nil {
		b.opt.Log.Warn("save engine state", "engine", b.opt.Name, "err", err)
	}
}

// noteEvery is how often the store hears that an engine goes on well.
const noteEvery = time.Minute

// succeeded notes a success and reports whether it is news to the store.
func (b *Breaker) succeeded() bool {
	before, now := b.state, b.opt.Now().UTC()
	b.state = EngineState{LastSuccess: now}
	if before.Blocks == 0 && before.Until.IsZero() && !before.Off && now.Sub(b.noted) < noteEvery {
		return false
	}
	b.noted = now
	return true
}

func (b *Breaker) refused(block *Block, reason string) {
	limits := b.opt.Limits().filled()
	b.state.Blocks++
	b.state.Reason = reason
	if block.Why == BlockAuth || block.Why == BlockCredit {
		b.state.Off = true
		return
	}
	if b.state.Blocks < limits.Blocks {
		return
	}
	rest := limits.Forbidden
	switch block.Why {
	case BlockCaptcha:
		rest = captchaRest
	case BlockTooMany:
		if rest = limits.TooMany; block.RetryAfter > 0 {
			rest = block.RetryAfter
		}
		rest = min(rest, limits.Max)
	}
	b.state.Until = b.opt.Now().Add(rest).UTC()
}
