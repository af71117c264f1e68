package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"footnote/backend/fault"
)

const jobsKept = 100 // ended ones, for readers that come late

// JobEvent tells how a job stands. The kinds are pulling, done and failed; the
// last two end it.
type JobEvent struct {
	Job  string    `json:"job"`
	Seq  int       `json:"seq"`
	At   time.Time `json:"at"`
	Kind string    `json:"kind"`
	Body any       `json:"body"`
}

// Ended reports whether nothing follows.
func (e JobEvent) Ended() bool { return e.Kind == "done" || e.Kind == "failed" }

// jobs are works that outlast the request that began them. The zero value is
// ready.
type jobs struct {
	mu  sync.Mutex
	all map[string]*job
}

// job is one of them. Only its latest event is kept: an older one says nothing
// that it does not.
type job struct {
	stop context.CancelFunc

	mu      sync.Mutex
	last    JobEvent
	changed chan struct{} // closed with each event
}

// start runs work in a job of its own and gives its id. What work yields is told
// as events of a kind.
func (j *jobs) start(ctx context.Context, kind string, work func(context.Context) iter.Seq2[any, error]) string {
	var b [16]byte
	rand.Read(b[:]) // never fails (crypto/rand, Go 1.24)
	id := "job_" + hex.EncodeToString(b[:])
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	made := &job{stop: stop, last: JobEvent{Job: id}, changed: make(chan struct{})}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.all == nil {
		j.all = map[string]*job{}
	}
	j.forget()
	j.all[id] = made
	go func() {
		defer stop()
		made.run(ctx, kind, work)
	}()
	return id
}

func (j *job) run(ctx context.Context, kind string, work func(context.Context) iter.Seq2[any, error]) {
	for body, err := range work(ctx) {
		switch {
		case ctx.Err() != nil:
			err = fault.New(fault.Interrupted, "The job was stopped.", "Start it again; what was fetched is kept.")
			fallthrough
		case err != nil:
			j.tell("failed", FailureOf(err))
			return
		}
		j.tell(kind, body)
	}
	j.tell("done", struct{}{})
}

func (j *job) tell(kind string, body any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = JobEvent{Job: j.last.Job, Seq: j.last.Seq + 1, At: time.Now().UTC(), Kind: kind, Body: body}
	close(j.changed)
	j.changed = make(chan struct{})
}

func (j *job) state() (JobEvent, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last, j.changed
}

// forget drops the oldest ended jobs when there are too many. The caller holds
// the lock.
func (j *jobs) forget() {
	ended := slices.Collect(maps.Keys(j.all))
	at := func(id string) time.Time { last, _ := j.all[id].state(); return last.At }
	ended = slices.DeleteFunc(ended, func(id string) bool { last, _ := j.all[id].state(); return !last.Ended() })
	slices.SortFunc(ended, func(a, b string) int { return at(a).Compare(at(b)) })
	for _, id := range ended[:max(0, len(ended)-jobsKept)] {
		delete(j.all, id)
	}
}

func (j *jobs) find(id string) (*job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if found := j.all[id]; found != nil {
		return found, nil
	}
	return nil, fault.New(fault.NotFound, "There is no such job.", "Jobs are forgotten when Footnote ends.")
}

// Jobs are works that outlast the request that began them.
type Jobs struct{ *Rooms }

// Stop ends a job; one that has ended stays as it is.
func (s Jobs) Stop(_ context.Context, in ID) (Nothing, error) {
	found, err := s.jobs.find(in.ID)
	if err == nil {
		found.stop()
	}
	return Nothing{}, err
}

// StopAll ends all jobs: the program is closing.
func (s Jobs) StopAll() {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	for _, j := range s.jobs.all {
		j.stop()
	}
}

// EventsOf names a thing and the last event of it that was seen.
type EventsOf struct {
	ID    string `path:"id"`
	After int    `after:""`
}

// Follow tells how a job stands after an event, then each change until it or the
// context ends. A reader that is slow sees the latest state, not each one.
func (s Jobs) Follow(_ context.Context, in EventsOf) (Stream, error) {
	found, err := s.jobs.find(in.ID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) iter.Seq2[Told, error] {
		return func(yield func(Told, error) bool) { found.tellTo(ctx, in.After, yield) }
	}, nil
}

func (j *job) tellTo(ctx context.Context, after int, yield func(Told, error) bool) {
	for {
		last, changed := j.state()
		if last.Seq > after {
			after = last.Seq
			if !yield(Told{last.Seq, last.Kind, last}, nil) {
				return
			}
		}
		if last.Ended() {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
