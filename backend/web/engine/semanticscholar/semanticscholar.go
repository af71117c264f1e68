// Package semanticscholar asks Semantic Scholar. Without a key its shared pool
// is often full.
package semanticscholar

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Paper, QueryRunes: 500,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{
				"query": {strings.ReplaceAll(q.Text, "-", " ")}, "limit": {strconv.Itoa(q.N)}, // a hyphen finds nothing there
				"fields": {"title,abstract,year,url,openAccessPdf,citationCount,authors,venue,publicationDate"},
			}
			return web.Get(ctx, c.Base+"/graph/v1/paper/search", v, "x-api-key", c.Secret())
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	f, err := web.Object(body)
	if err != nil {
		return nil, err
	}
	if _, counted := f["total"].(float64); !counted && !f.Has("data") { // nothing found: a total of 0 and no data
		return nil, web.ErrShape
	}
	var hits []web.Hit
	for i, r := range f.List("data") {
		var authors []string
		for _, a := range r.List("authors") {
			authors = append(authors, a.Text("name"))
		}
		date := r.Text("publicationDate")
		if year := int(r.Number("year")); date == "" && year > 0 {
			date = strconv.Itoa(year)
		}
		hits = append(hits, web.Hit{
			Title: r.Text("title"), Address: cmp.Or(r.Text("url"), r.At("openAccessPdf").Text("url")), Published: web.ParseDate(date),
			Snippet: web.Paper(r.Text("abstract"), authors, r.Text("venue"), date), Score: 1 / float64(i+1),
		})
	}
	return hits, nil
}
