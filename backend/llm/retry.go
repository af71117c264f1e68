package llm

import (
	"context"
	"errors"
	"iter"
	"time"
)

// RetryPolicy says how often and how patiently a call is repeated.
type RetryPolicy struct {
	Tries   int           // in all; 0 means 3
	MaxWait time.Duration // a server that asks for more is not waited for; 0 means 60 s
	Pause   time.Duration // before the second try when the server names none, doubled each time; 0 means 1 s
}

const dropPause = 250 * time.Millisecond

// Retry repeats calls that were refused for the moment: status 429 and 5xx up to
// the policy's tries, a connection lost before the first delta once. Nothing is
// repeated after a delta was yielded. A cancelled context ends a wait at once.
// The decorated model offers Stream alone.
func Retry(model Model, policy RetryPolicy) Model {
	return &retrying{model, policy.filled()}
}

// filled replaces zero values by the default ones.
func (p RetryPolicy) filled() RetryPolicy {
	if p.Tries <= 0 {
		p.Tries = 3
	}
	if p.MaxWait <= 0 {
		p.MaxWait = time.Minute
	}
	if p.Pause <= 0 {
		p.Pause = time.Second
	}
	return p
}

// do repeats what was refused for the moment, as Retry does.
func (p RetryPolicy) do(ctx context.Context, once func() error) error {
	p = p.filled()
	for try := 1; ; try++ {
		err := once()
		if err == nil {
			return nil
		}
		wait, again := p.after(err, try)
		if !again || ctx.Err() != nil {
			return err
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

type retrying struct {
	model  Model
	policy RetryPolicy
}

// Stream implements Model.
func (r *retrying) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for try := 1; ; try++ {
			begun, err := r.once(ctx, call, yield)
			if err == nil {
				return
			}
			wait, again := r.policy.after(err, try)
			if begun || !again || ctx.Err() != nil {
				yield(Delta{}, err)
				return
			}
			if err := sleep(ctx, wait); err != nil {
				yield(Delta{}, err)
				return
			}
		}
	}
}

// once passes one attempt on. An error is returned instead of yielded; a
// listener that left ends the attempt without one.
func (r *retrying) once(ctx context.Context, call Call, yield func(Delta, error) bool) (begun bool, err error) {
	for delta, err := range r.model.Stream(ctx, call) {
		if err != nil {
			return begun, err
		}
		begun = true
		if !yield(delta, nil) {
			return begun, nil
		}
	}
	return begun, nil
}

// after tells how long to wait before the next try, if there is one.
func (p RetryPolicy) after(err error, try int) (time.Duration, bool) {
	if try >= p.Tries {
		return 0, false
	}
	var status *StatusError
	switch {
	case errors.As(err, &status):
		if !status.retryable() || status.RetryAfter > p.MaxWait {
			return 0, false
		}
		return max(status.RetryAfter, p.pause(try, status.RetryAfter)), true
	case errors.Is(err, ErrDropped):
		return dropPause, try == 1
	}
	return 0, false
}

func (p RetryPolicy) pause(try int, named time.Duration) time.Duration {
	if named > 0 {
		return 0
	}
	return min(p.Pause<<(try-1), p.MaxWait)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
