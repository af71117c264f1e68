package tidy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// unseen elements show no text.
var unseen = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Head: true, atom.Iframe: true, atom.Svg: true, atom.Title: true, atom.Select: true, atom.Textarea: true}

// inline elements stand inside a line.
var inline = map[atom.Atom]bool{atom.A: true, atom.B: true, atom.I: true, atom.Em: true, atom.Strong: true, atom.Span: true, atom.Small: true, atom.Code: true, atom.Sup: true, atom.Sub: true, atom.Abbr: true, atom.U: true, atom.Mark: true, atom.Time: true, atom.Cite: true, atom.Q: true, atom.Kbd: true, atom.Samp: true, atom.Var: true, atom.Font: true, atom.Bdi: true}

// textOf is what an element shows, in one line, up to so many bytes.
func textOf(n *html.Node, most int) string {
	var b strings.Builder
	collect(n, &b, most)
	return strings.Join(strings.Fields(b.String()), " ")
}

// collect reports whether there was room for all.
func collect(n *html.Node, b *strings.Builder, most int) bool {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return b.Len() <= most
	}
	if n.Type == html.ElementNode && unseen[n.DataAtom] {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !collect(c, b, most) {
			return false
		}
	}
	if n.Type == html.ElementNode && !inline[n.DataAtom] {
		b.WriteByte(' ')
	}
	return b.Len() <= most
}

// pieces are the texts inside an element, one for each run without markup.
func pieces(n *html.Node, most int) (all []string) {
	for c := range n.Descendants() {
		if c.Type != html.TextNode || c.Parent != nil && unseen[c.Parent.DataAtom] {
			continue
		}
		if text := strings.Join(strings.Fields(c.Data), " "); text != "" {
			if all = append(all, text); len(all) > most {
				return nil
			}
		}
	}
	return all
}

// kinds are elements that are looked for inside others, or around them.
type kinds uint16

const (
	aHeadline kinds = 1 << iota
	aMain           // or an article
	aTable
	aForm
	aPre
	aNav
	aLink
	aCode
	aQuote
	aFormula
	aList // of definitions
)

var kindOf = map[atom.Atom]kinds{atom.H1: aHeadline, atom.Main: aMain, atom.Article: aMain, atom.Table: aTable, atom.Form: aForm, atom.Pre: aPre, atom.Nav: aNav,
	atom.A: aLink, atom.Code: aCode, atom.Blockquote: aQuote, atom.Math: aFormula, atom.Dl: aList}

// measure is what is known of an element: how many characters it shows, how many nodes are
// inside it, and what it is, has or stands in.
type measure struct {
	chars, nodes int
	holds        kinds // itself with it
	within       kinds
}

// survey measures all elements of a tree in one pass: pages nest as deep as they like.
func survey(n *html.Node, within kinds, all map[*html.Node]measure) measure {
	m := measure{within: within}
	if n.Type == html.ElementNode {
		m.holds = kindOf[n.DataAtom]
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		m.nodes++
		switch c.Type {
		case html.TextNode:
			for field := range strings.FieldsSeq(c.Data) {
				m.chars += utf8.RuneCountInString(field) + 1
			}
		case html.ElementNode:
			inner := survey(c, within|m.holds, all)
			m.nodes += inner.nodes
			m.holds |= inner.holds
			if !unseen[c.DataAtom] {
				m.chars += inner.chars
			}
		}
	}
	all[n] = m
	return m
}

// walk visits the elements inside one in their order, and what is inside those where visit
// says so.
func walk(n *html.Node, visit func(*html.Node) (inside bool)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && visit(c) {
			walk(c, visit)
		}
	}
}

// is reports whether a node is an element of some sort.
func is(n *html.Node, sorts ...atom.Atom) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for _, s := range sorts {
		if n.DataAtom == s {
			return true
		}
	}
	return false
}

// within reports whether an element stands inside one of some sort.
func within(n *html.Node, sorts ...atom.Atom) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if is(n, sorts...) {
			return true
		}
	}
	return false
}

// first is the first element of a sort in a tree; nil when there is none.
func first(doc *html.Node, sorts ...atom.Atom) *html.Node {
	for c := range doc.Descendants() {
		if is(c, sorts...) {
			return c
		}
	}
	return nil
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// mark is what names an element.
func mark(n *html.Node) string {
	if len(n.Attr) == 0 {
		return ""
	}
	m := attr(n, "id") + " " + attr(n, "class")
	return m[:min(len(m), 400)]
}
