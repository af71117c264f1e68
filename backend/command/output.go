package command

import (
	"io"
	"sync"

	"footnote/backend/fault"
)

// output is where a command prints. It remembers the first write that failed:
// a command whose output was lost has not succeeded, whatever it did.
type output struct {
	io.Writer

	mu  sync.Mutex
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// lost is the fault of output that could not be written, nil when all was.
func (o *output) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		return nil
	}
	return fault.Wrap(o.err, fault.DiskFull, "Not all of the output could be written: "+o.err.Error()+".",
		"Write it to a file or disk with room, or leave it on the terminal. What Footnote has done is done.")
}
