// Package exa asks Exa, a search by meaning, with the reader's key.
package exa

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
			return web.Post(ctx, c.Base+"/search", map[string]any{
				"query": q.Text, "numResults": q.N, "type": "auto", "contents": map[string]any{"highlights": true},
			}, "x-api-key", c.Secret())
		},
		Read: web.ListIn(hit, "results"),
	}
}

func hit(_ int, r web.Fields) web.Hit {
	snippet := strings.Join(r.Texts("highlights"), " … ")
	if snippet == "" {
		snippet = r.Text("text", "summary")
	}
	return web.Hit{
		Title: r.Text("title"), Address: r.Text("url"), Snippet: snippet, Published: r.Time("publishedDate"), Score: r.Number("score"), Image: r.Text("image"),
	}
}
