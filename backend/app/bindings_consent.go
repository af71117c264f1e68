package app

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/server"
)

// add adds paths; those of the system after a dialog of the window's own, which no
// page can answer.
func (b *Bindings) add(in server.AddRequest) (server.AddView, error) {
	view, err := b.verbs.AddPaths(b.ctx, in)
	if fault.CodeOf(err) != fault.ConfirmNeeded || b.agree == nil || !b.agree(fault.Of(err).Message+" Read it all the same?") {
		return view, err
	}
	return b.verbs.AddPaths(library.WithConfirmed(b.ctx), in)
}

const (
	yes = "Yes"
	no  = "No"
)

func agreed(ctx context.Context, question string) bool {
	said, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: "Footnote", Message: question, Buttons: []string{yes, no}, DefaultButton: no, CancelButton: no,
	})
	return err == nil && said == yes
}

// Preview lists the text of files that a model was or would be sent for a run.
func (b *Bindings) Preview(run string) (server.Page[server.SentFile], error) {
	return b.verbs.Preview(b.ctx, run)
}

// Consents lists the providers that may be sent file text.
func (b *Bindings) Consents() (server.Page[string], error) { return b.verbs.Consents(b.ctx) }

// Consent lets a provider be sent file text, or not any more.
func (b *Bindings) Consent(provider string, allowed bool) error {
	return b.verbs.Consent(b.ctx, provider, allowed)
}
