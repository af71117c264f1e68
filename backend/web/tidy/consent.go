package tidy

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	longBanner  = 1500 // characters; a longer one must ask for consent in words
	shortBanner = 700  // of one that nothing marks
	leastPage   = 40   // characters that must be left: a page that is all banner is told as such
	enoughText  = 8 << 10
	mostBanners = 200 // elements that look like one and are looked into
)

// consent takes out banners that ask for consent: what is marked as one, dialogs, and
// short blocks at the edges of a page that say so in words.
func (r *remover) consent(body *html.Node) {
	r.survey(body)
	found, looked := map[*html.Node]bool{}, 0
	walk(body, func(n *html.Node) (inside bool) {
		if len(n.Attr) > 0 && looked < mostBanners && marked(n) {
			looked++
			found[n] = r.isBanner(n)
		}
		return !found[n]
	})
	if title := first(r.doc, atom.Title); !r.about(title) && !r.about(first(body, atom.H1)) {
		for _, n := range r.edges(body) {
			found[n] = true
		}
	}
	var outer []*html.Node // none inside another
	left := r.of[body].chars
	walk(body, func(n *html.Node) (inside bool) {
		if found[n] {
			left -= r.of[n].chars
			outer = append(outer, n)
		}
		return !found[n]
	})
	if left < leastPage {
		return
	}
	for _, n := range outer {
		r.remove(n)
	}
}

// about reports whether a title says that its page is about cookies or consent.
func (r *remover) about(title *html.Node) bool {
	if title == nil || title.FirstChild == nil {
		return false
	}
	text := strings.ToLower(title.FirstChild.Data)
	return have(cookie, text)+have(privacy, text) > 0 || strings.Contains(text, "consent") || strings.Contains(text, "privacy")
}

// marked reports an element that may ask for consent by what it is called, and dialogs.
func marked(n *html.Node) bool {
	if is(n, atom.Html, atom.Body, atom.Main, atom.Article, atom.Script, atom.Style, atom.Link, atom.Meta, atom.A, atom.Input) {
		return false
	}
	m := mark(n)
	return isDialog(n) || perhaps.MatchString(m) || vendors.MatchString(m)
}

func isDialog(n *html.Node) bool {
	role := attr(n, "role")
	return n.DataAtom == atom.Dialog || role == "dialog" || role == "alertdialog" || attr(n, "aria-modal") == "true"
}

// isBanner reports whether a marked element asks for consent.
func (r *remover) isBanner(n *html.Node) bool {
	m, dialog := mark(n), isDialog(n)
	surely := vendors.MatchString(m)
	likely := surely || banners.MatchString(m)
	has, size := r.of[n].holds, r.of[n].chars
	if has&aMain != 0 || !dialog && has&aHeadline != 0 {
		return false
	}
	asks := asksConsent(textOf(n, enoughText))
	switch {
	case size == 0:
		return false
	case dialog:
		return asks
	case 2*size > r.whole && !asks:
		return false
	case surely, likely && size <= longBanner:
		return asks || has&aTable == 0
	}
	return asks && size <= 2*longBanner
}

// edges are the short blocks beside what is most of a page that ask for consent in words.
// They stand outside the article, and are no paragraph of it.
func (r *remover) edges(body *html.Node) (found []*html.Node) {
	for at := body; at != nil; {
		var next *html.Node
		most, paragraphs, all := 0, 0, r.of[at].chars
		for c := at.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || unseen[c.DataAtom] {
				continue
			}
			if c.DataAtom == atom.P {
				paragraphs++
			}
			size := r.of[c].chars
			if size > most {
				next, most = c, size
			}
			if is(c, atom.Div, atom.Section, atom.Aside, atom.Form, atom.Dialog, atom.Footer, atom.Header) && size > 0 && size <= shortBanner &&
				r.of[c].holds&(aHeadline|aTable|aMain|aNav) == 0 && 4*size < 3*r.whole && asksConsent(textOf(c, enoughText)) {
				found = append(found, c)
			}
		}
		if paragraphs > 2 || 2*most < all || next == nil || is(next, atom.Main, atom.Article) {
			return found
		}
		at = next
	}
	return found
}
