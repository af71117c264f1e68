//go:build !windows

package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func readEntry() (string, error) {
	path, err := entryFile()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

func writeEntry(text string) error {
	path, err := entryFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func removeEntry() error {
	path, err := entryFile()
	if err != nil {
		return err
	}
	return os.Remove(path)
}
