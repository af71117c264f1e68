package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// ensureTemporary has temporary files lie in the data folder where the system's
// place for them takes none, as in a container without /tmp. This process and its
// children learn it by the environment.
func ensureTemporary(data string) error {
	probe, err := os.MkdirTemp("", "footnote-probe-")
	if err == nil {
		return os.Remove(probe)
	}
	own := filepath.Join(data, "cache", "tmp")
	if made := os.MkdirAll(own, 0o700); made != nil {
		return fmt.Errorf("%w; in the data folder: %w", err, made)
	}
	names := []string{"TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{"TMP", "TEMP"}
	}
	for _, name := range names {
		if err := os.Setenv(name, own); err != nil {
			return err
		}
	}
	return nil
}
