package library

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/settings"
)

func TestPathsOfTheSystemAreTold(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the paths are those of Linux")
	}
	for path, want := range map[string]bool{
		"/etc": true, "/etc/shadow": true, "/proc/self/environ": true, "/dev/null": true, "/": true, "/run": true, "/var": true, "/var/lib/x": true, "/usr/share/doc": true,
		"/home/ann/Documents": false, "/home": false, "/etcetera": false, "/media/ann/USB": false, "/run/media/ann/USB": false, "/tmp/x": false, "/home/ann/notes.md": false, "/srv/etc": false, "/var/www/x": false,
	} {
		if got := ofTheSystem(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	home, err := os.UserHomeDir()
	if err == nil && ofTheSystem(filepath.Join(home, "Documents")) {
		t.Errorf("the reader's own documents below %s", home)
	}
}

func TestAPathOfTheSystemNeedsAWord(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the path is one of Linux")
	}
	l := New(Config{Now: time.Now, Log: slog.New(slog.DiscardHandler), Settings: settings.Default})
	if _, _, reason := l.admit(t.Context(), "/etc/passwd"); reason != reasonSystem {
		t.Errorf("%q", reason)
	}
	if _, _, reason := l.admit(WithConfirmed(t.Context()), "/etc/passwd"); reason != "" {
		t.Errorf("confirmed: %q", reason)
	}
	if _, _, reason := l.admit(WithConfirmed(t.Context()), "/dev/null"); reason != reasonSpecial {
		t.Errorf("a device: %q", reason)
	}
	if err := refused([]Skip{{"/etc/passwd", reasonSystem}}); fault.CodeOf(err) != fault.ConfirmNeeded {
		t.Error(err)
	}
}
