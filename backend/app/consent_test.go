package app

import (
	"runtime"
	"testing"

	"footnote/backend/fault"
)

func TestThePersonAtTheWindowIsAskedForPathsOfTheSystem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the path is one of Linux")
	}
	b := open(t).app
	if _, err := b.AddPaths([]string{"/etc/hostname"}, false); fault.CodeOf(err) != fault.ConfirmNeeded {
		t.Errorf("without a window: %v", err)
	}
	asked, answer := 0, false
	b.agree = func(string) bool { asked++; return answer }
	if _, err := b.AddPaths([]string{"/etc/hostname"}, false); fault.CodeOf(err) != fault.ConfirmNeeded || asked != 1 {
		t.Errorf("refused: %v after %d questions", err, asked)
	}
	answer = true
	if view, err := b.AddPaths([]string{"/etc/hostname"}, false); err != nil || len(view.Added) != 1 || asked != 2 {
		t.Errorf("agreed: %v, %+v", err, view)
	}
}
