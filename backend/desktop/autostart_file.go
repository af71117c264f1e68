//go:build !windows

package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"footnote/backend/disk"
)

const entryBytes = 64 << 10

func readEntry() (string, error) {
	path, err := entryFile()
	if err != nil {
		return "", err
	}
	data, err := disk.ReadRegular(path, entryBytes)
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
