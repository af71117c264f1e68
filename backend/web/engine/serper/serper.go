// Package serper asks Serper, or a proxy of the same shape, with the reader's
// key.
package serper

import (
	"context"
	"net/http"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			base := strings.TrimSuffix(strings.TrimRight(c.Base, "/"), "/search")
			return web.Post(ctx, base+"/search", map[string]any{"q": q.Text, "num": q.N}, "X-API-KEY", c.Secret())
		},
		Read: web.ListIn(hit, "organic"), // which the answer to an over-long query lacks
	}
}

func hit(_ int, r web.Fields) web.Hit {
	score := 0.0
	if place := r.Number("position"); place >= 1 {
		score = 1 / place
	}
	return web.Hit{
		Title: r.Text("title"), Address: r.Text("link"), Snippet: r.Text("snippet"), Published: r.Time("date"), Score: score, Image: r.Text("imageUrl"),
	}
}
