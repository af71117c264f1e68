package library

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"footnote/backend/library/walk"
)

// ShutOut has folders refused as if the reader had no right to them: tests may run
// as an administrator, whom no system refuses anything.
func (l *Library) ShutOut(refused func(path string) bool) {
	l.list = func(dir *os.Root, rel string) ([]fs.DirEntry, error) {
		if path := filepath.Join(dir.Name(), rel); refused(path) {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return walk.ReadFolder(dir, rel)
	}
}

// LookForRoots does what the library does once a minute.
var LookForRoots = (*Library).lookForRoots

// TimeLeft is what progress says a minute after the work began.
func TimeLeft(done int, bytes int64, waiting int, unread int64) time.Duration {
	c := counter{since: time.Now().Add(-time.Minute), files: done, bytes: bytes}
	return time.Duration(c.progress(Totals{Waiting: waiting, Unread: unread}, time.Now()).LeftMs) * time.Millisecond
}
