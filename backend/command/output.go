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

	mu      sync.Mutex
	err     error
	printed bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.printed = true
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// printed reports whether a command printed anything, or may have.
func printed(to io.Writer) bool {
	o, is := to.(*output)
	if !is {
		return true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.printed
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
