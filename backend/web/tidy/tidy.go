package tidy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Remove takes out of a tree what stands around the text of a page, and returns the text of
// that: it may ask something of a machine.
func Remove(doc *html.Node) (removed string) {
	body := first(doc, atom.Body)
	if body == nil {
		return ""
	}
	r := remover{doc: doc}
	r.consent(body)
	r.trail(body)
	r.lines(body)
	return r.removed.String()
}

const mostKept = 64 << 10

type remover struct {
	doc     *html.Node
	removed strings.Builder
}

func (r *remover) remove(n *html.Node) {
	if n.Parent == nil {
		return
	}
	if room := mostKept - r.removed.Len(); room > 0 {
		text := textOf(n, room)
		r.removed.WriteString(text[:min(len(text), room)] + "\n")
	}
	n.Parent.RemoveChild(n)
}

const (
	longTrail = 300 // characters
	longStep  = 90
)

// trail takes out the way to a page: what is marked as one, and steps with a sign between
// them above the headline.
func (r *remover) trail(body *html.Node) {
	headline := first(body, atom.H1)
	named := ""
	if headline != nil {
		named = textOf(headline, enoughText)
	}
	var found []*html.Node
	above := headline != nil
	for n := range body.Descendants() {
		if n == headline {
			above = false
		}
		if n.Type != html.ElementNode || !is(n, atom.Nav, atom.Div, atom.P, atom.Ol, atom.Ul, atom.Span, atom.Section, atom.Header) || insideAny(n, found) {
			continue
		}
		label := mark(n) + " " + attr(n, "aria-label")
		if isTrail := strings.Contains(attr(n, "itemtype"), "BreadcrumbList") || trails.MatchString(label); isTrail && !holds(n, atom.H1, atom.Main, atom.Article, atom.Table) && length(n) <= longTrail ||
			above && small(n) && steps(n, named) {
			found = append(found, n)
		}
	}
	for _, n := range found {
		r.remove(n)
	}
}

// steps reports an element that is nothing but steps with a sign between them: all but the
// last lead somewhere, or the last is the page.
func steps(n *html.Node, named string) bool {
	text := textOf(n, 4*longTrail)
	if size := utf8.RuneCountInString(text); size == 0 || size > longTrail || holds(n, atom.H1, atom.Table, atom.Form, atom.Pre) {
		return false
	}
	var parts []string
	for _, sign := range []string{"›", "»", "→", " > ", " / ", "»", "❯", "▸"} {
		if parts = strings.Split(text, sign); len(parts) > 1 {
			break
		}
	}
	if len(parts) < 2 {
		return false
	}
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
		if utf8.RuneCountInString(parts[i]) > longStep || strings.HasSuffix(parts[i], ".") || parts[i] == "" && i+1 < len(parts) {
			return false
		}
	}
	links := 0
	for c := range n.Descendants() {
		if c.DataAtom == atom.A {
			links++
		}
	}
	last := parts[len(parts)-1]
	return links >= len(parts)-1 || len(parts) > 2 && last != "" && (strings.Contains(named, last) || strings.Contains(last, named))
}

const (
	mostPieces    = 12
	longTools     = 160 // characters
	longSponsored = 300
)

// lines takes out what may be done with a page, advertisements and what stands below
// pictures, and makes text of code inside a line: extractors lose the blank behind it.
func (r *remover) lines(body *html.Node) {
	var gone, code []*html.Node
	for n := range body.Descendants() {
		switch {
		case n.Type == html.TextNode:
			r.cutSponsored(n)
		case n.Type != html.ElementNode, insideLast(n, gone):
		case is(n, atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Tt):
			if onlyText(n) {
				code = append(code, n)
			}
		case isLegend(n):
			gone = append(gone, n)
		case is(n, atom.P, atom.Div, atom.Ul, atom.Ol, atom.Nav, atom.Section, atom.Aside) && small(n) && (isTools(n) || isSponsored(n)):
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		r.remove(n)
	}
	for _, n := range code {
		unwrap(n)
	}
}

// insideLast reports whether an element stands inside the last that was found.
func insideLast(n *html.Node, found []*html.Node) bool {
	return len(found) > 0 && insideAny(n, found[len(found)-1:])
}

// isTools reports an element that is nothing but what may be done with a page.
func isTools(n *html.Node) bool {
	if within(n, atom.Table, atom.Pre, atom.Dl) {
		return false
	}
	texts := pieces(n, mostPieces)
	tools, long := 0, false
	for _, text := range texts {
		if len(text) > longTools {
			return false
		}
		for part := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("·•|/↓↑", c) }) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			if !isWord(tool, part) {
				return false
			}
			tools++
			long = long || strings.Contains(strings.TrimSpace(part), " ")
		}
	}
	return tools > 1 || tools == 1 && long && len(texts) == 1
}

