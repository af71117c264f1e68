package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"
)

// MCP is the mouth of `footnote mcp`: Speak is the protocol on two streams, which
// gives each call away; Answer answers one in a house, in lines.
type MCP struct {
	Speak  func(ctx context.Context, in io.Reader, out io.Writer, version string, call func(ctx context.Context, call []byte, each func(line []byte)) error) error
	Answer func(ctx context.Context, h *House, call []byte, out io.Writer) error
}

// callCommand answers one call: a client's process runs it for each, so that the
// calls are handed over like any command when another process holds the data.
const callCommand = "mcp-call"

func newMCP(env *Env, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve other programs by the Model Context Protocol, over standard input and output", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			k := &keeper{env: env, flags: *flags, ctx: cmd.Context()}
			err := env.MCP.Speak(cmd.Context(), env.Stdin, env.Stdout, env.Version, k.call)
			k.work.Wait()
			return errors.Join(err, k.close())
		},
	}
}

func newMCPCall(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: callCommand + " -", Hidden: true, Args: exactArgs(1, "a call on standard input")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		call, err := io.ReadAll(io.LimitReader(env.Stdin, 1<<20))
		if err != nil {
			return fmt.Errorf("read the call: %w", err)
		}
		return env.MCP.Answer(ctx, h, call, env.Stdout)
	})
	return cmd
}

// keeper holds the house from one call to the next, as nobody else wants it: a
// client stays for days, and a window or server that starts meanwhile gets the
// house as soon as no call needs it. Later calls are handed over to it.
type keeper struct {
	env   *Env
	flags Flags
	ctx   context.Context // of the protocol

	mu     sync.Mutex
	house  *House
	finish func()        // takes no more commands of other processes
	calls  int           // that are being answered
	wanted bool          // by somebody who waits for the house
	gone   chan struct{} // closed when a house that was given up is closed; nil when none was
	work   sync.WaitGroup
}

// call has one call answered, here or by who holds the house.
func (k *keeper) call(ctx context.Context, call []byte, each func([]byte)) error {
	k.mu.Lock()
	k.calls++
	k.work.Add(1)
	k.mu.Unlock()
	defer k.done()
	out := &lineWriter{each: each}
	env := *k.env
	env.Args, env.Stdin, env.Stdout, env.Open = k.args(), bytes.NewReader(call), out, k.open
	var code exitCode
	if err := execute(ctx, &env); err != nil && !(errors.As(err, &code) && code == 0) {
		return err
	}
	return out.rest()
}

// args are the words of the command that answers a call.
func (k *keeper) args() []string {
	args := []string{callCommand, "-"}
	for _, f := range [][2]string{{"--data", k.flags.Data}, {"--config", k.flags.Config}, {"--log", k.flags.Log}} {
		if f[1] != "" {
			args = append(args, f[0], f[1])
		}
	}
	for _, set := range k.flags.Set {
		args = append(args, "--set", set)
	}
	return args
}

// open lends the house to a call, and opens it for the first one.
func (k *keeper) open(_ context.Context, flags Flags) (*House, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.house == nil && k.gone != nil {
		gone := k.gone
		k.mu.Unlock()
		<-gone
		k.mu.Lock()
		if k.gone == gone {
			k.gone = nil
		}
	}
	if k.house != nil {
		return k.house.guest(), nil
	}
	house, err := k.env.Open(k.ctx, flags) // it outlasts the call
	if err != nil {
		return nil, err
	}
	house.hosting(k.ctx).yield = k.yield
	if err := house.Begin(k.ctx, house.Settings.Now().Library.Watch); err != nil {
		return nil, errors.Join(err, house.Close(context.WithoutCancel(k.ctx)))
	}
	k.house, k.wanted = house, false
	k.finish = accept(k.ctx, k.env, house)
	return house.guest(), nil
}

// yield gives the house up once no call needs it.
func (k *keeper) yield() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.house == nil || k.wanted {
		return
	}
	k.wanted = true
	if k.calls == 0 {
		go k.letGo()
	}
}

func (k *keeper) done() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.calls--
	k.work.Done()
	if k.calls == 0 && k.wanted {
		go k.letGo()
	}
}

func (k *keeper) letGo() {
	if err := k.close(); err != nil {
		fmt.Fprintln(k.env.Stderr, "warning: the data folder was not closed cleanly:", err)
	}
}

// close gives the house up. A call that comes meanwhile waits, and then asks for
// it anew.
func (k *keeper) close() error {
	k.mu.Lock()
	house, gone, finish := k.house, k.gone, k.finish
	if house == nil {
		k.mu.Unlock()
		if gone != nil {
			<-gone // somebody is closing it
		}
		return nil
	}
	gone = make(chan struct{})
	k.house, k.gone = nil, gone
	k.mu.Unlock()
	defer close(gone)
	finish() // its guests may ask for the house meanwhile: nothing is locked
	closing, cancel := context.WithTimeout(context.WithoutCancel(k.ctx), closeTime)
	defer cancel()
	return house.Close(closing)
}

// lineWriter gives away whole lines.
type lineWriter struct {
	each func([]byte)
	open []byte
}

// Write implements io.Writer.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.open = append(w.open, p...)
	for {
		line, rest, whole := bytes.Cut(w.open, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		w.each(slices.Clone(line))
		w.open = rest
	}
}

// rest refuses what ended without the end of its line.
func (w *lineWriter) rest() error {
	if len(bytes.TrimSpace(w.open)) > 0 {
		return errors.New("the answer of a call broke off")
	}
	return nil
}
