package refresh

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Config is what a refresher works with.
type Config struct {
	Engine *answer.Engine
	Store  Store
	// Renew has files read again that have changed; nil: they are taken as they are.
	Renew func(ctx context.Context, paths []string) error
	// Stirs yields when files were read anew or are gone; nil: nobody tells.
	Stirs func(ctx context.Context) iter.Seq[struct{}]
	// Tell is called when a check begins or ends; nil: nobody listens.
	Tell func(News)
	Now  func() time.Time
	Log  *slog.Logger
}

const (
	settleTime = 5 * time.Second  // without news of files, before they are looked at
	settleMost = time.Minute      // after the first news
	lookEvery  = 2 * time.Minute  // at the files, of which those read for one question stand in no watched folder
	napMost    = 30 * time.Minute // timers stand still while the computer sleeps
	renewMost  = 5 * time.Minute  // for changed files to be read
	stopMost   = 10 * time.Second // for a check to end that gives way
)

// retries is how long the refresher waits after each failure in a row; then it gives
// up.
var retries = []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour}

// Refresher keeps answers fresh: it asks their questions again when they are due, one
// at a time and while no person's question is being answered. Its verbs work
// whether it runs or not. Safe for concurrent use.
type Refresher struct {
	Config
	wake chan struct{}

	mu       sync.Mutex
	stop     context.CancelFunc // nil before Start
	running  sync.WaitGroup
	checking contract.RunID // the subscription that is asked just now
	look     time.Time
	first    time.Time // news of files that nobody has looked after yet
}

// New makes a refresher that does nothing by itself before Start.
func New(c Config) *Refresher {
	return &Refresher{Config: c, wake: make(chan struct{}, 1)}
}

// Start has the refresher run until ctx ends or Close is called. Further calls do
// nothing.
func (r *Refresher) Start(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		return
	}
	ctx, r.stop = context.WithCancel(ctx)
	r.look = r.Now()
	r.running.Go(func() { r.run(ctx) })
	if r.Stirs != nil {
		r.running.Go(func() { r.listen(ctx) })
	}
}

// Runs reports whether the refresher was started.
func (r *Refresher) Runs() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop != nil
}

// Close ends the refresher, and a check that is going on: it is made again by the
// next one.
func (r *Refresher) Close(ctx context.Context) error {
	r.mu.Lock()
	stop := r.stop
	r.mu.Unlock()
	if stop == nil {
		return nil
	}
	stop()
	done := make(chan struct{})
	go func() { r.running.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake has the refresher look at once what is due.
func (r *Refresher) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *Refresher) listen(ctx context.Context) {
	for range r.Stirs(ctx) {
		now := r.Now()
		r.mu.Lock()
		if r.first.IsZero() {
			r.first = now
		}
		r.look = now.Add(settleTime)
		if latest := r.first.Add(settleMost); r.look.After(latest) {
			r.look = latest
		}
		r.mu.Unlock()
		r.Wake()
	}
}

func (r *Refresher) run(ctx context.Context) {
	if err := r.Store.SweepChecks(ctx); err != nil && ctx.Err() == nil {
		r.Log.Error("see to checks that broke off", "err", err)
	}
	for ctx.Err() == nil {
		wait, err := r.round(ctx)
		if err != nil && ctx.Err() == nil {
			r.Log.Error("keep answers fresh", "err", err)
			wait = settleMost
		}
		if !r.sleep(ctx, wait) {
			return
		}
	}
}

// sleep waits for a while, a negative one without end, or until the refresher is
// woken. It returns false when ctx ended.
func (r *Refresher) sleep(ctx context.Context, wait time.Duration) bool {
	var late <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(min(wait, napMost))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-late:
	case <-r.wake:
	case <-ctx.Done():
		return false
	}
	return true
}

// round looks at files where it is time to, makes the check that is longest due,
// and tells how long there is nothing to do; negative: until woken.
func (r *Refresher) round(ctx context.Context) (time.Duration, error) {
	if err := r.lookAtFiles(ctx); err != nil {
		return 0, err
	}
	all, err := r.Store.Subscriptions(ctx, "")
	if err != nil {
		return 0, err
	}
	watches := slices.ContainsFunc(all, func(s Subscription) bool { return s.OnChange && !s.Paused })
	due := slices.DeleteFunc(all, func(s Subscription) bool { return s.Due == nil || s.Paused })
	slices.SortFunc(due, func(a, b Subscription) int { return cmp.Or(a.Due.Compare(*b.Due), cmp.Compare(a.Run, b.Run)) })
	now := r.Now()
	if len(due) > 0 && !due[0].Due.After(now) {
		return 0, r.check(ctx, due[0])
	}
	wait := time.Duration(-1)
	if len(due) > 0 {
		wait = due[0].Due.Sub(now)
	}
	if look := r.nextLook().Sub(now); watches && (wait < 0 || look < wait) {
		wait = max(0, look)
	}
	return wait, nil
}

func (r *Refresher) nextLook() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.look
}

// lookAtFiles makes those answers due whose files say something else than when
// they were last checked.
func (r *Refresher) lookAtFiles(ctx context.Context) error {
	now := r.Now()
	r.mu.Lock()
	if r.look.After(now) {
		r.mu.Unlock()
		return nil
	}
	r.look, r.first = now.Add(lookEvery), time.Time{}
	r.mu.Unlock()
	all, err := r.Store.Subscriptions(ctx, "")
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.OnChange && !s.Paused && s.Failures == 0 {
			if err := r.lookAt(ctx, s, now); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Refresher) lookAt(ctx context.Context, s Subscription, now time.Time) error {
	seen, err := r.lastSeen(ctx, s)
	if err != nil {
		return forgiven(err)
	}
	paths := slices.Sorted(maps.Keys(seen))
	r.renew(ctx, s.Run, paths)
	digests, err := r.Store.FileDigests(ctx, paths)
	if err != nil {
		return err
	}
	for path, digest := range digests {
		if digest == seen[path] {
			continue
		}
		r.Log.Info("a file of an answer that is kept fresh has changed", "run", s.Run, "path", path)
		return forgiven(r.Store.EditSubscription(ctx, s.Run, func(s *Subscription) {
			if s.Due == nil || s.Due.After(now) {
				s.Due = &now
			}
		}))
	}
	return nil
}

// lastSeen are the files of a subscription with the digests they had when its
// answer was last checked, or given.
func (r *Refresher) lastSeen(ctx context.Context, s Subscription) (map[string]string, error) {
	run, err := r.Store.Freshest(ctx, s.Run)
	if err != nil {
		return nil, err
	}
	if s.Checked != nil && (run.Ended == nil || !run.Ended.After(*s.Checked)) {
		return s.Files, nil
	}
	return r.cited(ctx, run)
}

// renew has changed files read; what cannot be is compared as it was read.
func (r *Refresher) renew(ctx context.Context, run contract.RunID, paths []string) {
	if r.Renew == nil || len(paths) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, renewMost)
	defer cancel()
	if err := r.Renew(ctx, paths); err != nil && !errors.Is(err, context.Canceled) {
		r.Log.Warn("read files again before their answer is checked", "run", run, "err", err)
	}
}

// forgiven forgives that an answer is not kept fresh any more.
func forgiven(err error) error {
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}

// quiet waits until no person's question is being answered.
func (r *Refresher) quiet(ctx context.Context) error {
	for {
		quiet, changed := r.Engine.Quiet()
		if quiet {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
