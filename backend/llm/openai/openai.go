// Package openai speaks the OpenAI chat dialect with every server that has it:
// OpenAI, Groq, DeepSeek, LM Studio, llama.cpp, vLLM and the user's own.
//
//	openai.go   Client: one server; Stream, and what a server turned out not to take
//	request.go  llm.Call → request body
//	stream.go   server-sent events, or one JSON answer → deltas
//	reasoning.go  thoughts: how long, and sent back where tools need them
//	strict.go   schemas that are held strictly
//	tools.go    tool calls put together from their pieces
//	models.go   List and Probe
//	embed.go    vectors
package openai

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
	"footnote/backend/settings"
)

// Config says how a server is reached.
type Config struct {
	Name    string          // for people and messages; empty means the address
	BaseURL string          // up to and with /v1
	Key     settings.Secret // empty for servers without keys
	Client  *http.Client    // bound to the server's origin, without a timeout of its own
	Limits  llm.Limits      // zero fields mean the defaults
	Now     func() time.Time
}

// Client is one server of the OpenAI dialect. Safe for concurrent use.
type Client struct {
	server wire.Server
	name   string
	strict bool // schemas are held strictly, unless the server refuses that
	quirks wire.Quirks[quirks]
}

var (
	_ llm.Model  = (*Client)(nil)
	_ llm.Lister = (*Client)(nil)
	_ llm.Prober = (*Client)(nil)
)

// New makes a client; nothing is sent yet.
func New(c Config) *Client {
	base := strings.TrimRight(c.BaseURL, "/")
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Client{
		strict: strings.HasPrefix(base, "https://"), // servers of one's own hold any schema by a grammar
		name:   cmp.Or(c.Name, base),
		server: wire.Server{
			Name: cmp.Or(c.Name, base), Base: base, Client: c.Client, Limits: c.Limits.Filled(), Now: c.Now,
			Sign: func(h http.Header) {
				if !c.Key.Empty() {
					h.Set("Authorization", "Bearer "+c.Key.Reveal())
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
	lines, err := c.open(ctx, call)
	if err != nil {
		return err
	}
	defer lines.Close()
	d := decoder{call: call, lines: lines, turn: turn}
	return d.run()
}

// open sends the call, without the parts that the server does not take.
func (c *Client) open(ctx context.Context, call llm.Call) (*wire.Lines, error) {
	return c.quirks.Send(call.Model, func(q quirks) (*wire.Lines, error) {
		if !c.strict {
			q.schema = max(q.schema, fullSchema)
		}
		return c.server.Stream(ctx, "/chat/completions", call.Model, encode(call, q))
	}, func(q quirks, refused *llm.StatusError) (quirks, bool) { return q.learn(call, refused) })
}
