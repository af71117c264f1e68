// Package calls asks the models of one research: so many times, some side by side, and
// no more for what they are of no use for.
package calls

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/settings"
)

// Turns counts the calls of models of one research, and minds what they use: at the
// soft share of a limit it goes to its report, at the limit no model is asked any more,
// for the report neither. Safe for concurrent use.
type Turns struct {
	mu         sync.Mutex
	used       int
	soft, hard int
	kept       int                                  // of the hard limit, for the report
	name       string                               // of the limit on calls
	share      float64                              // of other limits, that is soft
	budget     func() (limit string, share float64) // the other limit that most is used of
	atSoft     func(limit string)
	told       bool // atSoft was called
	background sync.WaitGroup
}

// keptTurns are left for the report whatever the soft limit is.
const keptTurns = 6

// NewTurns counts on from those that an earlier process used. budget names the other limit
// that most is used of, with the share; atSoft is called once, when a soft limit is reached.
func NewTurns(used int, s settings.DeepSettings, name string, budget func() (string, float64), atSoft func(limit string)) *Turns {
	soft := min(int(float64(s.Turns)*s.Soft), s.Turns-keptTurns)
	return &Turns{used: used, soft: max(1, soft), hard: s.Turns, kept: keptTurns, name: name, share: s.Soft, budget: budget, atSoft: atSoft}
}

// Spare gives what was kept for the report to it.
func (t *Turns) Spare() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = 0
}

// take counts a call, or refuses it.
func (t *Turns) take() error {
	if limit, share := t.mind(); share >= 1 {
		return fault.New(fault.BudgetExceeded, "The limit of "+limit+" of this research is reached.", "Raise deep.tokens, deep.minutes or limits.cost.")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used >= max(1, t.hard-t.kept) {
		return fault.New(fault.BudgetExceeded, fmt.Sprintf("All %d model turns of this research are used.", t.hard), "Raise deep.turns.")
	}
	if t.used++; t.used >= t.soft {
		t.tell(t.name)
	}
	return nil
}

// mind goes to the report where the soft share of a limit is used.
func (t *Turns) mind() (limit string, share float64) {
	limit, share = t.budget()
	if share >= t.share {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.tell(limit)
	}
	return limit, share
}

// tell calls atSoft, once; with t.mu.
func (t *Turns) tell(limit string) {
	if !t.told {
		t.told = true
		t.background.Go(func() { t.atSoft(limit) })
	}
}

// Close waits until what the soft limit set off has ended.
func (t *Turns) Close() { t.background.Wait() }

// Count is how many were used.
func (t *Turns) Count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used
}

// Left is how many there are still.
func (t *Turns) Left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hard - t.used
}

// limit makes each call of a model a turn; no model stays none.
func (t *Turns) limit(model llm.Model) llm.Model {
	if _, limited := model.(turnModel); limited || model == nil {
		return model
	}
	return turnModel{model, t}
}

type turnModel struct {
	next  llm.Model
	turns *Turns
}

// Stream implements llm.Model.
func (m turnModel) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	if err := m.turns.take(); err != nil {
		return func(yield func(llm.Delta, error) bool) { yield(llm.Delta{}, err) }
	}
	return m.next.Stream(ctx, call)
}
