// Package duckduckgo reads the first page of DuckDuckGo's plain HTML search. It
// needs no key, and is asked seldom: a block lasts about an hour.
package duckduckgo

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

const (
	queryRunes = 499
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, QueryRunes: queryRunes,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			form := url.Values{"q": {q.Text}, "b": {""}}.Encode()
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Base+"/html/", strings.NewReader(form))
			if err == nil {
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				req.Header.Set("Accept", "text/html")
			}
			return req, err
		},
		Read: read,
	}
}

func read(body []byte) ([]web.Hit, error) {
	if bytes.Contains(body, []byte("anomaly-modal")) || bytes.Contains(body, []byte("/anomaly.js")) {
		return nil, &web.Block{Why: web.BlockCaptcha}
	}
	if !bytes.Contains(bytes.ToLower(body), []byte("</html>")) {
		return nil, web.ErrShape
	}
	markup, _ := bounded.Markup(string(body), bounded.Nodes)
	page, err := goquery.NewDocumentFromReader(strings.NewReader(markup))
	if err != nil {
		return nil, err
	}
	if page.Find("#links, .serp__results").Length() == 0 {
		return nil, web.ErrShape
	}
	var hits []web.Hit
	page.Find(".result").Each(func(i int, s *goquery.Selection) {
		link := s.Find("a.result__a").First()
		if s.HasClass("result--ad") || link.Length() == 0 {
			return
		}
		hits = append(hits, web.Hit{Title: link.Text(), Address: target(link.AttrOr("href", "")), Snippet: s.Find(".result__snippet").First().Text(), Score: 1 / float64(i+1)})
	})
	return hits, nil
}

// target is where a result leads: results go through a page that counts clicks.
func target(href string) string {
	if strings.HasPrefix(href, "//") {
		href = "https:" + href
	}
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	if strings.HasSuffix(u.Hostname(), "duckduckgo.com") && u.Path == "/l/" {
		return u.Query().Get("uddg")
	}
	if strings.HasSuffix(u.Hostname(), "duckduckgo.com") && u.Path == "/y.js" { // an advertisement
		return ""
	}
	return href
}
