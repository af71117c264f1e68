package markup

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// htmlWriter gathers the words of inline elements and writes them as a block
// when a block element begins or ends. Tree and token reader share it.
type htmlWriter struct {
	b         *format.Builder
	inline    strings.Builder
	level     int // of the heading being read; 0 outside
	items     int // open list items
	lists     evidence.Lists
	at        evidence.Nested // where the words stand
	after     bool
	title     string
	heading   string // text of the first h1
	published time.Time
	page      int // of the printed book, by the breaks an e-book notes
	from      int // page on which the gathered words began
	table     htmlTable
	pairs     map[*html.Node]bool // of the tables met
	term      string              // waits for its description
	described []bool              // of the open descriptions: those of a term

	withoutWays bool // navigation is left out
}

func (w *htmlWriter) words(s string) {
	if strings.TrimSpace(w.inline.String()) == "" {
		w.from = w.page
	}
	w.inline.WriteString(s)
}

// pageBreak notes where a page of the printed book begins.
func (w *htmlWriter) pageBreak(attrs []html.Attribute) {
	is, name := false, ""
	for _, a := range attrs {
		switch a.Key {
		case "epub:type", "role":
			is = is || a.Val == "pagebreak" || a.Val == "doc-pagebreak"
		case "title", "aria-label":
			name = a.Val
		}
	}
	if n, err := strconv.Atoi(strings.TrimSpace(name)); is && err == nil && n > 0 {
		w.page = n
	}
}

// flush writes the gathered words as a block. line says that a <br> follows:
// what comes next stands on the next line of the same paragraph.
func (w *htmlWriter) flush(line bool) {
	text := w.inline.String()
	w.inline.Reset()
	if strings.TrimSpace(text) == "" {
		w.after = w.after && line
		return
	}
	text = w.withTerm(text)
	block := evidence.Block{Kind: evidence.Paragraph, Page: w.from}
	switch {
	case w.level > 0:
		block.Kind, block.Level = evidence.Heading, w.level
		if w.heading == "" && w.level == 1 {
			w.heading = format.Clean(text, false)
		}
	case w.items > 0:
		block.Kind, block.Level = evidence.ListItem, w.at.Level()
		w.at.GoesOn = true
	default:
		block.Level = evidence.Nested{Quoted: w.at.Quoted}.Level()
	}
	if w.after {
		w.b.AddLine(block, text)
	} else {
		w.b.Add(block, text)
	}
	w.after = line
}

func (w *htmlWriter) open(a atom.Atom, attrs []html.Attribute) {
	switch {
	case a == atom.Br:
		if w.level > 0 {
			w.words(" ")
		} else {
			w.flush(true)
		}
	case a == atom.Td || a == atom.Th:
		w.words("  ")
	case isBlock(a):
		w.flush(false)
		if level := headingLevel(a); level > 0 {
			w.flushTerm()
			w.level = level
		}
		w.openNested(a, attrs)
	}
}

func (w *htmlWriter) close(a atom.Atom) {
	if !isBlock(a) {
		return
	}
	w.flush(false)
	if headingLevel(a) > 0 {
		w.level = 0
	}
	w.closeNested(a)
}

func (w *htmlWriter) meta(attrs []html.Attribute) {
	var name, content string
	for _, a := range attrs {
		switch a.Key {
		case "name", "property", "itemprop":
			name = strings.ToLower(a.Val)
		case "content":
			content = a.Val
		}
	}
	switch name {
	case "article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "pubdate":
		if w.published.IsZero() {
			w.published = format.ParseDate(content)
		}
	case "og:title":
		if w.title == "" {
			w.title = content
		}
	}
}

// tokens reads a page without building a tree.
func (w *htmlWriter) tokens(page string) {
	z := html.NewTokenizer(strings.NewReader(page))
	skip := atom.Atom(0) // inside this unseen element
	inTitle := false
	for !w.b.Full() {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			switch {
			case inTitle:
				w.title += string(z.Text())
			case skip == 0:
				w.words(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			switch {
			case skip != 0:
			case a == atom.Title:
				inTitle = true
			case unseen(a):
				skip = a
			default:
				w.open(a, nil)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			switch {
			case a == atom.Title:
				inTitle = false
			case a == skip:
				skip = 0
			case skip == 0:
				w.close(a)
			}
		}
	}
}

func headingLevel(a atom.Atom) int {
	switch a {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Table, atom.Tr, atom.Thead, atom.Tbody, atom.Caption,
		atom.Blockquote, atom.Pre, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Aside, atom.Figure,
		atom.Figcaption, atom.Form, atom.Fieldset, atom.Address, atom.Hr, atom.Body, atom.Html, atom.Head, atom.Details, atom.Summary,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Option, atom.Center, atom.Noscript:
		return true
	}
	return false
}
