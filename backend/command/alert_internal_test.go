package command

import (
	"context"
	"io"
	"slices"
	"testing"

	"footnote/backend/fault"
)

// TestAWindowThatDoesNotOpenSaysWhy: in a dialog where no terminal is read, with
// what can be done about it.
func TestAWindowThatDoesNotOpenSaysWhy(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var shown []string
		env := &Env{
			Stdin: nil, Stdout: io.Discard, Stderr: io.Discard, Terminal: terminal,
			Open: func(context.Context, Flags) (*House, error) {
				return nil, fault.New(fault.DiskFull, "The disk is full.", "Make room.")
			},
			Window: func(context.Context, *House, Opening) error { return nil },
			Alert: func(_ context.Context, text string) error {
				shown = append(shown, text)
				return nil
			},
		}
		if code := Execute(t.Context(), env); code != 6 {
			t.Errorf("exit code %d", code)
		}
		var want []string
		if !terminal {
			want = []string{"The disk is full.\nMake room."}
		}
		if !slices.Equal(shown, want) {
			t.Errorf("terminal %v: shown %q", terminal, shown)
		}
	}
}
