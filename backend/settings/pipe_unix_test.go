//go:build unix

package settings

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe or a device in the place of the file would keep every command waiting.
func TestSettingsAreReadOfARegularFileAlone(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe.toml"), filepath.Join(dir, "large.toml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, make([]byte, largestFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{pipe, "/dev/zero", large} {
		ended := make(chan error, 1)
		go func() {
			_, err := Load(LoadOptions{DataDir: dir, ConfigFile: file})
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s is read", file)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s is waited for", file)
		}
	}
}
