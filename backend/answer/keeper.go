package answer

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

	"footnote/backend/fault"
)

// KeeperConfig is what a keeper works with.
type KeeperConfig struct {
	Engine    *Engine
	Standings Standings
	// Renew has files read again that have changed; nil: they are taken as they are.
	Renew func(ctx context.Context, paths []string) error
	// Stirs yields when files were read anew or are gone; nil: nobody tells.
	Stirs func(ctx context.Context) iter.Seq[struct{}]
	// Tell is called when a check begins or ends; nil: nobody listens.
	Tell func(FreshNews)
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

// retries is how long the keeper waits after each failure in a row; then it gives
// up.
var retries = []time.Duration{5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour}

// Keeper keeps answers fresh: it asks their questions again when they are due, one
// at a time and while no person's question is being answered. Its verbs work
// whether it runs or not. Safe for concurrent use.
type Keeper struct {
	KeeperConfig
	wake chan struct{}

	mu       sync.Mutex
	stop     context.CancelFunc // nil before Start
	running  sync.WaitGroup
	checking RunID // the standing question that is asked just now
	look     time.Time
	first    time.Time // news of files that nobody has looked after yet
}

// NewKeeper makes a keeper that does nothing by itself before Start.
func NewKeeper(c KeeperConfig) *Keeper {
	return &Keeper{KeeperConfig: c, wake: make(chan struct{}, 1)}
}

// Start has the keeper run until ctx ends or Close is called. Further calls do
// nothing.
func (k *Keeper) Start(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop != nil {
		return
	}
	ctx, k.stop = context.WithCancel(ctx)
	k.look = k.Now()
	k.running.Go(func() { k.run(ctx) })
	if k.Stirs != nil {
		k.running.Go(func() { k.listen(ctx) })
	}
}

// Runs reports whether the keeper was started.
func (k *Keeper) Runs() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.stop != nil
}

// Close ends the keeper, and a check that is going on: it is made again by the
// next one.
func (k *Keeper) Close(ctx context.Context) error {
	k.mu.Lock()
	stop := k.stop
	k.mu.Unlock()
	if stop == nil {
		return nil
	}
	stop()
	done := make(chan struct{})
	go func() { k.running.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake has the keeper look at once what is due.
func (k *Keeper) Wake() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *Keeper) listen(ctx context.Context) {
	for range k.Stirs(ctx) {
		now := k.Now()
		k.mu.Lock()
		if k.first.IsZero() {
			k.first = now
		}
		k.look = now.Add(settleTime)
		if latest := k.first.Add(settleMost); k.look.After(latest) {
			k.look = latest
		}
		k.mu.Unlock()
		k.Wake()
	}
}

func (k *Keeper) run(ctx context.Context) {
	if err := k.Standings.SweepChecks(ctx); err != nil && ctx.Err() == nil {
		k.Log.Error("see to checks that broke off", "err", err)
	}
	for ctx.Err() == nil {
		wait, err := k.round(ctx)
		if err != nil && ctx.Err() == nil {
			k.Log.Error("keep answers fresh", "err", err)
			wait = settleMost
		}
		if !k.sleep(ctx, wait) {
			return
		}
	}
}

// sleep waits for a while, a negative one without end, or until the keeper is
// woken. It returns false when ctx ended.
func (k *Keeper) sleep(ctx context.Context, wait time.Duration) bool {
	var late <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(min(wait, napMost))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-late:
	case <-k.wake:
	case <-ctx.Done():
		return false
	}
	return true
}

// round looks at files where it is time to, makes the check that is longest due,
// and tells how long there is nothing to do; negative: until woken.
func (k *Keeper) round(ctx context.Context) (time.Duration, error) {
	if err := k.lookAtFiles(ctx); err != nil {
		return 0, err
	}
	all, err := k.Standings.Standing(ctx, "")
	if err != nil {
		return 0, err
	}
	watches := slices.ContainsFunc(all, func(s Standing) bool { return s.OnChange && !s.Paused })
	due := slices.DeleteFunc(all, func(s Standing) bool { return s.Due == nil || s.Paused })
	slices.SortFunc(due, func(a, b Standing) int { return cmp.Or(a.Due.Compare(*b.Due), cmp.Compare(a.Run, b.Run)) })
	now := k.Now()
	if len(due) > 0 && !due[0].Due.After(now) {
		return 0, k.check(ctx, due[0])
	}
	wait := time.Duration(-1)
	if len(due) > 0 {
		wait = due[0].Due.Sub(now)
	}
	if look := k.nextLook().Sub(now); watches && (wait < 0 || look < wait) {
		wait = max(0, look)
	}
	return wait, nil
}

func (k *Keeper) nextLook() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.look
}

// lookAtFiles makes those answers due whose files say something else than when
// they were last checked.
func (k *Keeper) lookAtFiles(ctx context.Context) error {
	now := k.Now()
	k.mu.Lock()
	if k.look.After(now) {
		k.mu.Unlock()
		return nil
	}
	k.look, k.first = now.Add(lookEvery), time.Time{}
	k.mu.Unlock()
	all, err := k.Standings.Standing(ctx, "")
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.OnChange && !s.Paused && s.Failures == 0 {
			if err := k.lookAt(ctx, s, now); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *Keeper) lookAt(ctx context.Context, s Standing, now time.Time) error {
	seen, err := k.lastSeen(ctx, s)
	if err != nil {
		return forgiven(err)
	}
	paths := slices.Sorted(maps.Keys(seen))
	k.renew(ctx, s.Run, paths)
	digests, err := k.Standings.FileDigests(ctx, paths)
	if err != nil {
		return err
	}
	for path, digest := range digests {
		if digest == seen[path] {
			continue
		}
		k.Log.Info("a file of an answer that is kept fresh has changed", "run", s.Run, "path", path)
		return forgiven(k.Standings.EditStanding(ctx, s.Run, func(s *Standing) {
			if s.Due == nil || s.Due.After(now) {
				s.Due = &now
			}
		}))
	}
	return nil
}

// lastSeen are the files of a standing question with the digests they had when its
// answer was last checked, or given.
func (k *Keeper) lastSeen(ctx context.Context, s Standing) (map[string]string, error) {
	run, err := k.Standings.Freshest(ctx, s.Run)
	if err != nil {
		return nil, err
	}
	if s.Checked != nil && (run.Ended == nil || !run.Ended.After(*s.Checked)) {
		return s.Files, nil
	}
	return k.cited(ctx, run)
}

// renew has changed files read; what cannot be is compared as it was read.
func (k *Keeper) renew(ctx context.Context, run RunID, paths []string) {
	if k.Renew == nil || len(paths) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, renewMost)
	defer cancel()
	if err := k.Renew(ctx, paths); err != nil && !errors.Is(err, context.Canceled) {
		k.Log.Warn("read files again before their answer is checked", "run", run, "err", err)
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
func (k *Keeper) quiet(ctx context.Context) error {
	for {
		quiet, changed := k.Engine.Quiet()
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
