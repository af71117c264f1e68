package library

import (
	"log/slog"
	"runtime"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/library/walk"
	"footnote/backend/settings"
)

func TestAPathOfTheSystemNeedsAWord(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the path is one of Linux")
	}
	l := New(Config{Now: time.Now, Log: slog.New(slog.DiscardHandler), Settings: settings.Default})
	if _, _, reason := l.admit(t.Context(), "/etc/passwd"); reason != walk.System {
		t.Errorf("%q", reason)
	}
	if _, _, reason := l.admit(WithConfirmed(t.Context()), "/etc/passwd"); reason != "" {
		t.Errorf("confirmed: %q", reason)
	}
	if _, _, reason := l.admit(WithConfirmed(t.Context()), "/dev/null"); reason != walk.Special {
		t.Errorf("a device: %q", reason)
	}
	if err := refused([]walk.Skip{{Path: "/etc/passwd", Reason: walk.System}}); fault.CodeOf(err) != fault.ConfirmNeeded {
		t.Error(err)
	}
}
