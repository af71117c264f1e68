package walk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestPathsOfTheSystemAreTold(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the paths are those of Linux")
	}
	for path, want := range map[string]bool{
		"/etc": true, "/etc/shadow": true, "/proc/self/environ": true, "/dev/null": true, "/": true, "/run": true, "/var": true, "/var/lib/x": true, "/usr/share/doc": true,
		"/home/ann/Documents": false, "/home": false, "/etcetera": false, "/media/ann/USB": false, "/run/media/ann/USB": false, "/tmp/x": false, "/home/ann/notes.md": false, "/srv/etc": false, "/var/www/x": false,
	} {
		if got := OfTheSystem(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	home, err := os.UserHomeDir()
	if err == nil && OfTheSystem(filepath.Join(home, "Documents")) {
		t.Errorf("the reader's own documents below %s", home)
	}
}
