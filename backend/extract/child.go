package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"footnote/backend/evidence"
)

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
	ownGroup(cmd)
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
func (c *child) exchange(j job, file io.Reader, slow func()) (result, error) {
	if err := writeFrame(c.in, j); err != nil {
		return result{}, err
	}
	if err := writeChunks(c.in, file, j.Limits.File); err != nil {
		return result{}, err
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
	text, err := readSized(c.out, res.Size, maxText)
	if err != nil {
		return result{}, err
	}
	res.Document.Text = string(text)
	if res.Blocks == 0 {
		return res, nil
	}
	if res.Blocks > maxBlocks {
		return result{}, fail(TooLarge, "The file has more paragraphs and rows than Footnote reads.", nil)
	}
	blocks, err := readSized(c.out, res.Blocks, maxBlocks)
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

// kill ends a child at once, with the programs that it started, and waits for
// it. Its errors say only that it was killed.
func (c *child) kill() {
	killGroup(c.cmd)
	_ = c.cmd.Wait()
}

// end lets an idle child go and waits for it.
func (c *child) end() {
	_ = c.in.Close()
	stop := time.AfterFunc(2*time.Second, func() { killGroup(c.cmd) })
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
