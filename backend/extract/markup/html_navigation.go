package markup

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Classes and table summaries by which generators of handbooks (DocBook, Sphinx,
// texinfo, Doxygen, MkDocs) and of sites mark what only leads to other pages.
var navigationMarks = map[string]bool{
	"nav": true, "navheader": true, "navfooter": true, "navbar": true, "navigation": true, "nav-panel": true, "nav-accesskeys": true,
	"breadcrumb": true, "breadcrumbs": true, "pagination": true, "pager": true, "prev-next": true, "skip-link": true, "navpath": true,
	"sphinxsidebar": true, "wy-nav-side": true, "bd-sidebar": true, "md-sidebar": true, "toc-drawer": true, "sidebar-drawer": true, "sidebar-tree": true, "sidebar-toc": true, "localtoc": true,
	"toc": true, "table-of-contents": true, "tableofcontents": true, "list-of-tables": true, "list-of-figures": true, "list-of-examples": true,
}

// isNavigation reports whether an element only leads to other pages: their titles
// stand there as if the page told something of them.
func isNavigation(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	if n.DataAtom == atom.Nav || isContents(n) || isPaging(n) {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			if a.Val == "navigation" || a.Val == "doc-backlink" {
				return true
			}
		case "class":
			if hasField(a.Val, navigationMarks) {
				return true
			}
		case "summary":
			if n.DataAtom == atom.Table && strings.HasPrefix(strings.ToLower(a.Val), "navigation") {
				return true
			}
		}
	}
	return false
}

// fewestContents is how many links a list has that is the contents of its page.
const fewestContents = 3

// isContents reports whether a list, or a table below its heads, has nothing but links,
// numbers and single letters, and half of the links at least lead to places within pages
// of its own site: contents and indexes, in which headings and terms of those pages stand
// once more.
func isContents(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Dl, atom.Table:
	default:
		return false
	}
	links, places := 0, 0
	var only func(n *html.Node) bool
	only = func(n *html.Node) bool {
		switch {
		case n.Type == html.TextNode:
			return utf8.RuneCountInString(strings.TrimSpace(n.Data)) == 1 || !strings.ContainsFunc(n.Data, unicode.IsLetter)
		case n.DataAtom == atom.A:
			links++
			if leadsToPlace(n) {
				places++
			}
			return true
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom != atom.Th && !only(c) {
				return false
			}
		}
		return true
	}
	return only(n) && links >= fewestContents && 2*places >= links
}

// mostPaging is how many links lead to the pages around one: before, after, up,
// home and contents, each perhaps with a picture. More are a list, and an element of
// more nodes is more than a line.
const (
	mostPaging  = 10
	pagingNodes = 200
)

// isPaging reports whether an element has nothing but links, one of which is marked
// as the way to the page before or after: what DocBook, Publican, Texinfo and blogs
// put above and below a page, with the titles of others. Where both ways are marked,
// a word may stand before each: "Next: Stones, Up: The mill".
func isPaging(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Div, atom.P, atom.Table:
	default:
		return false
	}
	marked, links, unlinked, seen := 0, 0, 0, 0
	var count func(n *html.Node, linked bool)
	count = func(n *html.Node, linked bool) {
		if seen++; seen > pagingNodes {
			return
		}
		if n.Type == html.TextNode && !linked {
			unlinked += len(strings.FieldsFunc(n.Data, func(r rune) bool { return !unicode.IsLetter(r) }))
		}
		if n.DataAtom == atom.A {
			links++
			linked = true
		}
		if linked && leadsBeside(n) || n.DataAtom == atom.Li && hasClassOf(n, besideMarks) {
			marked++
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			count(c, linked)
		}
	}
	count(n, false)
	return seen <= pagingNodes && links <= mostPaging && marked > 0 && (unlinked == 0 || marked > 1 && unlinked <= marked+1)
}

// besideMarks are the classes and relations of links to the pages before, after and above.
var besideMarks = map[string]bool{"prev": true, "previous": true, "next": true, "up": true}

// leadsBeside reports whether a link says that it leads to the page before, after or above:
// by its relation, its class, or the access key that DocBook gives it.
func leadsBeside(n *html.Node) bool {
	if n.DataAtom != atom.A {
		return false
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "rel" && hasField(a.Val, besideMarks), a.Key == "accesskey" && (a.Val == "p" || a.Val == "n" || a.Val == "u"):
			return true
		}
	}
	return hasClassOf(n, besideMarks)
}

// hasClassOf reports whether an element has one of some classes.
func hasClassOf(n *html.Node, classes map[string]bool) bool {
	for _, a := range n.Attr {
		if a.Key == "class" && hasField(a.Val, classes) {
			return true
		}
	}
	return false
}

// hasField reports whether one of the words of an attribute is among some.
func hasField(value string, words map[string]bool) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(value)), func(w string) bool { return words[w] })
}

// isPermalink reports whether a link leads to where it stands and is a sign, as handbooks
// and sites put it behind headings and terms: "¶", "#", "🔗".
func isPermalink(n *html.Node) bool {
	if n.DataAtom != atom.A || !leadsInside(n) {
		return false
	}
	for c := range n.Descendants() {
		if c.Type == html.TextNode && strings.ContainsFunc(c.Data, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return false
		}
	}
	return true
}

// leadsInside reports whether a link leads to a place of its own page.
func leadsInside(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "href" {
			return strings.HasPrefix(a.Val, "#")
		}
	}
	return false
}

// leadsToPlace reports whether a link leads to a place within a page of its own site.
func leadsToPlace(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "href" {
			to, err := url.Parse(strings.TrimSpace(a.Val))
			return err == nil && to.Scheme == "" && to.Host == "" && to.Fragment != ""
		}
	}
	return false
}

// hasMore reports whether a page says anything besides its navigation. A page that
// does not, such as a table of contents, keeps it.
func hasMore(root *html.Node) bool {
	var more func(n *html.Node, inBody bool) bool
	more = func(n *html.Node, inBody bool) bool {
		switch {
		case n.Type == html.TextNode:
			return inBody && strings.TrimSpace(n.Data) != ""
		case n.Type == html.ElementNode && (unseen(n.DataAtom) || hidden(n.Attr) || isNavigation(n)):
			return false
		}
		inBody = inBody || n.DataAtom == atom.Body
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if more(c, inBody) {
				return true
			}
		}
		return false
	}
	return more(root, false)
}
