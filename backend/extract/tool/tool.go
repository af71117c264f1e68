package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Run runs a program of the system on behalf of a file and gives what it
// writes, up to a limit. It ends with the context.
func Run(ctx context.Context, in []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(Env(os.Environ()), "OMP_THREAD_LIMIT=1", "LC_ALL=C.UTF-8")
	cmd.Stdin = bytes.NewReader(in)
	out, said := &bounded{room: maxToolOutput}, &Opening{}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("run %s: %w: %s", filepath.Base(name), err, FirstLine(said.String()))
	}
	return out.Bytes(), err
}

const maxToolOutput = 128 << 20

// bounded keeps what is written until there is no room.
type bounded struct {
	bytes.Buffer
	room int
}

// Write fails when there is no room: the program that writes ends.
func (w *bounded) Write(p []byte) (int, error) {
	if len(p) > w.room-w.Len() {
		return 0, errors.New("too much output")
	}
	return w.Buffer.Write(p)
}

// Env is the environment without anything that may be a secret: a parser
// that is taken over finds no key.
func Env(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, e := range env {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		if strings.HasPrefix(name, "FOOTNOTE_KEY") || name == "FOOTNOTE_BOX" || strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") ||
			strings.Contains(name, "SECRET") || strings.Contains(name, "PASSWORD") || strings.Contains(name, "API_KEY") {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// FirstLine is the first line of what a program said, and not too much of it.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line[:min(len(line), 300)]
}

// Opening keeps the beginning of what a child says on stderr: a Go crash
// names its cause first.
type Opening struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps up to 8 KB.
func (t *Opening) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 8<<10 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// String is what was kept.
func (t *Opening) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}
