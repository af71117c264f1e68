package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrTooLarge is of a file that is larger than its reader takes.
var ErrTooLarge = errors.New("the file is too large")

// OpenRegular opens a regular file to read it, where a link leads as well, and
// nothing else: a pipe would wait for its other end, a device give bytes for ever.
// What was opened is looked at, as another file may take the place of one meanwhile.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|NoWait, 0)
	if err != nil {
		return nil, nil, err
	}
	return Regular(f, path)
}

// Regular gives a file that was opened with NoWait, if it is a regular one; any other
// is closed.
func Regular(f *os.File, path string) (*os.File, os.FileInfo, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// ReadRegular reads a regular file of at most so many bytes; a larger one is
// ErrTooLarge, one that grows meanwhile as well.
func ReadRegular(path string, most int64) (data []byte, err error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info.Size() <= most {
		data, err = io.ReadAll(io.LimitReader(f, most+1))
	}
	if err == nil && max(info.Size(), int64(len(data))) > most {
		return nil, fmt.Errorf("read %s: %w", path, ErrTooLarge)
	}
	return data, err
}
