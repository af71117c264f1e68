// Package stackexchange asks Stack Overflow through the API of Stack Exchange.
package stackexchange

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Discussion, QueryRunes: 300,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{
				"q": {q.Text}, "site": {"stackoverflow"}, "order": {"desc"}, "sort": {"relevance"}, "filter": {"withbody"}, "pagesize": {strconv.Itoa(q.N)},
			}
			if key := c.Secret(); key != "" {
				v.Set("key", key)
			}
			return web.Get(ctx, c.Base+"/2.3/search/advanced", v)
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	f, err := web.Object(body)
	if err != nil {
		return nil, err
	}
	if wait := f.Number("backoff"); wait > 0 && len(f.List("items")) == 0 || f.Text("error_name") == "throttle_violation" {
		return nil, &web.Block{Why: web.BlockTooMany, RetryAfter: time.Duration(wait) * time.Second}
	}
	if !f.Has("items") {
		return nil, web.ErrShape
	}
	var hits []web.Hit
	for i, r := range f.List("items") {
		var asked time.Time
		if at := r.Number("creation_date"); at > 0 {
			asked = time.Unix(int64(at), 0).UTC()
		}
		hits = append(hits, web.Hit{Title: r.Text("title"), Address: r.Text("link"), Snippet: r.Text("body", "excerpt"), Published: asked, Score: 1 / float64(i+1)})
	}
	return hits, nil
}
