// Package ollama speaks Ollama's own API, because its OpenAI dialect ignores
// num_ctx and think.
//
//	ollama.go   Client: one server; Stream with num_ctx on every request
//	request.go  llm.Call → request body
//	stream.go   NDJSON → deltas
//	models.go   List, Probe, and what a model can do, remembered
//	pull.go     fetching a model with progress
//	embed.go    vectors
package ollama

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"sync"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
)

// Config says how a server is reached.
type Config struct {
	BaseURL string       // without /api
	Client  *http.Client // bound to the server's origin, without a timeout of its own
	Limits  llm.Limits   // zero fields mean the defaults
	Now     func() time.Time
	// Window gives the num_ctx that the user set for a model, 0 for none. May be nil.
	Window func(model string) int
}

// Client is one Ollama server. Safe for concurrent use.
type Client struct {
	server wire.Server
	window func(model string) int

	mu    sync.Mutex
	known map[string]shown // by model
}

var (
	_ llm.Model  = (*Client)(nil)
	_ llm.Lister = (*Client)(nil)
	_ llm.Prober = (*Client)(nil)
	_ llm.Puller = (*Client)(nil)
)

// New makes a client; nothing is sent yet.
func New(c Config) *Client {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Window == nil {
		c.Window = func(string) int { return 0 }
	}
	return &Client{
		window: c.Window, known: map[string]shown{},
		server: wire.Server{
			Name: "Ollama", Base: strings.TrimRight(c.BaseURL, "/"),
			Client: c.Client, Limits: c.Limits.Filled(), Now: c.Now,
		},
	}
}

// Stream implements llm.Model. Faults: model-missing, model-unreachable,
// model-refused, model-timeout, context-too-long.
func (c *Client) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return wire.Reply(call, func(turn *wire.Turn) error { return c.run(ctx, call, turn) })
}

func (c *Client) run(ctx context.Context, call llm.Call, turn *wire.Turn) error {
	known, err := c.recall(ctx, call.Model)
	if err != nil {
		return err
	}
	lines, err := c.server.Stream(ctx, "/api/chat", call.Model, encode(call, c.numCtx(call, known), known))
	if err != nil {
		return err
	}
	defer lines.Close()
	d := decoder{server: &c.server, model: call.Model, lines: lines, turn: turn}
	return d.run()
}

// numCtx is the window of a request: the call's, else the user's setting, else
// the model's own up to 8192. Ollama would take 2048 by silence.
func (c *Client) numCtx(call llm.Call, known shown) int {
	if call.Window > 0 {
		return call.Window
	}
	if n := c.window(call.Model); n > 0 {
		return n
	}
	if known.Window > 0 {
		return min(known.Window, llm.DefaultWindow)
	}
	return llm.DefaultWindow
}
