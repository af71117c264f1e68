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
	of      map[*html.Node]measure
	whole   int // characters of the page
}

// survey measures what is left of a page.
func (r *remover) survey(body *html.Node) {
	r.of = map[*html.Node]measure{}
	r.whole = survey(body, 0, r.of).chars
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
	r.survey(body)
	headline := first(body, atom.H1)
	named := ""
	if headline != nil {
		named = textOf(headline, enoughText)
	}
	var found []*html.Node
	above := headline != nil
	walk(body, func(n *html.Node) (inside bool) {
		above = above && n != headline
		m := r.of[n]
		if m.chars > longTrail || !is(n, atom.Nav, atom.Div, atom.P, atom.Ol, atom.Ul, atom.Span, atom.Section, atom.Header) {
			return true
		}
		marked := strings.Contains(attr(n, "itemtype"), "BreadcrumbList") || trails.MatchString(mark(n)+" "+attr(n, "aria-label"))
		if marked && m.holds&(aHeadline|aMain|aTable) == 0 || above && r.isLine(n) && r.steps(n, named) {
			found = append(found, n)
			return false
		}
		return true
	})
	for _, n := range found {
		r.remove(n)
	}
}

const smallNodes = 80

// isLine reports an element that has few others inside and is not told by one that it only
// wraps: what is larger is no line.
func (r *remover) isLine(n *html.Node) bool {
	inner := n.FirstChild
	wraps := inner != nil && inner.NextSibling == nil && is(inner, atom.Nav, atom.Div, atom.P, atom.Ul, atom.Ol, atom.Section)
	return !wraps && r.of[n].nodes <= smallNodes
}

// steps reports an element that is nothing but steps with a sign between them: all but the
// last lead somewhere, or the last is the page.
func (r *remover) steps(n *html.Node, named string) bool {
	text := textOf(n, 4*longTrail)
	if size := utf8.RuneCountInString(text); size == 0 || size > longTrail || r.of[n].holds&(aHeadline|aTable|aForm|aPre) != 0 {
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
	r.survey(body)
	var gone, code []*html.Node
	walk(body, func(n *html.Node) (inside bool) {
		if last := n.LastChild; last != nil && last.Type == html.TextNode {
			r.cutSponsored(last)
		}
		switch {
		case is(n, atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Tt):
			if r.onlyText(n) {
				code = append(code, n)
			}
		case r.isLegend(n), is(n, atom.P, atom.Div, atom.Ul, atom.Ol, atom.Nav, atom.Section, atom.Aside) && r.isLine(n) && (r.isTools(n) || r.isSponsored(n)):
			gone = append(gone, n)
			return false
		}
		return true
	})
	for _, n := range gone {
		r.remove(n)
	}
	unwrap(code)
}

// isTools reports an element that is nothing but what may be done with a page.
func (r *remover) isTools(n *html.Node) bool {
	if r.of[n].within&(aTable|aPre|aList) != 0 {
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
func (r *remover) isSponsored(n *html.Node) bool {
	m, texts := r.of[n], pieces(n, mostPieces)
	if len(texts) == 0 || m.within&(aTable|aPre|aList) != 0 {
		return false
	}
	label, rest, colon := strings.Cut(texts[0], ":")
	if !isWord(sponsored, label) || !colon && (len(texts) == 1 || m.holds&aLink == 0) || m.chars > longSponsored || m.holds&(aHeadline|aTable|aMain) != 0 {
		return false
	}
	return rest != "" || len(texts) > 1
}

// cutSponsored cuts what is paid for off the end of a paragraph: "… our app. Sponsored: Ten …".
func (r *remover) cutSponsored(n *html.Node) {
	if n.NextSibling != nil || !strings.Contains(n.Data, ":") || len(n.Data) > 8<<10 || n.Parent == nil || !is(n.Parent, atom.P, atom.Div, atom.Li) {
		return
	}
	tail := max(0, len(n.Data)-utf8.UTFMax*longTools)
	for at, c := range n.Data[tail:] {
		rest, ok := strings.CutPrefix(n.Data[tail+at:], ". ")
		if c != '.' || !ok || utf8.RuneCountInString(rest) > longTools {
			continue
		}
		if label, _, colon := strings.Cut(rest, ":"); colon && isWord(sponsored, label) {
			r.removed.WriteString(rest + "\n")
			n.Data = n.Data[:tail+at+1]
			return
		}
	}
}

// isLegend reports what stands below a picture and names who made that.
func (r *remover) isLegend(n *html.Node) bool {
	if n.DataAtom != atom.Figcaption && !legends.MatchString(attr(n, "class")) {
		return false
	}
	around := n.Parent
	return around != nil && r.of[around].holds&(aTable|aPre|aCode|aQuote|aFormula|aHeadline) == 0 && credited(textOf(n, enoughText))
}

func (r *remover) onlyText(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || strings.Contains(c.Data, "\n") {
			return false
		}
	}
	return n.FirstChild != nil && r.of[n].within&aPre == 0
}

// unwrap puts the texts of elements in their places, as one text with those beside them.
func unwrap(all []*html.Node) {
	var parents []*html.Node
	for _, n := range all {
		parent := n.Parent
		if parent == nil {
			continue
		}
		for c := n.FirstChild; c != nil; c = n.FirstChild {
			n.RemoveChild(c)
			parent.InsertBefore(c, n)
		}
		parent.RemoveChild(n)
		if last := len(parents) - 1; last < 0 || parents[last] != parent {
			parents = append(parents, parent)
		}
	}
	for _, p := range parents {
		join(p)
	}
}

// join makes one of the texts in an element that stand side by side.
func join(parent *html.Node) {
	for c := parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode || c.NextSibling == nil || c.NextSibling.Type != html.TextNode {
			continue
		}
		var b strings.Builder
		b.WriteString(c.Data)
		for next := c.NextSibling; next != nil && next.Type == html.TextNode; next = c.NextSibling {
			b.WriteString(next.Data)
			parent.RemoveChild(next)
		}
		c.Data = b.String()
	}
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
