package answer

import (
	"context"
	"slices"

	"footnote/backend/answer/contract"
)

// refreshing is the question of an answered run as it is asked again.
func refreshing(run contract.Run) contract.Question {
	q := run.Question
	q.Thread, q.Replaces, q.Cache, q.Refreshes, q.Unattended, q.Aside = run.Thread, "", false, run.ID, true, false
	return q
}

// Recheck asks the question of an answered run again, aside from its thread.
func (e *Engine) Recheck(ctx context.Context, run contract.Run) (contract.Run, error) {
	q := refreshing(run)
	q.Aside = true
	return e.ask(ctx, q)
}

// Quiet reports whether no person's question is being answered, and gives a
// channel that is closed when runs begin or end.
func (e *Engine) Quiet() (quiet bool, changed <-chan struct{}) { return e.runs.Quiet() }

// origin is the answer that a chain of refreshed ones goes back to.
func origin(ctx context.Context, past Past, id contract.RunID) contract.RunID {
	for range 1000 { // a chain in a circle is none of ours
		run, err := past.Run(ctx, id)
		if err != nil || run.Question.Refreshes == "" {
			return id
		}
		id = run.Question.Refreshes
	}
	return id
}

// Rechecks tells which checks of answers of a thread are in progress.
func (e *Engine) Rechecks(thread contract.ThreadID) []contract.RunID {
	return slices.DeleteFunc(e.RunningIn(thread), func(id contract.RunID) bool {
		l := e.runs.Find(id)
		return l == nil || !l.Run.Question.Aside
	})
}
