package command

import (
	"io"
	"sync"

	"footnote/backend/fault"
)

// toldWriter remembers the first error of a stream: most of what a command
// prints is printed without a look at it. Safe for concurrent use.
type toldWriter struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

func (t *toldWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.err == nil {
			t.err = err
		}
	}
	return n, err
}

// unwritten is the fault of a stream that did not take everything, or nil.
func (t *toldWriter) unwritten() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		return nil
	}
	return fault.Wrap(t.err, fault.DiskFull, "Not all of the output could be written: "+t.err.Error()+".",
		"Write it to a file or disk with room, or leave it on the terminal. What Footnote has done is done.")
}
