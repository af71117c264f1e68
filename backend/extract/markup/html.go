package markup

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"footnote/backend/bounded"
	"footnote/backend/extract/format"
	"footnote/backend/feed"
)

var metaCharset = regexp.MustCompile(`(?i)<meta[^>]{0,200}charset\s*=\s*["']?\s*([-\w:]{2,40})|<\?xml[^>]{0,100}encoding\s*=\s*["']([-\w]{2,40})`)

// ReadHTML reads what a page shows: headings, paragraphs, list items, rows of
// tables and code. Scripts, styles and hidden elements are left out. A page
// nested so deeply that no tree can be built is read token by token.
func ReadHTML(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	writePage(b, data, 0, lim).name()
	return nil
}

// ReadXML reads a feed of news and a text for readers as the page that it is meant
// to be, and other XML as it stands.
func ReadXML(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	text := textOf(b, data, declaredIn(data), lim)
	page, cut, ok := feed.Page(text)
	if ok && cut {
		b.Partly(fmt.Sprintf("The feed has more than %d parts; the first of them were read.", bounded.Nodes))
	}
	if !ok {
		if page, cut, ok = prosePage(text); ok && cut {
			b.Partly(fmt.Sprintf("The file breaks off or has more than %d parts; the first of them were read.", bounded.Nodes))
		}
	}
	if ok {
		writeMarkup(b, page, 0).name()
		return nil
	}
	addCode(b, text, 1, "")
	return nil
}

// name calls the document what the page calls itself, and dates it as the page does.
func (w *htmlWriter) name() {
	w.b.Doc.Source.Title = cmp.Or(format.Clean(w.title, false), w.heading)
	w.b.Doc.Source.Published = w.published
}

// AddPage writes a page of a book that begins on a printed page, 0 for none known,
// and gives the printed page on which it ends.
func AddPage(b *format.Builder, data []byte, printed int, lim format.Limits) int {
	return writePage(b, data, printed, lim).page
}

// writePage writes a page and gives what was seen on the way.
func writePage(b *format.Builder, data []byte, printed int, lim format.Limits) *htmlWriter {
	return writeMarkup(b, textOf(b, data, declaredIn(data), lim), printed)
}

// declaredIn is the character set that a page says it is written in.
func declaredIn(data []byte) string {
	if m := metaCharset.FindSubmatch(data[:min(len(data), 4096)]); m != nil {
		return string(m[1]) + string(m[2])
	}
	return ""
}

func writeMarkup(b *format.Builder, page string, printed int) *htmlWriter {
	w := &htmlWriter{b: b, page: printed, pairs: map[*html.Node]bool{}}
	root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		w.tokens(page)
	} else {
		w.withoutWays = hasMore(root)
		w.node(root)
	}
	w.flush(false)
	return w
}

// HTMLLines gives the visible text of a fragment, a string a block.
func HTMLLines(raw []byte) []string {
	b := format.NewBuilder(len(raw))
	w := &htmlWriter{b: b, pairs: map[*html.Node]bool{}}
	w.tokens(string(bytes.ToValidUTF8(raw, nil)))
	w.flush(false)
	doc := b.Document()
	var out []string
	for _, block := range doc.Blocks {
		out = append(out, doc.Text[block.Start:block.End])
	}
	return out
}

func (w *htmlWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil && !w.b.Full(); c = c.NextSibling {
		w.node(c)
	}
}

func (w *htmlWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.words(n.Data)
		return
	case html.ElementNode:
	case html.DocumentNode:
		w.children(n)
		return
	default:
		return
	}
	switch {
	case n.DataAtom == atom.Title && n.Namespace == "":
		w.title += textOfNode(n)
	case n.DataAtom == atom.Meta:
		w.meta(n.Attr)
	case unseen(n.DataAtom) || hidden(n.Attr) || isPermalink(n) || w.withoutWays && isNavigation(n):
	case n.DataAtom == atom.Pre:
		w.flush(false)
		w.flushTerm()
		addCode(w.b, textOfNode(n), 0, languageOf(n))
	case n.DataAtom == atom.Dt && isDescribed(n):
		w.writeTerm(n)
	case n.DataAtom == atom.Tr && !isLayoutRow(n):
		w.flush(false)
		w.flushTerm()
		w.row(n)
	default:
		w.pageBreak(n.Attr)
		w.element(n)
	}
}

// element writes what an element holds as its kind of block.
func (w *htmlWriter) element(n *html.Node) {
	w.open(n.DataAtom, n.Attr)
	w.children(n)
	w.close(n.DataAtom)
}

func unseen(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Template, atom.Svg, atom.Math, atom.Iframe, atom.Object, atom.Select, atom.Textarea, atom.Canvas, atom.Audio, atom.Video:
		return true
	}
	return false
}

var hiding = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(\.0*)?\s*(px|pt|em|%)?\s*(;|$)|opacity\s*:\s*0(\.0+)?\s*(;|$)`)

// languageOf is the language of code that a page or what coloured it names, on the
// code, in it or around it: class="language-go".
func languageOf(pre *html.Node) string {
	for _, n := range []*html.Node{pre, pre.FirstChild, pre.Parent} {
		if n == nil || n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			if a.Key != "class" {
				continue
			}
			for class := range strings.FieldsSeq(a.Val) {
				for _, before := range []string{"language-", "lang-", "highlight-source-", "highlight-"} {
					if name, ok := strings.CutPrefix(class, before); ok && name != "" {
						return name
					}
				}
			}
		}
	}
	return ""
}

func hidden(attrs []html.Attribute) bool {
	for _, a := range attrs {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			if hiding.MatchString(a.Val) {
				return true
			}
		}
	}
	return false
}

// textOfNode is all visible text under n, as it stands.
func textOfNode(n *html.Node) string {
	var out strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
		case n.Type == html.ElementNode && (unseen(n.DataAtom) || hidden(n.Attr) || isPermalink(n)):
		case n.Type == html.ElementNode && n.DataAtom == atom.Br:
			out.WriteByte('\n')
		default:
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c)
			}
			if isBlock(n.DataAtom) {
				out.WriteByte('\n')
			}
		}
	}
	walk(n)
	return out.String()
}

// isLayoutRow reports whether a row only arranges the page: a cell holds
// paragraphs, headings or tables of its own.
func isLayoutRow(tr *html.Node) bool {
	paragraphs := 0
	var walk func(*html.Node) bool
	walk = func(n *html.Node) bool {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Table, atom.H1, atom.H2, atom.H3, atom.Article, atom.Section, atom.Pre:
				return true
			case atom.P:
				paragraphs++
			}
			if walk(c) {
				return true
			}
		}
		return false
	}
	return walk(tr) || paragraphs > 8
}
