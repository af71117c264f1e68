package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/extract/sandbox"
)

// Pool extracts files in child processes, each with a memory cap, one file at a
// time, ended hard at the deadline, and replaced after Limits.Jobs files. A
// child that dies costs the file it was reading and nothing else.
//
// Children start when there is work and end when their stdin closes, so they
// never outlive this process. All methods are safe for concurrent use.
type Pool struct {
	command []string
	lim     func() Limits // of the next file
	slots   chan *child   // nil: a child may be started
	closed  chan struct{}
	once    sync.Once
}

// NewPool makes a pool of up to size children started as command, whose body
// must be ServeWorker on its stdin and stdout. Nothing is started yet. lim is
// asked for the limits of each file.
func NewPool(command []string, size int, lim func() Limits) *Pool {
	p := &Pool{command: command, lim: lim, slots: make(chan *child, max(1, size)), closed: make(chan struct{})}
	for range cap(p.slots) {
		p.slots <- nil
	}
	return p
}

// Extract reads the file at path, which must be a regular file. Errors are
// *Error, or the context's; then the child that was reading is ended.
//
// The file is opened here and sent to the child, which may open none.
func (p *Pool) Extract(ctx context.Context, path string) (evidence.Document, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return evidence.Document{}, openError(err)
	}
	lim := p.lim()
	file, err := openRegular(abs, lim.File)
	if err != nil {
		return evidence.Document{}, err
	}
	defer file.Close()
	return p.run(ctx, job{Name: abs, Limits: lim}, file)
}

// ExtractBytes reads a file whose bytes are at hand, as Extract does, but for
// recognition: who has the bytes waits for the text.
func (p *Pool) ExtractBytes(ctx context.Context, mediaType, name string, data []byte) (evidence.Document, error) {
	lim := p.lim()
	if int64(len(data)) > lim.File {
		return evidence.Document{}, tooLarge(int64(len(data)), lim.File)
	}
	lim.OCR = 0
	return p.run(ctx, job{MediaType: mediaType, Name: name, Limits: lim}, bytes.NewReader(data))
}

// Redraw gives a small JPEG of a picture: nothing of the original but its look.
// Pictures that are no previews are refused.
func (p *Pool) Redraw(ctx context.Context, picture []byte) ([]byte, error) {
	drawn, err := p.run(ctx, job{Picture: true, Limits: p.lim()}, bytes.NewReader(picture))
	return []byte(drawn.Text), err
}

// trialTime is what a child may take to start and to be tried: on a busy computer
// that is longer than a small file may take to be read.
const trialTime = 30 * time.Second

// Gaps gives what a child can do here that its sandbox should keep from it, as a
// child found out by trying. why says what this system lacks, where that is known.
func (p *Pool) Gaps(ctx context.Context) (gaps []string, why string, err error) {
	trial, end, err := newTrial()
	if err != nil {
		return nil, "", err
	}
	defer end()
	limits := p.lim()
	limits.Time = max(limits.Time, trialTime)
	tried, err := p.run(ctx, job{Try: &trial, Limits: limits}, bytes.NewReader(nil))
	return tried.Flags, sandbox.Missing(), err
}

// Close ends the children, waits for them, and fails later calls. Calls in
// progress fail. It may be called twice.
func (p *Pool) Close() {
	p.once.Do(func() {
		close(p.closed)
		for range cap(p.slots) {
			if c := <-p.slots; c != nil {
				c.end()
			}
		}
	})
}

var errClosed = errors.New("the pool is closed")

func (p *Pool) run(ctx context.Context, j job, file io.Reader) (evidence.Document, error) {
	var c *child
	select {
	case <-p.closed:
		return evidence.Document{}, fail(Crashed, "Footnote is closing.", errClosed)
	case <-ctx.Done():
		return evidence.Document{}, ctx.Err()
	case c = <-p.slots:
	}
	var keep *child
	defer func() { p.slots <- keep }()
	if err := ctx.Err(); err != nil {
		keep = c
		return evidence.Document{}, err
	}
	if c != nil && c.tools != foundTools() { // one was installed or removed
		c.end()
		c = nil
	}
	if c == nil {
		var err error
		if c, err = startChild(p.command, j.Limits.Cache); err != nil {
			return evidence.Document{}, notStarted(err)
		}
	}
	res, err := p.ask(ctx, c, j, file)
	if err != nil {
		return evidence.Document{}, err
	}
	if c.jobs++; c.jobs < max(1, j.Limits.Jobs) {
		keep = c
	} else {
		c.end()
	}
	if res.Code != "" {
		var cause error
		if res.Cause != "" {
			cause = errors.New(res.Cause)
		}
		return evidence.Document{}, fail(res.Code, res.Reason, cause)
	}
	return res.Document, nil
}

// ask gives one job to a child and waits: for its answer, the deadline, the
// context or the pool's end. After an error the child is gone.
func (p *Pool) ask(ctx context.Context, c *child, j job, file io.Reader) (result, error) {
	type answer struct {
		res result
		err error
	}
	answered, slow := make(chan answer, 1), make(chan struct{}, 1)
	go func() {
		res, err := c.exchange(j, file, func() {
			select {
			case slow <- struct{}{}:
			default: // it was told before
			}
		})
		answered <- answer{res, err}
	}()
	deadline := time.NewTimer(j.Limits.Time + j.Limits.Time/10)
	defer deadline.Stop()
	longer := slow // heard once: a child cannot put off its end for ever
	var stopped error
	for stopped == nil {
		select {
		case a := <-answered:
			if a.err == nil {
				return a.res, nil
			}
			var why *Error // the file, not the child
			if errors.As(a.err, &why) {
				c.kill()
				return result{}, why
			}
			return result{}, c.died(a.err)
		case <-longer:
			deadline.Reset(j.Limits.OCR + j.Limits.Time + j.Limits.Time/10)
			longer = nil
		case <-deadline.C:
			stopped = timeoutError(j.Limits)
		case <-ctx.Done():
			stopped = ctx.Err()
		case <-p.closed:
			stopped = fail(Crashed, "Footnote is closing.", errClosed)
		}
	}
	c.kill() // and the exchange fails, unless it waits for a file that does not come: that is not waited for
	return result{}, stopped
}
