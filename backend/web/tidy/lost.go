package tidy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/pattern"
)

const longHeadline = 300 // characters

// Headline is the first headline of a page whose title says the same; empty when there is
// none.
func Headline(doc *html.Node, title string) string {
	for n := range doc.Descendants() {
		if n.DataAtom != atom.H1 || n.Type != html.ElementNode {
			continue
		}
		if text := textOf(n, longHeadline); len(text) < longHeadline && sameTitle(text, title) {
			return text
		}
	}
	return ""
}

// sameTitle reports whether a title has most words of a headline.
func sameTitle(headline, title string) bool {
	has := map[string]bool{}
	for w := range fields(title) {
		has[w] = true
	}
	same, all := 0, 0
	for w := range fields(headline) {
		if all++; has[w] {
			same++
		}
	}
	return all > 0 && 4*same >= 3*all
}

func fields(text string) func(func(string) bool) {
	return strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

const (
	mostTables  = 40
	mostCells   = 2000
	cellsAsked  = 40  // of a table, at most
	shortCell   = 120 // characters; a table of longer ones is a page laid out by it
	fewestCells = 4
)

var besides = pattern.New(`(?i)nav|menu|sidebar|footer|related|comment|share|social|promo|advert|metadata|ambox|widget|login|calendar|archive|toc\b|pagination|reflist|cookie|consent`)

// LostTables are the tables of data in what is most of a page that a text has lost, each
// below the heading above it. They are taken out of the tree.
func LostTables(doc *html.Node, text string) (lost []*html.Node) {
	root := first(doc, atom.Main, atom.Article)
	if root == nil {
		root = first(doc, atom.Body)
	}
	if root == nil {
		return nil
	}
	var tables, headings []*html.Node
	var heading *html.Node
	for n := range root.Descendants() {
		switch {
		case is(n, atom.H1, atom.H2, atom.H3, atom.H4):
			heading = n
		case is(n, atom.Table) && len(tables) < mostTables:
			tables, headings = append(tables, n), append(headings, heading)
		}
	}
	read := strings.Join(strings.Fields(text), " ")
	for i, t := range tables {
		cells, ok := dataOf(t)
		if !ok || beside(t, root) || laysOut(t) || !lacks(read, cells) {
			continue
		}
		part := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
		if h := headings[i]; h != nil && h.DataAtom != atom.H1 {
			above := &html.Node{Type: html.ElementNode, Data: h.Data, DataAtom: h.DataAtom}
			above.AppendChild(&html.Node{Type: html.TextNode, Data: textOf(h, longHeadline)})
			part.AppendChild(above)
		}
		t.Parent.RemoveChild(t)
		part.AppendChild(t)
		lost = append(lost, part)
	}
	return lost
}

// dataOf are the cells of a table of data: two rows of two cells or more, short ones, few
// of which only lead elsewhere.
func dataOf(table *html.Node) (cells []string, ok bool) {
	rows, inRow, all, long, links := 0, 0, 0, 0, 0
	for n := range table.Descendants() {
		switch {
		case is(n, atom.Table, atom.Form, atom.Pre):
			return nil, false
		case is(n, atom.Tr):
			inRow = 0
		case is(n, atom.Td, atom.Th):
			if inRow++; inRow == 2 {
				rows++
			}
			if all++; all > mostCells {
				return nil, false
			}
			text := textOf(n, 2*shortCell)
			if utf8.RuneCountInString(text) > shortCell {
				long++
			}
			if a := first(n, atom.A); a != nil && textOf(a, 2*shortCell) == text {
				links++
			}
			if text != "" {
				cells = append(cells, text)
			}
		}
	}
	return cells, rows > 1 && len(cells) >= fewestCells && 4*long <= all && 2*links <= all
}

// laysOut reports a table that places parts of a page: nothing heads its cells, and it is
// drawn as one that is not seen, or stands inside another.
func laysOut(table *html.Node) bool {
	if first(table, atom.Th, atom.Caption, atom.Thead) != nil {
		return false
	}
	return attr(table, "cellpadding")+attr(table, "cellspacing")+attr(table, "width") != "" || attr(table, "border") == "0" || within(table, atom.Table)
}

// beside reports whether a table stands beside the text of a page.
func beside(n, root *html.Node) bool {
	for ; n != nil && n != root; n = n.Parent {
		if is(n, atom.Nav, atom.Aside, atom.Footer, atom.Header, atom.Form) || besides.MatchString(mark(n)) || attr(n, "role") == "presentation" || attr(n, "role") == "navigation" {
			return true
		}
	}
	return false
}

// lacks reports whether a text has less than half of some cells.
func lacks(text string, cells []string) bool {
	cells = cells[:min(len(cells), cellsAsked)]
	has := 0
	for _, c := range cells {
		if strings.Contains(text, c) {
			has++
		}
	}
	return 2*has < len(cells)
}

const opening = 600 // bytes of a text in which a headline stands that was kept

// Opens reports whether a text has a headline among its first lines.
func Opens(text, headline string) bool {
	for line := range strings.Lines(text[:min(len(text), opening)]) {
		if strings.Join(strings.Fields(line), " ") == headline {
			return true
		}
	}
	return false
}

// Glued reports whether an extractor has glued paragraphs of a page to each other, as
// trafilatura does with short ones: more than one word in fifty is two of the page's.
func Glued(article, whole string) bool {
	known := map[string]bool{}
	for word := range strings.FieldsSeq(whole) {
		known[word] = true
	}
	glued, all := 0, 0
	for word := range strings.FieldsSeq(article) {
		all++
		if !known[word] && isTwo(word, known) {
			glued++
		}
	}
	return glued*50 > all
}

func isTwo(word string, known map[string]bool) bool {
	for i := range word {
		if i > 0 && known[word[:i]] && known[word[i:]] {
			return true
		}
	}
	return false
}
