// Package arxiv asks arXiv's API, at most once in three seconds.
package arxiv

import (
	"context"
	"encoding/xml"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Paper, QueryRunes: 300,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"search_query": {expression(q.Text)}, "start": {"0"}, "max_results": {strconv.Itoa(q.N)}, "sortBy": {"relevance"}}
			return web.Get(ctx, c.Base+"/api/query", v, "Accept", "application/atom+xml")
		},
		Read: read,
	}
}

// expression asks for every word; what has a meaning of its own in arXiv's query
// language is left out.
func expression(query string) string {
	words := strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune(" \t\"():[]{}&|!*?+", r) })
	for i, w := range words {
		words[i] = "all:" + w
	}
	return strings.Join(words, " AND ")
}

type feed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Entries []struct {
		ID        string `xml:"id"`
		Title     string `xml:"title"`
		Summary   string `xml:"summary"`
		Published string `xml:"published"`
		Authors   []struct {
			Name string `xml:"name"`
		} `xml:"author"`
	} `xml:"entry"`
}

func read(body []byte) ([]web.Hit, error) {
	var f feed
	if err := bounded.UnmarshalXML(body, &f); err != nil {
		return nil, err
	}
	var hits []web.Hit
	for i, e := range f.Entries {
		if strings.TrimSpace(e.Title) == "Error" {
			return nil, web.ErrShape
		}
		var authors []string
		for _, a := range e.Authors {
			authors = append(authors, a.Name)
		}
		published := web.ParseDate(e.Published)
		hits = append(hits, web.Hit{
			Title: e.Title, Address: strings.Replace(strings.TrimSpace(e.ID), "http://arxiv.org", "https://arxiv.org", 1),
			Snippet: web.Paper(e.Summary, authors, "arXiv", strings.SplitN(e.Published, "T", 2)[0]), Published: published, Score: 1 / float64(i+1),
		})
	}
	return hits, nil
}
