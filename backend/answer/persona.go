package answer

import (
	"context"
	"strings"

	"footnote/backend/fault"
)

// Preferences are what the reader has set down for all questions: system prompts by
// name, and what they think of domains and folders. A persona that is not there
// is fault invalid-request.
type Preferences interface {
	PersonaText(ctx context.Context, names []string) (string, error)
	Lenses(ctx context.Context) (Lenses, error)
}

// withPersonas gives a question the text of its personas, before the reader's own words.
func (e *Engine) withPersonas(ctx context.Context, q *Question) error {
	if len(q.Personas) == 0 {
		return nil
	}
	if e.Preferences == nil {
		return fault.New(fault.InvalidRequest, "There are no personas here.", "Ask without one.")
	}
	text, err := e.Preferences.PersonaText(ctx, q.Personas)
	q.persona = text
	return err
}

// AllInstructions is what a reader asks of the answer's manner: the personas' texts and
// their own.
func (q Question) AllInstructions() string {
	return strings.TrimSpace(strings.TrimSpace(q.persona) + "\n" + strings.TrimSpace(q.Instructions))
}
