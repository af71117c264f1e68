// Package gemini speaks Google's own dialect for Gemini: unlike its OpenAI
// accent it tells windows and abilities of models.
//
//	gemini.go   Client: one server; Stream, and what a model turned out not to take
//	request.go  llm.Call → request body, with the signatures of thoughts sent back
//	stream.go   server-sent events, or one whole answer → deltas
//	models.go   List and Probe
//	embed.go    vectors
package gemini

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"footnote/backend/llm"
	"footnote/backend/llm/wire"
	"footnote/backend/settings"
)

// Config says how the server is reached.
type Config struct {
	BaseURL string // with or without /v1beta
	Key     settings.Secret
	Client  *http.Client // bound to the server's origin, without a timeout of its own
	Limits  llm.Limits   // zero fields mean the defaults
	Now     func() time.Time
}

// Client is one server of the Gemini dialect. Safe for concurrent use.
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
			Name: "Gemini", Base: strings.TrimSuffix(strings.TrimRight(c.BaseURL, "/"), "/v1beta") + "/v1beta",
			Client: c.Client, Limits: c.Limits.Filled(), Now: c.Now,
			Sign: func(h http.Header) {
				if !c.Key.Empty() {
					h.Set("X-Goog-Api-Key", c.Key.Reveal())
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
	return lines.Events(call.Model, turn, d.event)
}

// open sends the call, without the parts that its model does not take.
func (c *Client) open(ctx context.Context, call llm.Call) (*wire.Lines, error) {
	return c.quirks.Send(call.Model, func(q quirks) (*wire.Lines, error) {
		return c.server.Stream(ctx, modelPath(call.Model)+":streamGenerateContent?alt=sse", call.Model, encode(call, q))
	}, func(q quirks, refused *llm.StatusError) (quirks, bool) { return q.learn(call, refused) })
}

// modelPath is where a model is asked.
func modelPath(model string) string {
	return "/models/" + url.PathEscape(strings.TrimPrefix(model, "models/"))
}
