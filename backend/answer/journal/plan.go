package journal

import (
	"context"
	"time"

	"footnote/backend/fault"
)

// planEdit is what the reader says during the plan review.
type planEdit struct {
	dimensions []string // nil leaves them
	hold       bool     // the reader goes on editing
}

// editsAhead is how many edits may lie before the run has read the first.
const editsAhead = 16

// ReviewPlan waits for the reader's plan: as long as wait, and as long as held
// from the moment at which the reader asks for more time.
func (l *Live) ReviewPlan(ctx context.Context, wait, held time.Duration) (dimensions []string, edited bool) {
	edits := make(chan planEdit, editsAhead)
	l.mu.Lock()
	l.waits.edits = edits
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.waits.edits = nil
		l.mu.Unlock()
	}()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case e := <-edits:
			if e.dimensions != nil {
				dimensions, edited = e.dimensions, true
			}
			if !e.hold {
				return dimensions, edited
			}
			timer.Reset(held)
			l.Progress("Waiting for your plan")
		case <-timer.C:
			l.mu.Lock()
			l.waits.edits = nil // from here on nobody waits; what came before counts
			l.mu.Unlock()
			for len(edits) > 0 {
				if e := <-edits; e.dimensions != nil {
					dimensions, edited = e.dimensions, true
				}
			}
			return dimensions, edited
		case <-ctx.Done():
			return dimensions, edited
		}
	}
}

// EditPlan hands who shows a plan of research what the reader says of it. Faults:
// not-waiting, busy.
func (l *Live) EditPlan(dimensions []string, hold bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waits.edits == nil {
		return fault.New(fault.NotWaiting, "This run shows no plan now.", "A plan can be changed before the research begins.")
	}
	select {
	case l.waits.edits <- planEdit{dimensions, hold}:
		return nil
	default:
		return fault.New(fault.Busy, "The last changes of the plan are still being read.", "Try again.")
	}
}
