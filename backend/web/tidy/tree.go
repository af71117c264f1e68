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

func collect(n *html.Node, b *strings.Builder, most int) {
	if b.Len() > most {
		return
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Type == html.ElementNode && unseen[n.DataAtom] {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		collect(c, b, most)
	}
	if n.Type == html.ElementNode && !inline[n.DataAtom] {
		b.WriteByte(' ')
	}
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

// length is how many characters an element shows.
func length(n *html.Node) (runes int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			for field := range strings.FieldsSeq(c.Data) {
				runes += utf8.RuneCountInString(field) + 1
			}
		case c.Type == html.ElementNode && !unseen[c.DataAtom]:
			runes += length(c)
		}
	}
	return runes
}

const smallNodes = 150

// small reports an element that has few others inside: what is larger is no line.
func small(n *html.Node) bool {
	nodes := 0
	for range n.Descendants() {
		if nodes++; nodes > smallNodes {
			return false
		}
	}
	return true
}

// holds reports whether an element is or has one of some kind.
func holds(n *html.Node, kinds ...atom.Atom) bool {
	if is(n, kinds...) {
		return true
	}
	for c := range n.Descendants() {
		if is(c, kinds...) {
			return true
		}
	}
	return false
}

func is(n *html.Node, kinds ...atom.Atom) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for _, k := range kinds {
		if n.DataAtom == k {
			return true
		}
	}
	return false
}

// within reports whether an element stands inside one of some kind.
func within(n *html.Node, kinds ...atom.Atom) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if is(n, kinds...) {
			return true
		}
	}
	return false
}

// first is the first element of a kind in a tree; nil when there is none.
func first(doc *html.Node, kinds ...atom.Atom) *html.Node {
	for c := range doc.Descendants() {
		if is(c, kinds...) {
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
