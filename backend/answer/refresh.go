package answer

import (
	"context"

	"footnote/backend/answer/changes"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Past gives what was answered and cited before; missing things are fault
// not-found. Records that can do it let answers be refreshed.
type Past interface {
	Run(ctx context.Context, id contract.RunID) (contract.Run, error)
	Passage(ctx context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error)
}

type freshKey struct{}

// WithFresh has engines asked and pages read under ctx as they are now, not as
// they were kept.
func WithFresh(ctx context.Context) context.Context { return context.WithValue(ctx, freshKey{}, true) }

// Fresh reports whether pages must be read as they are now.
func Fresh(ctx context.Context) bool {
	on, _ := ctx.Value(freshKey{}).(bool)
	return on
}

// Refresh asks the question of an answered run again, in its thread and as it
// was asked then; the new answer says how it differs. Faults: not-found,
// invalid-request where there is no answer, and those of Ask.
func (e *Engine) Refresh(ctx context.Context, id contract.RunID) (contract.Run, error) {
	past, ok := e.Records.(Past)
	if !ok {
		return contract.Run{}, NoSuchRun()
	}
	run, err := past.Run(ctx, id)
	if err != nil {
		return contract.Run{}, err
	}
	if run.Answer == nil {
		return contract.Run{}, fault.New(fault.InvalidRequest, "This question has no answer that could be refreshed.", "Ask it again.")
	}
	return e.Ask(ctx, refreshing(run))
}

// diff compares the answer with the one it refreshes; nil where there is none.
func (p *Pipeline) diff(ctx context.Context, a contract.Answer) *contract.Diff {
	past, ok := p.engine.Records.(Past)
	if p.Task.Question.Refreshes == "" || !ok {
		return nil
	}
	before, err := past.Run(ctx, p.Task.Question.Refreshes)
	if err != nil || before.Thread != p.Task.Question.Thread || before.Answer == nil {
		p.Tell.Log.Warn("an answer cannot be compared", "with", p.Task.Question.Refreshes, "err", err)
		return nil
	}
	originals, _ := p.engine.Shelf.(changes.Originals)
	c := changes.Comparer{Passages: past, Originals: originals, Reader: p.engine.Reader, Traces: p.engine.Traces, Task: p.Task, Log: p.Tell.Log, Documents: p.Evidence.Documents}
	return c.Diff(ctx, before, a)
}
