// Package lemmy asks a Lemmy server for posts and comments of its network.
package lemmy

import (
	"cmp"
	"context"
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
		Access: c, Kind: evidence.Discussion, QueryRunes: 300,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"q": {q.Text}, "type_": {"All"}, "sort": {"TopAll"}, "limit": {strconv.Itoa(q.N)}}
			return web.Get(ctx, c.Base+"/api/v3/search", v)
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	f, err := web.Object(body)
	if err != nil {
		return nil, err
	}
	if !f.Has("posts") && !f.Has("comments") {
		return nil, web.ErrShape
	}
	var hits []web.Hit
	for _, r := range f.List("posts") {
		p := r.At("post")
		hits = append(hits, web.Hit{Title: p.Text("name"), Address: p.Text("ap_id"), Snippet: cmp.Or(p.Text("body"), p.Text("name")), Published: p.Time("published"), Score: r.At("counts").Number("score")})
	}
	for _, r := range f.List("comments") {
		said := r.At("comment")
		hits = append(hits, web.Hit{Title: r.At("post").Text("name"), Address: said.Text("ap_id"), Snippet: said.Text("content"), Published: said.Time("published"), Score: r.At("counts").Number("score")})
	}
	return hits, nil
}
