// Package tavily asks Tavily: with the reader's key, or without one in its
// keyless mode, for which the reader has to agree first.
package tavily

import (
	"context"
	"net/http"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

const queryRunes = 400

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, QueryRunes: queryRunes,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			header, value := "X-Tavily-Access-Mode", "keyless"
			if key := c.Secret(); key != "" {
				header, value = "Authorization", "Bearer "+key
			}
			return web.Post(ctx, c.Base+"/search", map[string]any{
				"query": q.Text, "max_results": min(q.N, 20), "search_depth": "basic", "topic": "general",
			}, header, value)
		},
		Read: web.ListIn(hit, "results"),
	}
}

func hit(_ int, r web.Fields) web.Hit {
	return web.Hit{
		Title: r.Text("title"), Address: r.Text("url"), Snippet: r.Text("content"), Published: r.Time("published_date"), Score: r.Number("score"),
	}
}
