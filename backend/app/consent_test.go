package app

import (
	"runtime"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
)

func TestThePersonAtTheWindowIsAskedForPathsOfTheSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the path is one of Linux")
	}
	m := open(t)
	add := func() (any, error) {
		return m.call(t, "POST /api/library", Sent{Body: bodyOf(t, map[string]any{"paths": []string{"/etc/hostname"}})})
	}
	if _, err := add(); fault.CodeOf(err) != fault.ConfirmNeeded {
		t.Errorf("without a window: %v", err)
	}
	asked, answer := 0, false
	m.app.agree = func(string) bool { asked++; return answer }
	if _, err := add(); fault.CodeOf(err) != fault.ConfirmNeeded || asked != 1 {
		t.Errorf("refused: %v after %d questions", err, asked)
	}
	answer = true
	if given, err := add(); err != nil || asked != 2 {
		t.Errorf("agreed: %v, %+v", err, given)
	} else if view, ok := given.(api.AddView); !ok || len(view.Added) != 1 {
		t.Errorf("agreed: %+v", given)
	}
}
