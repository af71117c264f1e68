package journal

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

const (
	queueLimit = 16               // runs that may wait for a free place
	unkeptRuns = 16               // ended runs in no journal that can still be followed: who asked follows a moment later
	quietTime  = 15 * time.Second // without a run, before it counts as rest
)

// Runs are the runs of one engine that are in progress, some of them at work and
// the others waiting for a place, and the last ones that ended and are in no
// journal: private ones, and those of a full disk. Safe for concurrent use.
type Runs struct {
	ctx    context.Context // of the work
	quit   context.CancelFunc
	atRest func(context.Context)
	places chan struct{}
	work   sync.WaitGroup

	mu      sync.Mutex
	live    map[contract.RunID]*Live
	unkept  []*Live       // oldest first
	resting *time.Timer   // runs until atRest is due
	changed chan struct{} // closed and replaced when a run begins or ends
}

// NewRuns makes room for runs, of which atOnce are at work at the same time. atRest
// is called when none has been in progress for a while; it may be nil.
func NewRuns(atOnce int, atRest func(context.Context)) *Runs {
	ctx, quit := context.WithCancel(context.Background())
	return &Runs{ctx: ctx, quit: quit, atRest: atRest, places: make(chan struct{}, max(1, atOnce)), live: map[contract.RunID]*Live{}, changed: make(chan struct{})}
}

// Reserve takes a place in the queue, which Start or Release gives back. The fault
// is busy: too many wait, or Close was called.
func (r *Runs) Reserve() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return fault.New(fault.Busy, "Footnote is shutting down.", "Start it again.")
	}
	if len(r.live) >= cap(r.places)+queueLimit {
		return fault.New(fault.Busy, "Too many questions are being answered.", "Wait for one of them to end.")
	}
	r.work.Add(1)
	return nil
}

// Release gives back a place that no run was started in.
func (r *Runs) Release() { r.work.Done() }

// Start has a run conducted in a goroutine of its own, once a place is free, and is
// done with it when conduct returns. Reserve comes before it.
func (r *Runs) Start(l *Live, conduct func(context.Context, *Live)) {
	ctx, stop := context.WithCancel(r.ctx)
	l.Stop = stop
	r.mu.Lock()
	r.live[l.Run.ID] = l
	r.stirred()
	r.mu.Unlock()
	go func() {
		defer r.work.Done()
		defer func() {
			stop()
			r.end(l)
			close(l.Done)
		}()
		select {
		case r.places <- struct{}{}:
			defer func() { <-r.places }()
		case <-ctx.Done():
		}
		conduct(ctx, l)
	}()
}

func (r *Runs) end(l *Live) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, l.Run.ID)
	r.stirred()
	if !l.Journaled() {
		r.unkept = append(r.unkept, l)
		r.unkept = r.unkept[max(0, len(r.unkept)-unkeptRuns):]
	}
}

// Find is a run in progress, or one that ended and is in no journal; nil for any
// other.
func (r *Runs) Find(id contract.RunID) *Live {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.live[id]; l != nil {
		return l
	}
	if at := slices.IndexFunc(r.unkept, func(l *Live) bool { return l.Run.ID == id }); at >= 0 {
		return r.unkept[at]
	}
	return nil
}

// InProgress names the runs that have not ended, of those that are wanted.
func (r *Runs) InProgress(wanted func(*Live) bool) (ids []contract.RunID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, l := range r.live {
		if wanted(l) && !l.Over() {
			ids = append(ids, id)
		}
	}
	return ids
}

// Private are the runs of a private thread, in progress or ended, oldest first.
func (r *Runs) Private(thread contract.ThreadID) []*Live {
	r.mu.Lock()
	all := slices.AppendSeq(slices.Clone(r.unkept), maps.Values(r.live))
	r.mu.Unlock()
	all = slices.DeleteFunc(all, func(l *Live) bool { return l.Run.Thread != thread || !l.Run.Question.Private })
	slices.SortStableFunc(all, func(a, b *Live) int { return a.Run.Started.Compare(b.Run.Started) })
	return all
}

// Quiet reports whether no person's question is being answered, and gives a
// channel that is closed when runs begin or end.
func (r *Runs) Quiet() (quiet bool, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	quiet = true
	for _, l := range r.live {
		quiet = quiet && (l.Run.Question.Aside || l.Over())
	}
	return quiet, r.changed
}

// Close halts every run, takes no more, and waits for their ends, or for ctx.
func (r *Runs) Close(ctx context.Context) error {
	r.mu.Lock()
	running := slices.Collect(maps.Values(r.live))
	r.mu.Unlock()
	for _, l := range running {
		l.Halt("shutdown") // before quit: a run is to know why it ends
	}
	r.quit()
	done := make(chan struct{})
	go func() { r.work.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stirred wakes who waits for Quiet, as a run has begun or ended, and has atRest
// called in a while where none is in progress; r is locked.
func (r *Runs) stirred() {
	close(r.changed)
	r.changed = make(chan struct{})
	if r.atRest == nil {
		return
	}
	if r.resting != nil {
		r.resting.Stop()
	}
	if len(r.live) == 0 && r.ctx.Err() == nil {
		r.resting = time.AfterFunc(quietTime, r.rest)
	}
}

// rest is part of the work that Close waits for.
func (r *Runs) rest() {
	r.mu.Lock()
	busy := len(r.live) > 0 || r.ctx.Err() != nil
	if !busy {
		r.work.Add(1)
	}
	r.mu.Unlock()
	if !busy {
		defer r.work.Done()
		r.atRest(r.ctx)
	}
}
