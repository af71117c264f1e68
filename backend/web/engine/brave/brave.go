// Package brave asks Brave Search, with the reader's key.
package brave

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/web"
)

const (
	queryRunes = 400
	queryWords = 50
	mostCount  = 20
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, QueryRunes: queryRunes,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			words := strings.Fields(q.Text)
			v := url.Values{"q": {strings.Join(words[:min(len(words), queryWords)], " ")}, "count": {strconv.Itoa(min(q.N, mostCount))}}
			return web.Get(ctx, c.Base+"/res/v1/web/search", v, "X-Subscription-Token", c.Secret())
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	f, err := web.Object(body)
	if err != nil {
		return nil, err
	}
	if f.Text("type") == "" && len(f.At("web")) == 0 {
		return nil, web.ErrShape
	}
	var hits []web.Hit
	for _, r := range f.At("web").List("results") {
		snippet := r.Text("description")
		for _, more := range r.Texts("extra_snippets") {
			snippet += " " + more
		}
		hits = append(hits, web.Hit{
			Title: r.Text("title"), Address: r.Text("url"), Snippet: snippet, Published: r.Time("page_age", "age"), Image: r.At("thumbnail").Text("src"),
		})
	}
	return hits, nil
}
