//go:build !windows

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnAlertIsShownByWhatTheSystemHas: one program shows it, once, and a text
// that looks like an option or markup stays one argument.
func TestAnAlertIsShownByWhatTheSystemHas(t *testing.T) {
	for _, status := range []string{"0", "1"} {
		dir := t.TempDir()
		t.Setenv("PATH", dir)
		shown := filepath.Join(dir, "shown")
		for _, name := range []string{"zenity", "kdialog"} {
			script := "#!/bin/sh\nfor a in \"$@\"; do echo \"" + name + ":$a\" >> '" + shown + "'; done\nexit " + status + "\n"
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := alert(t.Context(), "The disk <b>is</b> full; --version"); err != nil {
			t.Error(err)
		}
		said, err := os.ReadFile(shown)
		if err != nil || !strings.Contains(string(said), "zenity:--text=The disk <b>is</b> full; --version\n") || strings.Contains(string(said), "kdialog:") {
			t.Errorf("status %s: %q, %v", status, said, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if alert(t.Context(), "x") == nil {
		t.Error("nothing showed it, and nobody is told")
	}
}
