package answer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// LongestDimension is how many characters a subquestion of a plan may have.
const LongestDimension = 200

// planEdit is what the reader says during the plan review.
type planEdit struct {
	dimensions []string // nil leaves them
	hold       bool     // the reader goes on editing
}

// editsAhead is how many edits may lie before the run has read the first.
const editsAhead = 16

// ReviewPlan waits for the reader's plan: as long as wait, and as long as held
// from the moment at which the reader asks for more time.
func (l *live) ReviewPlan(ctx context.Context, wait, held time.Duration) (dimensions []string, edited bool) {
	edits := make(chan planEdit, editsAhead)
	l.mu.Lock()
	l.edits = edits
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.edits = nil
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
			l.edits = nil // from here on nobody waits; what came before counts
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

// Plan changes the dimensions of a research that shows its plan, and lets it go
// on; with hold it goes on waiting. No dimensions leave the plan as it is. Faults:
// not-found, already-ended, not-waiting, invalid-request for too many or empty
// dimensions.
func (e *Engine) Plan(ctx context.Context, id contract.RunID, dimensions []string, hold bool) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	most := e.Settings().Deep.DimensionsMax
	if len(dimensions) > most {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("A plan has at most %d dimensions.", most), "Take some out.")
	}
	if len(dimensions) > 0 {
		if dimensions = CleanList(dimensions, most, LongestDimension); len(dimensions) == 0 {
			return fault.New(fault.InvalidRequest, "The dimensions are empty.", "Write what is to be looked into, or leave the plan as it is.")
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.edits == nil {
		return fault.New(fault.NotWaiting, "This run shows no plan now.", "A plan can be changed before the research begins.")
	}
	select {
	case l.edits <- planEdit{dimensions, hold}:
		return nil
	default:
		return fault.New(fault.Busy, "The last changes of the plan are still being read.", "Try again.")
	}
}

// CleanList makes one line of each text, at most n of at most long characters,
// none twice.
func CleanList(texts []string, n, long int) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		text = strings.Trim(plain.OneLine(strings.ToValidUTF8(text, ""), long), " -*•")
		key := strings.Join(plain.Distinct(rank.Terms(text)), " ")
		if key == "" || seen[key] || len(out) == n {
			continue
		}
		seen[key] = true
		out = append(out, text)
	}
	return out
}
