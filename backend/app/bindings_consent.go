package app

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

const (
	yes = "Yes"
	no  = "No"
)

// agreed asks in a dialog of the window's own, which no page can answer.
func agreed(ctx context.Context, question string) bool {
	said, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: "Footnote", Message: question, Buttons: []string{yes, no}, DefaultButton: no, CancelButton: no,
	})
	return err == nil && said == yes
}
