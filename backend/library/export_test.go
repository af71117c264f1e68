package library

import (
	"io/fs"
	"os"
	"path/filepath"
)

// ShutOut has folders refused as if the reader had no right to them: tests may run
// as an administrator, whom no system refuses anything.
func (l *Library) ShutOut(refused func(path string) bool) {
	l.list = func(dir *os.Root, rel string) ([]fs.DirEntry, error) {
		if path := filepath.Join(dir.Name(), rel); refused(path) {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return readFolder(dir, rel)
	}
}

// LookForRoots does what the library does once a minute.
var LookForRoots = (*Library).lookForRoots
