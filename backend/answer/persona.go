package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Preferences are what the reader has set down for all questions: system prompts by
// name, and what they think of domains and folders. A persona that is not there
// is fault invalid-request.
type Preferences interface {
	PersonaText(ctx context.Context, names []string) (string, error)
	Lenses(ctx context.Context) (contract.Lenses, error)
}

// withPersonas gives a question the text of its personas, before the reader's own words.
func (e *Engine) withPersonas(ctx context.Context, q *contract.Question) error {
	if len(q.Personas) == 0 {
		return nil
	}
	if e.Preferences == nil {
		return fault.New(fault.InvalidRequest, "There are no personas here.", "Ask without one.")
	}
	text, err := e.Preferences.PersonaText(ctx, q.Personas)
	q.SpeakAs(text)
	return err
}

// takeLenses reads the wishes that hold for this run.
func (p *Pipeline) takeLenses(ctx context.Context) {
	if p.engine.Preferences == nil {
		return
	}
	var err error
	if p.Task.Lenses, err = p.engine.Preferences.Lenses(ctx); err != nil {
		p.Tell.Log.Warn("read lenses", "err", err)
	}
}
