package answer

import (
	"cmp"
	"context"
	"iter"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/fault"
)

// Follow gives the events of a run after a number: replay first, then live,
// nothing lost or repeated, ending after the last event. It waits for new
// events until ctx ends. An unknown run is a fault not-found.
func (e *Engine) Follow(ctx context.Context, id contract.RunID, after int) iter.Seq2[contract.Event, error] {
	return func(yield func(contract.Event, error) bool) {
		l := e.runs.Find(id)
		if l == nil {
			e.replay(ctx, id, after, yield)
			return
		}
		for {
			events, changed := l.Since(after)
			if hidden, err := e.withheld(ctx, id); hidden || err != nil {
				yield(contract.Event{}, cmp.Or(err, withdrawn()))
				return
			}
			for _, ev := range events {
				if !yield(ev, nil) {
					return
				}
				after = ev.Seq
			}
			if changed == nil {
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				yield(contract.Event{}, ctx.Err())
				return
			}
		}
	}
}

// replay tells what the journal has of a run that is not in progress here. One that
// another process is at work on is followed there, as it is written.
func (e *Engine) replay(ctx context.Context, id contract.RunID, after int, yield func(contract.Event, error) bool) {
	for first := true; ; first = false {
		goesOn, err := e.elsewhere(ctx, id)
		events, since := e.Journal.Since(ctx, id, 0)
		if err = cmp.Or(err, since); err == nil && len(events) == 0 && first && !goesOn {
			err = NoSuchRun()
		}
		if err != nil {
			yield(contract.Event{}, err)
			return
		}
		for _, ev := range events {
			if ev.Seq <= after {
				continue
			}
			if !yield(ev, nil) {
				return
			}
			after = ev.Seq
		}
		if !goesOn || len(events) > 0 && events[len(events)-1].Kind.Terminal() {
			return
		}
		select {
		case <-time.After(elsewherePause):
		case <-ctx.Done():
			yield(contract.Event{}, ctx.Err())
			return
		}
	}
}

const elsewherePause = 200 * time.Millisecond

// elsewhere reports whether another process is at work on a run.
func (e *Engine) elsewhere(ctx context.Context, id contract.RunID) (bool, error) {
	if shared, ok := e.Journal.(journal.Shared); ok {
		return shared.AtWork(ctx, id)
	}
	return false, nil
}

// withheld reports whether what a run tells may not be shown any more.
func (e *Engine) withheld(ctx context.Context, id contract.RunID) (bool, error) {
	if shared, ok := e.Journal.(journal.Shared); ok {
		return shared.Withheld(ctx, id)
	}
	return false, nil
}

// Wait follows a run to its end and returns the last event.
func (e *Engine) Wait(ctx context.Context, id contract.RunID) (contract.Event, error) {
	var last contract.Event
	for ev, err := range e.Follow(ctx, id, 0) {
		if err != nil {
			return last, err
		}
		last = ev
	}
	return last, nil
}

// Head is the number of the newest published event of a run in progress, and 0 for any
// other.
func (e *Engine) Head(id contract.RunID) int {
	l := e.runs.Find(id)
	if l == nil {
		return 0
	}
	return l.Head()
}

func withdrawn() error {
	return fault.New(fault.PathNotAllowed, "This answer rests on a source that you may not open any more.", "Ask again to get an answer from what you may read.")
}
