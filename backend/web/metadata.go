package web

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
)

const (
	titleRunes   = 300
	ldBytes      = 512 << 10 // of one JSON-LD block
	ldDepth      = 12
	earliestYear = 1990
)

// metadata is what a page says about itself.
type metadata struct {
	title     string
	published time.Time
	image     string // as written; empty when none
	paid      bool   // the page says that it is not free to read
	scripts   int
	challenge bool // carries the markup of a CAPTCHA
}

// readMetadata reads a tree before it is stripped: titles and dates of JSON-LD,
// OpenGraph and the usual <meta> names, <time>, and the preview picture.
func readMetadata(doc *html.Node) metadata {
	r := metaReader{dates: map[string]string{}, titles: map[string]string{}}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			r.element(n)
		}
	}
	return r.result()
}

type metaReader struct {
	m      metadata
	titles map[string]string
	dates  map[string]string
	og     string
	img    string
}

func (r *metaReader) element(n *html.Node) {
	switch n.Data {
	case "title":
		setOnce(r.titles, "title", innerText(n))
	case "h1":
		setOnce(r.titles, "h1", innerText(n))
	case "meta":
		r.meta(n)
	case "time":
		r.time(n)
	case "img":
		if src := attr(n, "src"); r.img == "" && (strings.HasPrefix(src, "http://") || strings.HasPrefix(src, "https://")) {
			r.img = src
		}
	case "script":
		r.m.scripts++
		if strings.EqualFold(attr(n, "type"), "application/ld+json") && n.FirstChild != nil {
			r.linked(n.FirstChild.Data)
		}
	}
	if mark := attr(n, "class") + " " + attr(n, "id"); strings.Contains(mark, "g-recaptcha") || strings.Contains(mark, "h-captcha") ||
		strings.Contains(mark, "cf-challenge") || strings.Contains(mark, "challenge-form") || strings.Contains(mark, "cf-turnstile") {
		r.m.challenge = true
	}
}

// dateNames ranks the <meta> names that carry a date, the best first.
var dateNames = []string{
	"ld:published", "article:published_time", "og:published_time", "datepublished", "citation_publication_date", "citation_date",
	"parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.created", "dc.date", "pubdate", "publishdate", "publish_date",
	"publish-date", "date", "time:pubdate", "time", "ld:modified", "article:modified_time", "datemodified",
}

func (r *metaReader) meta(n *html.Node) {
	value := strings.TrimSpace(attr(n, "content"))
	if value == "" {
		return
	}
	for _, key := range []string{"property", "name", "itemprop"} {
		for name := range strings.FieldsSeq(strings.ToLower(attr(n, key))) {
			switch name {
			case "og:title", "twitter:title":
				setOnce(r.titles, name, value)
			case "og:image", "og:image:url", "og:image:secure_url":
				if r.og == "" {
					r.og = value
				}
			default:
				setOnce(r.dates, name, value)
			}
		}
	}
}

func (r *metaReader) time(n *html.Node) {
	name := "time"
	if _, ok := attribute(n, "pubdate"); ok || strings.EqualFold(attr(n, "itemprop"), "datePublished") {
		name = "time:pubdate"
	}
	setOnce(r.dates, name, attr(n, "datetime"))
}

func (r *metaReader) linked(data string) {
	if len(data) > ldBytes {
		return
	}
	var v any
	if json.Unmarshal([]byte(strings.TrimSpace(data)), &v) == nil {
		r.graph(v, 0)
	}
}

func (r *metaReader) graph(v any, depth int) {
	if depth > ldDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.graph(item, depth+1)
		}
	case map[string]any:
		r.thing(v)
		for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
			r.graph(v[key], depth+1)
		}
	}
}

func (r *metaReader) thing(v map[string]any) {
	word := func(key string) string { s, _ := v[key].(string); return s }
	setOnce(r.dates, "ld:published", word("datePublished"))
	setOnce(r.dates, "ld:modified", word("dateModified"))
	setOnce(r.titles, "ld", word("headline"))
	if free := v["isAccessibleForFree"]; free == false || free == "False" || free == "false" {
		r.m.paid = true
	}
}

func (r *metaReader) result() metadata {
	m := r.m
	for _, name := range []string{"og:title", "twitter:title", "ld", "title", "h1"} {
		if m.title = cleanLine(r.titles[name], titleRunes); m.title != "" {
			break
		}
	}
	for _, name := range dateNames {
		if m.published = ParseDate(r.dates[name]); !m.published.IsZero() {
			break
		}
	}
	if m.image = r.og; m.image == "" {
		m.image = r.img
	}
	return m
}

func setOnce(m map[string]string, key, value string) {
	if value = strings.TrimSpace(value); value != "" && m[key] == "" {
		m[key] = value
	}
}

var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly, "2006/01/02", "2006-01", "20060102",
	time.RFC1123, time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700",
	"January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "January 2006",
}

// ParseDate reads a date as pages and engines write them, in UTC. What cannot be
// read, and dates before 1990, give the zero time.
func ParseDate(s string) time.Time {
	s = strings.TrimSpace(s)
	if len(s) < 4 || len(s) > 64 {
		return time.Time{}
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= earliestYear && t.Year() < 2200 {
			return t.UTC()
		}
	}
	return time.Time{}
}

// resolveLink makes the absolute http(s) address of a link on a page; empty when
// there is none.
func resolveLink(base *url.URL, link string) string {
	u, err := base.Parse(strings.TrimSpace(link))
	if link == "" || err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return ""
	}
	return u.String()
}
