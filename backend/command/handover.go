package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"footnote/backend/fault"
	"footnote/backend/settings"
)

// One process holds a data folder. A command that finds it held hands its words
// to the holder over a socket in that folder, which only its owner can open: the
// holder runs the command in its own rooms and sends back what it prints.
// Messages are JSON objects, one after another, in both directions.

// handed is a command line on its way; an empty one after it asks to end it.
type handed struct {
	Args     []string `json:"args"`
	Dir      string   `json:"dir"`
	Stdin    []byte   `json:"stdin,omitempty"`
	Terminal bool     `json:"terminal"`
	Columns  int      `json:"columns,omitempty"`
}

type frame struct {
	Begun bool   `json:"begun,omitempty"` // the command runs from here on
	Out   []byte `json:"out,omitempty"`
	Err   []byte `json:"err,omitempty"`
	Exit  *int   `json:"exit,omitempty"`
	Later bool   `json:"later,omitempty"` // run it yourself when the folder is free
}

const (
	lockPatience = 2 * time.Second // for a holder that only begins or ends, and takes no commands
	lockPause    = 50 * time.Millisecond
)

func socketPath(dataDir string) string { return filepath.Join(dataDir, "footnote.sock") }

// enter opens the house, or has the process that holds the data folder run the
// command: then the error is its exit code.
func enter(ctx context.Context, env *Env, flags Flags, stdin bool) (*House, error) {
	told, until := false, time.Now().Add(lockPatience)
	for {
		house, err := env.Open(ctx, flags)
		if fault.CodeOf(err) != fault.DataLocked {
			return house, err
		}
		code, outcome := handOver(ctx, env, flags, stdin)
		switch {
		case outcome == taken:
			return nil, exitCode(code)
		case outcome == nobody && time.Now().After(until):
			return nil, err
		case outcome == later && !told:
			told = true
			io.WriteString(env.Stderr, "Waiting for another Footnote command to end…\n")
		}
		if outcome == later {
			until = time.Now().Add(lockPatience)
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// outcome of an attempt to hand a command over.
type outcome int

const (
	nobody outcome = iota // answers at the socket
	later                 // the holder will end soon
	taken                 // the command was run there
)

func handOver(ctx context.Context, env *Env, flags Flags, stdin bool) (code int, o outcome) {
	dir, err := settings.DataDir(flags.Data, env.Environ)
	if err != nil {
		return 0, nobody
	}
	conn, err := net.Dial("unix", socketPath(dir))
	if err != nil {
		return 0, nobody
	}
	defer conn.Close()
	req := handed{Args: env.Args, Dir: env.Dir, Terminal: env.Terminal, Columns: env.Columns}
	if stdin {
		if req.Stdin, err = io.ReadAll(io.LimitReader(env.Stdin, 1<<20)); err != nil {
			return 0, nobody
		}
		env.Stdin = bytes.NewReader(req.Stdin) // for the next attempt
	}
	out := json.NewEncoder(conn)
	if err := out.Encode(req); err != nil {
		return 0, nobody
	}
	stop := context.AfterFunc(ctx, func() {
		// What the command still says is waited for, but not for long.
		if err := errors.Join(conn.SetReadDeadline(time.Now().Add(closeTime)), out.Encode(handed{})); err != nil {
			conn.Close()
		}
	})
	defer stop()
	return relay(ctx, env, flags, json.NewDecoder(conn))
}

// relay prints what the holder sends, until the command's exit code.
func relay(ctx context.Context, env *Env, flags Flags, frames *json.Decoder) (code int, o outcome) {
	for begun, said := false, false; ; {
		var f frame
		if err := frames.Decode(&f); err != nil {
			switch {
			case ctx.Err() != nil:
				return 130, taken
			case !begun:
				return 0, nobody // it ended before it took the command: nothing was done
			}
			io.WriteString(env.Stderr, "error: the running Footnote ended before the command did.\nhint: Run it again.\n")
			return int(exitInternal), taken
		}
		if f.Later {
			return 0, later
		}
		if begun = true; f.Begun {
			continue
		}
		if !said && (len(flags.Set) > 0 || flags.Config != "") {
			io.WriteString(env.Stderr, "The running Footnote's settings hold; --set and --config do not.\n")
		}
		said = true
		env.Stdout.Write(f.Out) // what cannot be written is told by Execute
		env.Stderr.Write(f.Err)
		if f.Exit != nil {
			return *f.Exit, taken
		}
	}
}

// accept runs commands of other processes in this house. The returned function
// takes no more of them and waits for those that run; when a lasting program
// ends, it ends them too.
func accept(ctx context.Context, env *Env, h *House) (finish func()) {
	path := socketPath(h.Settings.DataDir())
	listener, err := listen(path)
	if err != nil {
		h.Log.Warn("commands of other processes are not taken", "err", err)
		return func() {}
	}
	h.hosting(ctx)
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // closed below
			}
			work.Go(func() { serveGuest(ctx, env, h, conn) })
		}
	})
	return func() {
		if err := listener.Close(); err != nil {
			h.Log.Warn("close the socket of commands", "err", err)
		}
		if h.greeter() != nil {
			cancel()
		}
		work.Wait()
		cancel()
	}
}

// listen makes the socket. What lies in its place is of a process that ended
// without a word: the data folder is ours alone.
func listen(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

func serveGuest(ctx context.Context, env *Env, h *House, conn net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer conn.Close()
	var req handed
	messages := json.NewDecoder(conn)
	if err := messages.Decode(&req); err != nil {
		h.Log.Warn("read a handed command", "err", err)
		return
	}
	go func() { // a second message, or the end of the other side, ends the command
		var none json.RawMessage
		_ = messages.Decode(&none)
		cancel()
	}()
	send := &framer{enc: json.NewEncoder(conn)}
	guest := &Env{
		Args: req.Args, Dir: req.Dir, Terminal: req.Terminal, Columns: req.Columns, Version: env.Version, Build: env.Build, Stdin: bytes.NewReader(req.Stdin),
		Stdout: streamWriter(func(p []byte) error { return send.write(frame{Out: p}) }),
		Stderr: streamWriter(func(p []byte) error { return send.write(frame{Err: p}) }),
		Open:   func(context.Context, Flags) (*House, error) { return h.guest(), nil },
		Export: env.Export, Import: env.Import, Delete: env.Delete, MCP: env.MCP, References: env.References,
	}
	h.receive(guest)
	if err := send.write(frame{Begun: true}); err != nil {
		h.Log.Info("answer a handed command", "err", err)
		return
	}
	err := guarded(func() error { return execute(ctx, guest) })
	last := frame{Later: errors.Is(err, errLater)}
	if !last.Later {
		code := report(ctx, guest, err)
		last.Exit = &code
	}
	if err := send.write(last); err != nil {
		h.Log.Info("answer a handed command", "err", err)
	}
}

// guarded keeps a panic of a guest from taking its host along.
func guarded(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run a handed command: panic: %v", p)
		}
	}()
	return run()
}

// framer writes one message at a time.
type framer struct {
	mu  sync.Mutex
	enc *json.Encoder
}

func (f *framer) write(v frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.enc.Encode(v)
}

type streamWriter func([]byte) error

func (w streamWriter) Write(p []byte) (int, error) {
	if err := w(p); err != nil {
		return 0, err
	}
	return len(p), nil
}
