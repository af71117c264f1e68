package command

import (
	"context"
	"errors"
	"sync"

	"footnote/backend/fault"
)

// host is what all commands that run in one house share: the first one opened
// it, others may be handed to it.
type host struct {
	mu      sync.Mutex
	ctx     context.Context // of the command that opened the house
	started bool
	front   func(context.Context, *Env, Opening) error
	yield   func() // the house is wanted by a lasting program; nil where it ends by itself
}

// errLater says that a command cannot run as a guest of one that ends soon: it
// waits until the data folder is free.
var errLater = errors.New("the data folder is held by a command that ends soon")

func (h *House) hosting(ctx context.Context) *host {
	if h.host == nil {
		h.host = &host{ctx: ctx}
	}
	return h.host
}

// Begin starts the library's work, unless it is at work already. watch follows
// changes on disk. The work goes on until the house is closed or the command
// that opened it ends.
func (h *House) Begin(ctx context.Context, watch bool) error {
	host := h.hosting(ctx)
	host.mu.Lock()
	defer host.mu.Unlock()
	if host.started {
		return nil
	}
	h.Library.Watch = watch
	host.started = true
	return h.Library.Start(host.ctx)
}

// Greet makes a lasting program of the command: front is what a second start of
// Footnote does here, with what it was given. Research that an earlier program
// left goes on in it, as tables do, and answers are kept fresh.
func (h *House) Greet(ctx context.Context, front func(context.Context, *Env, Opening) error) {
	host := h.hosting(ctx)
	host.mu.Lock()
	defer host.mu.Unlock()
	if host.front == nil {
		if _, err := h.Engine.Resume(ctx); err != nil {
			h.Log.Error("go on with research", "err", err)
		}
		if h.Refresher != nil {
			h.Refresher.Start(ctx)
		}
		if h.Tables != nil {
			h.Tables.Start(ctx)
		}
		if h.Updates != nil {
			h.Updates.Start(ctx)
		}
	}
	host.front = front
}

func (h *House) greeter() func(context.Context, *Env, Opening) error {
	if h.host == nil {
		return nil
	}
	h.host.mu.Lock()
	defer h.host.mu.Unlock()
	return h.host.front
}

// soon asks for the house for a lasting program, which waits for it.
func (h *House) soon() error {
	if h.host != nil && h.host.yield != nil {
		h.host.yield()
	}
	return errLater
}

// guest is the house as a command from another process gets it.
func (h *House) guest() *House {
	lent := *h
	lent.lent = true
	lent.Close = func(context.Context) error { return nil }
	return &lent
}

// receive is the window and the server of a guest: both are here already, or
// will be when the command that holds the house has ended.
func (h *House) receive(env *Env) {
	env.Window = func(ctx context.Context, _ *House, o Opening) error {
		if front := h.greeter(); front != nil {
			return front(ctx, env, o)
		}
		return h.soon()
	}
	env.Serve = func(context.Context, *House, ServeOptions, *Env) error {
		if h.greeter() == nil {
			return h.soon()
		}
		return fault.New(fault.DataInUse, "Footnote is running on this data folder already.", "Close it first, or switch its server on in Settings.")
	}
}
