package llm

import (
	"context"
	"iter"
	"slices"
)

// Redacted passes what a model is sent through change first: every message, and
// nothing of what it replies.
func Redacted(model Model, change func(text string) string) Model {
	return redacted{model, change}
}

type redacted struct {
	model  Model
	change func(string) string
}

// Stream implements Model.
func (r redacted) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	call.Messages = slices.Clone(call.Messages)
	for i := range call.Messages {
		m := &call.Messages[i]
		m.Text = r.change(m.Text)
		m.Calls = slices.Clone(m.Calls)
		for k := range m.Calls {
			m.Calls[k].Input = r.change(m.Calls[k].Input)
		}
	}
	return r.model.Stream(ctx, call)
}
