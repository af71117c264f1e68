// Package anthropic speaks the Messages dialect of Anthropic.
//
//	anthropic.go  Client: one server; Stream, and what a model turned out not to take
//	request.go    llm.Call → request body
//	stream.go     server-sent events, or one whole message → deltas
//	models.go     List and Probe
package anthropic

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
	"footnote/backend/settings"
)

const version = "2023-06-01" // of the protocol

// Config says how the server is reached.
type Config struct {
	BaseURL string // with or without /v1
	Key     settings.Secret
	Client  *http.Client // bound to the server's origin, without a timeout of its own
	Limits  llm.Limits   // zero fields mean the defaults
	Now     func() time.Time
}

// Client is one server of the Messages dialect. Safe for concurrent use.
type Client struct {
	server wire.Server
	quirks wire.Quirks[quirks]
}

var (
	_ llm.Model  = (*Client)(nil)
	_ llm.Lister = (*Client)(nil)
	_ llm.Prober = (*Client)(nil)
)

// New makes a client; nothing is sent yet, and no variable of the environment
// is read.
func New(c Config) *Client {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Client{
		server: wire.Server{
			Name: "Anthropic", Base: strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1"),
			Client: c.Client, Limits: c.Limits.Filled(), Now: c.Now,
			Sign: func(h http.Header) {
				h.Set("Anthropic-Version", version)
				if !c.Key.Empty() {
					h.Set("X-Api-Key", c.Key.Reveal())
				}
			},
			Mask: wire.Hide(c.Key.Reveal(), c.Key.String()),
		},
	}
}

// Stream implements llm.Model. Faults: model-auth, model-quota, model-missing,
// model-unreachable, model-refused, model-timeout, context-too-long.
func (c *Client) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return wire.Reply(call, func(turn *wire.Turn) error { return c.run(ctx, call, turn) })
}

func (c *Client) run(ctx context.Context, call llm.Call, turn *wire.Turn) error {
	lines, form, err := c.open(ctx, call)
	if err != nil {
		return err
	}
	defer lines.Close()
	d := decoder{call: call, lines: lines, turn: turn, form: form}
	return d.run()
}

// open sends the call, without the parts that its model does not take.
func (c *Client) open(ctx context.Context, call llm.Call) (*wire.Lines, schemaForm, error) {
	var form schemaForm
	lines, err := c.quirks.Send(call.Model, func(q quirks) (*wire.Lines, error) {
		body := encode(call, q)
		form = body.form
		return c.server.Stream(ctx, "/v1/messages", call.Model, body)
	}, func(q quirks, refused *llm.StatusError) (quirks, bool) { return q.learn(call, refused) })
	return lines, form, err
}
