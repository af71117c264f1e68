// Package openalex asks OpenAlex, a catalogue of scholarly works. It serves some
// searches a day without a key.
package openalex

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

const abstractWords = 2000 // of an inverted index that are put back in order

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Paper, QueryRunes: 1000,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"search": {q.Text}, "per_page": {strconv.Itoa(q.N)}}
			if mail := c.Contact(); mail != "" {
				v.Set("mailto", mail)
			}
			if key := c.Secret(); key != "" {
				v.Set("api_key", key)
			}
			return web.Get(ctx, c.Base+"/works", v)
		},
		Read: web.ListIn(hit, "results"),
	}
}

func hit(_ int, r web.Fields) web.Hit {
	var authors []string
	for _, a := range r.List("authorships") {
		authors = append(authors, a.At("author").Text("display_name"))
	}
	place := r.At("primary_location")
	return web.Hit{
		Title:     r.Text("display_name", "title"),
		Address:   cmp.Or(r.At("best_oa_location").Text("landing_page_url"), r.Text("doi"), place.Text("landing_page_url"), r.Text("id")),
		Snippet:   web.Paper(abstract(r.At("abstract_inverted_index")), authors, place.At("source").Text("display_name"), r.Text("publication_date")),
		Published: r.Time("publication_date"), Score: r.Number("relevance_score"),
	}
}

// abstract puts the words of an inverted index back in order.
func abstract(index web.Fields) string {
	type placed struct {
		at   float64
		word string
	}
	var words []placed
	for word, places := range index {
		list, _ := places.([]any)
		for _, at := range list {
			if n, ok := at.(float64); ok && n >= 0 && len(words) < abstractWords {
				words = append(words, placed{n, word})
			}
		}
	}
	slices.SortFunc(words, func(a, b placed) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.word, b.word)) })
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.word + " ")
	}
	return strings.TrimSpace(b.String())
}
