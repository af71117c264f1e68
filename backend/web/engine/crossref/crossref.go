// Package crossref asks Crossref, the register of DOIs.
package crossref

import (
	"context"
	"fmt"
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
		Access: c, Kind: evidence.Paper, QueryRunes: 1000,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"query": {q.Text}, "rows": {strconv.Itoa(q.N)}, "select": {"DOI,URL,title,author,issued,container-title,abstract,score"}}
			if mail := c.Contact(); mail != "" {
				v.Set("mailto", mail)
			}
			return web.Get(ctx, c.Base+"/works", v)
		},
		Read: web.ListIn(hit, "message", "items"),
	}
}

func hit(_ int, r web.Fields) web.Hit {
	var authors []string
	for _, a := range r.List("author") {
		authors = append(authors, strings.TrimSpace(a.Text("given")+" "+a.Text("family")))
	}
	date := issued(r)
	address := r.Text("URL")
	if doi := r.Text("DOI"); doi != "" {
		address = "https://doi.org/" + doi
	}
	return web.Hit{
		Title: strings.Join(r.Texts("title"), ": "), Address: address, Published: web.ParseDate(date), Score: r.Number("score"),
		Snippet: web.Paper(r.Text("abstract"), authors, strings.Join(r.Texts("container-title"), ", "), date),
	}
}

// issued is the date of a work as far as it is known.
func issued(r web.Fields) string {
	outer, _ := r.At("issued")["date-parts"].([]any)
	if len(outer) == 0 {
		return ""
	}
	parts, _ := outer[0].([]any)
	var date string
	for i, p := range parts[:min(len(parts), 3)] {
		n, ok := p.(float64)
		switch {
		case !ok || n < 1 || n > 9999:
			return date
		case i == 0:
			date = fmt.Sprintf("%04d", int(n))
		default:
			date += fmt.Sprintf("-%02d", int(n))
		}
	}
	return date
}
