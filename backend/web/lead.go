package web

import (
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const snippetRunes = 1200

// Hit is one result as an engine wrote it: texts may hold markup and entities.
type Hit struct {
	Title, Address, Snippet string
	Published               time.Time
	Score                   float64
	Image                   string
}

// Leads makes leads of an engine's hits: plain text, a title, an address that
// may be fetched. Hits without are dropped; of a page that is listed again the hit
// with the higher score stays. At most n pages are kept, in order.
func (g *Guard) Leads(via string, hits []Hit, n int) []evidence.Lead {
	leads, listed := []evidence.Lead{}, map[string]int{}
	for _, h := range hits {
		if len(leads) == n {
			break
		}
		address, ok := g.cleanAddress(h.Address)
		title := PlainText(h.Title, titleRunes)
		if title == "" { // nothing but tags: a title about markup, shown as it is
			title = cleanLine(h.Title, titleRunes)
		}
		if !ok || title == "" {
			continue
		}
		page := rank.NormalizeURL(address)
		at, again := listed[page]
		if again && h.Score <= leads[at].Score {
			continue
		}
		lead := evidence.Lead{
			Source: evidence.Source{
				ID: evidence.NewSourceID(evidence.Web, address, ""), Kind: evidence.Web, Title: title, Address: address, Published: h.Published,
			},
			Snippet: PlainText(h.Snippet, snippetRunes),
			Via:     via,
			Score:   h.Score,
			Image:   g.image(h.Image),
		}
		if again {
			leads[at] = lead
			continue
		}
		listed[page] = len(leads)
		leads = append(leads, lead)
	}
	return leads
}

// OfKind says what leads lead to; an empty kind changes nothing.
func OfKind(kind evidence.Kind, leads []evidence.Lead) []evidence.Lead {
	for i := range leads {
		if src := &leads[i].Source; kind != "" {
			src.Kind, src.ID = kind, evidence.NewSourceID(kind, src.Address, "")
		}
	}
	return leads
}

// cleanAddress gives the address with its host in the form that is looked up,
// so that a look-alike host shows as what it is.
func (g *Guard) cleanAddress(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	if strings.ContainsAny(raw, "\"'<>`\\ \t\r\n{}|^") {
		return "", false
	}
	u, err := parseAddress(raw)
	if err != nil || g.check(u) != nil {
		return "", false
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil {
		return "", false
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" {
		host += ":" + p
	}
	u.Host = host
	if g.check(u) != nil { // a name that is none in the form that is looked up
		return "", false
	}
	return u.String(), true
}

func (g *Guard) image(raw string) string {
	if address, ok := g.cleanAddress(raw); ok {
		return address
	}
	return ""
}

// PlainText drops tags, decodes entities, folds white space and cuts to so many
// characters at a word border. What comes out is text, not markup: a "<" in it
// is a "<" to show.
func PlainText(s string, limit int) string {
	if !strings.ContainsAny(s, "<&") {
		return cleanLine(s, limit)
	}
	var b strings.Builder
	skipped := ""
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		tt := z.Next()
		switch tt {
		case html.ErrorToken:
			return cleanLine(b.String(), limit)
		case html.TextToken:
			if skipped == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tag := string(name)
			switch {
			case tt == html.StartTagToken && (tag == "script" || tag == "style"):
				skipped = tag
			case tag == skipped:
				skipped = ""
			case breaks[tag] || tag == "br" || tag == "li":
				b.WriteByte(' ')
			}
		}
	}
}

// cleanLine folds a text to one visible line of at most limit characters.
func cleanLine(s string, limit int) string {
	s = strings.Join(strings.Fields(evidence.Visible(strings.ToValidUTF8(s, "\uFFFD"))), " ")
	return cutAt(s, limit, "…")
}

// cutAt cuts to at most limit characters, mark included, at a word border when
// there is one in the last third.
func cutAt(s string, limit int, mark string) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	runes := []rune(s)[:max(0, limit-utf8.RuneCountInString(mark))]
	cut := string(runes)
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)*2/3 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ") + mark
}
