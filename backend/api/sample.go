package api

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"footnote/backend/fault"
)

// SampleIn is the folder of a data folder that takes the sample library.
func SampleIn(dataDir string) string { return filepath.Join(dataDir, "Sample library") }

// ReadableIn are the folders of a data folder whose files may be in the library.
func ReadableIn(dataDir string) []string {
	return []string{UploadsIn(dataDir), SampleIn(dataDir), ZoteroIn(dataDir)}
}

// AddSample adds the sample library that the program brings along, as a folder
// of the data folder that can be forgotten like any other.
func (s Library) AddSample(ctx context.Context, _ None) (AddView, error) {
	if s.Sample == nil {
		return AddView{}, fault.New(fault.NotFound, "This program brings no sample library.", "Add a folder of your own.")
	}
	dir := SampleIn(s.Settings.DataDir())
	if err := copyNew(dir, s.Sample); err != nil {
		return AddView{}, fault.Wrap(err, fault.DiskFull, "The sample library cannot be written to the data folder.", "Check the data folder.")
	}
	watch := false
	return s.Add(ctx, AddRequest{Paths: []string{dir}, Watch: &watch})
}

// copyNew writes the files that are not there yet; what stands there stays.
func copyNew(dir string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(at, 0o700))
		}
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, body, 0o600)
	})
}

// samplePath is where the sample library stands in the catalog: links resolved.
func (s Library) samplePath() string {
	dir := SampleIn(s.Settings.DataDir())
	if at, err := filepath.EvalSymlinks(dir); err == nil {
		return at
	}
	return dir
}
