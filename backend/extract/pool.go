package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"footnote/backend/evidence"
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
func (p *Pool) Extract(ctx context.Context, path string) (evidence.Document, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return evidence.Document{}, openError(err)
	}
	return p.run(ctx, job{Path: abs, Limits: p.lim()}, nil)
}

// ExtractBytes reads a file whose bytes are at hand, as Extract does, but for
// recognition: who has the bytes waits for the text.
func (p *Pool) ExtractBytes(ctx context.Context, mediaType, name string, data []byte) (evidence.Document, error) {
	lim := p.lim()
	if int64(len(data)) > lim.File {
		return evidence.Document{}, tooLarge(int64(len(data)), lim.File)
	}
	lim.OCR = 0
	return p.run(ctx, job{MediaType: mediaType, Name: name, Size: int64(len(data)), Limits: lim}, data)
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

func (p *Pool) run(ctx context.Context, j job, data []byte) (evidence.Document, error) {
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
	if c == nil {
		var err error
		if c, err = startChild(p.command); err != nil {
			return evidence.Document{}, fail(Crashed, "The reader of documents did not start.", err)
		}
	}
	res, err := p.ask(ctx, c, j, data)
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
func (p *Pool) ask(ctx context.Context, c *child, j job, data []byte) (result, error) {
	type answer struct {
		res result
		err error
	}
	answered, slow := make(chan answer, 1), make(chan struct{}, 1)
	go func() {
		res, err := c.exchange(j, data, func() {
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
	c.kill()
	<-answered
	return result{}, stopped
}

// child is a running worker.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Reader
	stderr *opening
	jobs   int
}

func startChild(command []string) (*child, error) {
	if len(command) == 0 {
		return nil, errors.New("no command")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = childEnv(os.Environ())
	cmd.WaitDelay = time.Second
	c := &child{cmd: cmd, stderr: &opening{}}
	cmd.Stderr = c.stderr
	var err error
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("connect worker: %w", err)
	}
	if c.out, err = cmd.StdoutPipe(); err != nil {
		return nil, fmt.Errorf("connect worker: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	return c, nil
}

// childEnv is the environment without anything that may be a secret: a parser
// that is taken over finds no key.
func childEnv(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, e := range env {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		if strings.HasPrefix(name, "FOOTNOTE_KEY") || strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") ||
			strings.Contains(name, "SECRET") || strings.Contains(name, "PASSWORD") || strings.Contains(name, "API_KEY") {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// exchange sends a job and reads its result. slow is called when the child says
// that it will take longer.
func (c *child) exchange(j job, data []byte, slow func()) (result, error) {
	if err := writeFrame(c.in, j); err != nil {
		return result{}, err
	}
	if _, err := c.in.Write(data); err != nil {
		return result{}, fmt.Errorf("write file: %w", err)
	}
	res := result{Slow: true}
	for res.Slow {
		res = result{}
		if err := readFrame(c.out, &res); err != nil {
			return result{}, err
		}
		if res.Slow {
			slow()
		}
	}
	text, err := readSized(c.out, res.Size)
	if err != nil {
		return result{}, err
	}
	res.Document.Text = string(text)
	if res.Blocks == 0 {
		return res, nil
	}
	blocks, err := readSized(c.out, res.Blocks)
	if err == nil {
		res.Document.Blocks, err = evidence.ReadBlocks(blocks)
	}
	return res, err
}

// died ends what is left of a child and says why it went.
func (c *child) died(cause error) *Error {
	c.kill()
	said := c.stderr.String()
	code := c.cmd.ProcessState.ExitCode()
	cause = fmt.Errorf("%w; exit %d; %s", cause, code, firstLine(said))
	if code == memoryExit || refusedMemory(said) {
		return fail(Memory, "Reading the file needs more memory than Footnote allows.", cause)
	}
	return fail(Crashed, "The file makes its reader crash.", cause)
}

// refusedMemory reports whether the last words of a child are those of a runtime
// that was refused memory, threads included. A signal that is not a panic's came
// in the runtime itself: what parsers do wrong in Go is a panic.
func refusedMemory(said string) bool {
	for _, words := range []string{"out of memory", "cannot allocate memory", "failed to allocate", "address space", "pthread_create failed"} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return strings.HasPrefix(strings.TrimSpace(said), "SIGSEGV: ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 300)]
}

// kill ends a child at once and waits for it. Its errors say only that it was
// killed.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// end lets an idle child go and waits for it.
func (c *child) end() {
	_ = c.in.Close()
	stop := time.AfterFunc(2*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer stop.Stop()
	_ = c.cmd.Wait()
}

// opening keeps the beginning of what a child says on stderr: a Go crash
// names its cause first.
type opening struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps up to 8 KB.
func (t *opening) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 8<<10 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String is what was kept.
func (t *opening) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}
