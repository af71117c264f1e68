//go:build !windows

package app

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"footnote/backend/settings"
)

// alerts are the programs that show a text, in the order they are tried. The text
// is an argument of its own to each, and none reads markup in it.
var alerts = []func(text string) []string{
	func(text string) []string {
		return []string{"osascript", "-e", "on run argv", "-e", `display alert "Footnote" message (item 1 of argv) as critical`, "-e", "end run", text}
	},
	func(text string) []string {
		return []string{"zenity", "--error", "--no-markup", "--title=Footnote", "--text=" + text}
	},
	func(text string) []string { return []string{"kdialog", "--title", "Footnote", "--error", text} },
	func(text string) []string { return []string{"xmessage", "-center", text} },
}

// alert shows a text to a person who sees no terminal, and waits until it is read.
func alert(ctx context.Context, text string) (err error) {
	for _, of := range alerts {
		args := of(text)
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = settings.WithoutKeys(os.Environ())
		failed := cmd.Run()
		var ended *exec.ExitError
		if failed == nil || errors.As(failed, &ended) && ended.ExitCode() == 1 { // closed without a click
			return nil
		}
		err = errors.Join(err, failed)
	}
	return err
}