// isSponsored reports an element that a label says to be paid for.
func isSponsored(n *html.Node) bool {
	texts := pieces(n, mostPieces)
	if len(texts) == 0 || within(n, atom.Table, atom.Pre, atom.Dl) {
		return false
	}
	label, rest, colon := strings.Cut(texts[0], ":")
	if !isWord(sponsored, label) || !colon && (len(texts) == 1 || !holds(n, atom.A)) || length(n) > longSponsored || holds(n, atom.H1, atom.Table, atom.Main, atom.Article) {
		return false
	}
	return rest != "" || len(texts) > 1
}

// cutSponsored cuts what is paid for off the end of a paragraph: "… our app. Sponsored: Ten …".
func (r *remover) cutSponsored(n *html.Node) {
	if n.NextSibling != nil || !strings.Contains(n.Data, ":") || len(n.Data) > 8<<10 || n.Parent == nil || !is(n.Parent, atom.P, atom.Div, atom.Li) {
		return
	}
	for _, w := range words()[sponsored] {
		for at := strings.Index(n.Data, ". "); at >= 0 && at+2 < len(n.Data); {
			rest := n.Data[at+2:]
			if len(rest) > len(w) && rest[len(w)] == ':' && strings.EqualFold(rest[:len(w)], w) && utf8.RuneCountInString(rest) <= longTools {
				r.removed.WriteString(rest + "\n")
				n.Data = n.Data[:at+1]
				return
			}
			next := strings.Index(rest, ". ")
			if next < 0 {
				break
			}
			at += 2 + next
		}
	}
}

// isLegend reports what stands below a picture and names who made that.
func isLegend(n *html.Node) bool {
	if n.DataAtom != atom.Figcaption && !legends.MatchString(attr(n, "class")) {
		return false
	}
	around := n.Parent
	return around != nil && !holds(around, atom.Table, atom.Pre, atom.Code, atom.Blockquote, atom.Math, atom.H1) && credited(textOf(n, enoughText))
}

func onlyText(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || strings.Contains(c.Data, "\n") {
			return false
		}
	}
	return n.FirstChild != nil && !within(n, atom.Pre)
}

// unwrap puts the text of an element in its place, as one text with those beside it.
func unwrap(n *html.Node) {
	parent := n.Parent
	if parent == nil {
		return
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(c.Data)
	}
	text := &html.Node{Type: html.TextNode, Data: b.String()}
	if prev := n.PrevSibling; prev != nil && prev.Type == html.TextNode {
		text.Data = prev.Data + text.Data
		parent.RemoveChild(prev)
	}
	if next := n.NextSibling; next != nil && next.Type == html.TextNode {
		text.Data += next.Data
		parent.RemoveChild(next)
	}
	parent.InsertBefore(text, n)
	parent.RemoveChild(n)
}

// credited reports a legend that ends in who made its picture, in a sentence of its own:
// "The mill on Friday. Photo: A. Quill". Others say something of what is shown.
func credited(text string) bool {
	text = strings.TrimSpace(strings.ToLower(text))
	for at := len(text); at > 0; {
		at = strings.LastIndexAny(text[:at], ".!?。")
		last := strings.TrimLeft(text[at+1:], "。 \"”»“")
		if strings.HasPrefix(last, "©") {
			return true
		}
		for _, w := range words()[credit] {
			if rest, ok := strings.CutPrefix(last, w); ok {
				rest = strings.TrimLeft(rest, ". ")
				if strings.HasSuffix(w, " by") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：") || strings.HasPrefix(rest, "©") {
					return true
				}
			}
		}
	}
	return false
}
