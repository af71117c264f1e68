package extract

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/sandbox"
	"footnote/backend/extract/tool"
)

// child is a running worker.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	stderr  *tool.Opening
	jobs    int
	tools   string // that it may start
	scratch string // the folder that it may write in
	done    func() // ends its sandbox
}

// startChild starts a child in a sandbox: it may write in a folder of its own and in
// that of compiled code, and start the programs that read what it does not.
func startChild(command []string, cache string) (*child, error) {
	if len(command) == 0 {
		return nil, errors.New("no command")
	}
	scratch, err := os.MkdirTemp("", "footnote-read-")
	if err != nil {
		return nil, fmt.Errorf("make folder of a worker: %w", err)
	}
	c := &child{stderr: &tool.Opening{}, tools: foundTools(), scratch: scratch}
	if err := c.start(command, cache); err != nil {
		return nil, errors.Join(err, os.RemoveAll(scratch))
	}
	return c, nil
}

func (c *child) start(command []string, cache string) error {
	rules := childRules(c.scratch, cache)
	command = sandbox.Wrap(rules, command)
	c.cmd = exec.Command(command[0], command[1:]...)
	c.cmd.Env = append(tool.Env(os.Environ()), "TMPDIR="+c.scratch, "TMP="+c.scratch, "TEMP="+c.scratch, cacheSwitch+"="+cache)
	c.cmd.WaitDelay = time.Second
	c.cmd.Stderr = c.stderr
	ownGroup(c.cmd)
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return fmt.Errorf("connect worker: %w", err)
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return fmt.Errorf("connect worker: %w", err)
	}
	if c.done, err = sandbox.Start(rules, c.cmd); err != nil {
		return fmt.Errorf("start worker: %w", err)
	}
	return nil
}

// cacheSwitch tells a child the folder of compiled code, before it reads a job.
const cacheSwitch = "FOOTNOTE_READ_CACHE"

func childRules(scratch, cache string) sandbox.Rules {
	r := sandbox.Rules{Write: []string{scratch}}
	if cache != "" && os.MkdirAll(cache, 0o700) == nil { // without it, code is compiled again
		r.Write = append(r.Write, cache)
	}
	if tools := foundTools(); tools != "" {
		r.Programs = strings.Split(tools, "\n")
	}
	return r
}

// enterSandbox confines this process, which must be a child.
func enterSandbox() error { return sandbox.Enter(childRules(os.TempDir(), os.Getenv(cacheSwitch))) }

// foundTools are the programs of the system that children start, by their paths,
// one a line.
func foundTools() string {
	var found []string
	for _, name := range []string{"pdftotext", "pdftoppm", "tesseract"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	return strings.Join(found, "\n")
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
	if n, _ := binary.Uvarint(blocks); err == nil && n > format.MostBlocks { // no reader makes so many
		return result{}, errors.New("more blocks than a document has")
	}
	if err == nil {
		res.Document.Blocks, err = evidence.ReadBlocks(blocks)
	}
	if err == nil && !sound(res.Document) {
		err = errors.New("blocks lie outside of the text")
	}
	return res, err
}

// sound reports whether blocks lie in the text, one after the other: what reads them
// on relies on it, and a child that was taken over may say anything.
func sound(d evidence.Document) bool {
	at := 0
	for _, b := range d.Blocks {
		if b.Start < at || b.End < b.Start || b.End > len(d.Text) || b.Kind == evidence.Heading && (b.Level < 1 || b.Level > 6) {
			return false
		}
		at = b.End
	}
	return utf8.ValidString(d.Text)
}

// died ends what is left of a child and says why it went.
func (c *child) died(cause error) *Error {
	c.kill()
	said := c.stderr.String()
	code := c.cmd.ProcessState.ExitCode()
	cause = fmt.Errorf("%w; exit %d; %s", cause, code, tool.FirstLine(said))
	if code == confineExit {
		return notStarted(errors.New(tool.FirstLine(said)))
	}
	if code == memoryExit || refusedMemory(said) {
		return fail(Memory, "Reading the file needs more memory than Footnote allows.", cause)
	}
	return fail(Crashed, "The file makes its reader crash.", cause)
}

// notStarted says why there is nothing to read with: the same for every file.
func notStarted(cause error) *Error {
	return fail(NotStarted, "The reader of documents did not start: "+cause.Error()+". Footnote tries again when it starts anew.", cause)
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

// kill ends a child at once, with the programs that it started, and waits for
// it. Its errors say only that it was killed.
func (c *child) kill() {
	killGroup(c.cmd)
	_ = c.cmd.Wait()
	c.clear()
}

// end lets an idle child go and waits for it.
func (c *child) end() {
	_ = c.in.Close()
	stop := time.AfterFunc(2*time.Second, func() { killGroup(c.cmd) })
	defer stop.Stop()
	_ = c.cmd.Wait()
	c.clear()
}

// clear gives back what a child held. What cannot be removed is in the folder
// that the system clears.
func (c *child) clear() {
	c.done()
	_ = os.RemoveAll(c.scratch)
}
