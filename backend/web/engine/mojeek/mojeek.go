// Package mojeek reads the result page of Mojeek, which has a crawler of its
// own. It needs no key.
package mojeek

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"footnote/backend/answer/gather"
	"footnote/backend/bounded"
	"footnote/backend/web"
)

const queryRunes = 400

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, QueryRunes: queryRunes,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			return web.Get(ctx, c.Base+"/search", url.Values{"q": {q.Text}}, "Accept", "text/html")
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	if !bytes.Contains(bytes.ToLower(body), []byte("</html>")) {
		return nil, web.ErrShape
	}
	markup, _ := bounded.Markup(string(body), bounded.Nodes)
	page, err := goquery.NewDocumentFromReader(strings.NewReader(markup))
	if err != nil {
		return nil, err
	}
	if page.Find(`form[action="/search"], .results, ul.results-standard`).Length() == 0 {
		return nil, web.ErrShape
	}
	var hits []web.Hit
	page.Find("ul.results-standard > li").Each(func(i int, s *goquery.Selection) {
		link := s.Find("a.title, h2 a").First()
		hits = append(hits, web.Hit{
			Title: link.Text(), Address: link.AttrOr("href", ""), Snippet: strings.TrimSpace(s.Find("p.s").First().Text()), Score: 1 / float64(i+1),
		})
	})
	return hits, nil
}
