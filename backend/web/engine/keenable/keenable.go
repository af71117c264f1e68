// Package keenable asks Keenable: with the reader's key, or without one, for
// which the reader has to agree first.
package keenable

import (
	"context"
	"net/http"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			key, path := c.Secret(), "/v1/search/public"
			if key != "" {
				path = "/v1/search"
			}
			return web.Post(ctx, c.Base+path, map[string]any{"query": q.Text, "mode": "realtime"}, "X-Keenable-Title", "Footnote", "X-API-KEY", key)
		},
		Read: web.ListIn(hit, "results"),
	}
}

func hit(_ int, r web.Fields) web.Hit {
	return web.Hit{Title: r.Text("title"), Address: r.Text("url"), Snippet: r.Text("snippet", "description"), Published: r.Time("published_at")}
}
