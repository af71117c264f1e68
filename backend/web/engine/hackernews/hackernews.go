// Package hackernews asks the search of Hacker News for stories and what was
// said below them.
package hackernews

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Discussion, QueryRunes: 500,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"query": {q.Text}, "tags": {"(story,comment)"}, "hitsPerPage": {strconv.Itoa(q.N)}}
			return web.Get(ctx, c.Base+"/api/v1/search", v)
		},
		Read: web.ListIn(hit, "hits"),
	}
}

// hit is a discussion; the page a story is about is a matter for the other
// engines.
func hit(i int, r web.Fields) web.Hit {
	id := r.Text("objectID")
	if _, err := strconv.ParseUint(id, 10, 63); err != nil {
		return web.Hit{}
	}
	snippet := r.Text("comment_text", "story_text")
	if snippet == "" {
		snippet = fmt.Sprintf("%s (%.0f points, %.0f comments)", r.Text("title"), r.Number("points"), r.Number("num_comments"))
	}
	return web.Hit{
		Title: r.Text("title", "story_title"), Address: "https://news.ycombinator.com/item?id=" + id, Snippet: snippet,
		Published: r.Time("created_at"), Score: 1 / float64(i+1),
	}
}
