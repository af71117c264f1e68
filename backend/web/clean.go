package web

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// dead elements hold no text for a reader.
var dead = map[string]bool{
	"script": true, "style": true, "noscript": true, "template": true, "iframe": true, "frame": true, "object": true, "embed": true,
	"svg": true, "canvas": true, "select": true, "textarea": true, "button": true, "datalist": true, "dialog": true,
	"audio": true, "video": true, "map": true, "applet": true, "head": true, "title": true, "math": true,
}

// strip removes from the tree what a reader does not see, and returns the text
// that had been hidden, for the sign of instructions. head stays.
func strip(doc *html.Node) (hidden string) {
	s := stripper{}
	s.walk(doc, "")
	return s.hidden.String()
}

const hiddenKept = 64 << 10

type stripper struct{ hidden strings.Builder }

const mostAttributes = 64 // of an element; extractors copy them one by one

func (s *stripper) walk(n *html.Node, background string) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		c.Attr = c.Attr[:min(len(c.Attr), mostAttributes)]
		switch {
		case c.Type == html.CommentNode, c.Type == html.TextNode && veiled(c.Data):
			s.keep(c.Data)
			n.RemoveChild(c)
		case c.Type == html.ElementNode && legible(c) != "":
			n.InsertBefore(&html.Node{Type: html.TextNode, Data: legible(c)}, c)
			n.RemoveChild(c)
		case c.Type == html.ElementNode && (removable(c) || scriptedFormula(c) || concealed(c, background)):
			s.keep(innerText(c))
			n.RemoveChild(c)
		case c.Type == html.ElementNode:
			s.keep(attr(c, "alt"))
			s.walk(c, ground(c, background))
		}
		c = next
	}
}

// veiled reports text that hides from people's searches what it asks of a
// machine.
func veiled(text string) bool { return evidence.Veiled(text) && evidence.Instructs(text) }

func (s *stripper) keep(text string) {
	if room := hiddenKept - s.hidden.Len(); room > 0 && text != "" {
		s.hidden.WriteString(text[:min(len(text), room)] + "\n")
	}
}

var footnoteMark = pattern.New(`^\s*\[\s*(?:\d{1,4}|[a-z]|note \d+|citation needed)\s*\]\s*$`)

// removable elements are dead, or marks that would read as citations.
func removable(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head: // its parts are read by the metadata, or dead
		return false
	case atom.Sup:
		return footnoteMark.MatchString(innerText(n)) || notePointer(n)
	}
	return dead[n.Data] || slices.Contains(strings.Fields(attr(n, "class")), "mw-editsection")
}

// notePointer reports a raised number that leads to a note on the same page.
func notePointer(sup *html.Node) bool {
	for c := range sup.Descendants() {
		if c.DataAtom == atom.A && strings.HasPrefix(attr(c, "href"), "#") {
			return len(strings.TrimSpace(innerText(sup))) <= 4
		}
	}
	return false
}

// legible is the text of what is drawn: a formula or a raised number. Empty for
// all else.
func legible(n *html.Node) string {
	if n.DataAtom == atom.Sup && !removable(n) {
		return exponent(n)
	}
	return formula(n)
}

// concealed reports elements that are in the page and not on the screen.
func concealed(n *html.Node, background string) bool {
	if _, ok := attribute(n, "hidden"); ok {
		return true
	}
	style := declarations(attr(n, "style"))
	if len(style) == 0 {
		return false
	}
	color := style["color"]
	return style["display"] == "none" || style["visibility"] == "hidden" || style["visibility"] == "collapse" ||
		zero(style["opacity"], 0.05) || zero(style["font-size"], 2) ||
		(color != "" && (color == "transparent" || color == ground(n, background))) ||
		offScreen(style)
}

func offScreen(style map[string]string) bool {
	for _, p := range []string{"left", "top", "right", "text-indent", "margin-left"} {
		if v, ok := number(style[p]); ok && v <= -900 {
			return true
		}
	}
	clip := style["clip"] + style["clip-path"]
	return strings.Contains(clip, "rect(0") || clip == "inset(100%)" ||
		(style["overflow"] == "hidden" && (zero(style["height"], 1) || zero(style["max-height"], 1) || zero(style["width"], 1)))
}

// ground is the background colour that an element's text stands on, as far as
// inline styles say.
func ground(n *html.Node, inherited string) string {
	style := declarations(attr(n, "style"))
	for _, p := range []string{"background-color", "background"} {
		if v := style[p]; v != "" {
			return v
		}
	}
	if v := attr(n, "bgcolor"); v != "" {
		return strings.ToLower(v)
	}
	return inherited
}

func declarations(style string) map[string]string {
	if style == "" {
		return nil
	}
	out := map[string]string{}
	for d := range strings.SplitSeq(style, ";") {
		if name, value, ok := strings.Cut(d, ":"); ok {
			value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.ToLower(value)), "!important"))
			out[strings.ToLower(strings.TrimSpace(name))] = strings.ReplaceAll(value, " ", "")
		}
	}
	return out
}

// zero reports a number that is written and at most limit; units are pixels,
// other small ones count as such.
func zero(value string, limit float64) bool {
	if strings.HasSuffix(value, "em") || strings.HasSuffix(value, "%") {
		limit = 0.05
	}
	v, ok := number(value)
	return ok && v >= 0 && v <= limit
}

func number(value string) (float64, bool) {
	end := strings.IndexFunc(value, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '-' })
	if end >= 0 {
		value = value[:end]
	}
	v, err := strconv.ParseFloat(value, 64)
	return v, err == nil
}

func attr(n *html.Node, key string) string {
	v, _ := attribute(n, key)
	return v
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func attributeOf(attrs []html.Attribute, key string) string {
	return attr(&html.Node{Attr: attrs}, key)
}

func innerText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
			if b.Len() > hiddenKept {
				break
			}
		}
	}
	return b.String()
}
