package export

import (
	_ "embed"
	"fmt"
	"html"
	"strings"
	"time"
)

//go:embed page.css
var pageStyle string

// page writes a document as one HTML file that loads nothing: headings in
// order, footnotes as links to the list of sources and back, readable on light
// and dark screens and on paper.
func page(d Document) string {
	h := &htmlWriter{}
	h.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n", d.Title)
	h.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	h.raw("<meta name=\"generator\" content=\"Footnote\">\n<style>\n" + pageStyle + "</style>\n</head>\n<body>\n<main>\n")
	alone := len(d.Turns) == 1 && d.named(d.Turns[0])
	id := ""
	if alone {
		id = " id=\"q1\""
	}
	h.put("<h1%s dir=\"auto\">%s</h1>\n", rawText(id), d.Title)
	for i, t := range d.Turns {
		h.turn(t, i+1, !alone)
	}
	h.raw("</main>\n</body>\n</html>\n")
	return h.b.String()
}

type htmlWriter struct {
	b     strings.Builder
	t     Turn
	n     int         // of the turn, from 1
	refs  map[int]int // how often a source was referred to
	lists []openList  // lists that are open, outermost first
}

type openList struct {
	id  int
	tag string
}

func (h *htmlWriter) raw(s string) { h.b.WriteString(s) }

// put writes values as text, whatever they hold.
func (h *htmlWriter) put(format string, values ...any) {
	for i, v := range values {
		if s, ok := v.(string); ok {
			values[i] = html.EscapeString(visible(s))
		}
	}
	fmt.Fprintf(&h.b, format, values...)
}

// turn writes one; asking is with its question above it.
func (h *htmlWriter) turn(t Turn, n int, asking bool) {
	h.t, h.n, h.refs = t, n, map[int]int{}
	h.put("<article aria-labelledby=\"q%d\">\n", n)
	if asking {
		h.put("<h2 id=\"q%d\" dir=\"auto\">%s</h2>\n", n, t.Question)
	}
	if !t.Asked.IsZero() {
		h.put("<p class=\"asked\"><time datetime=\"%s\">%s</time></p>\n", t.Asked.Format(time.RFC3339), t.Asked.Format("2 January 2006"))
	}
	for _, b := range t.Prose {
		h.block(b)
	}
	h.shut(0)
	for _, remark := range t.Remarks {
		h.put("<p class=\"remark\" dir=\"auto\">%s</p>\n", remark)
	}
	h.sources()
	h.raw("</article>\n")
}

func (h *htmlWriter) block(b Block) {
	h.open(b)
	h.raw(strings.Repeat("<blockquote dir=\"auto\">", b.Quoted))
	switch b.Kind {
	case Heading:
		level := min(b.Level+2, 6)
		h.put("<h%d dir=\"auto\">", level)
		h.spans(b.Spans)
		h.put("</h%d>", level)
	case Code:
		h.put("<pre><code>%s</code></pre>", b.Text)
	case Table:
		h.table(b)
	case Rule:
		h.raw("<hr>")
	case Item:
		h.spans(b.Spans)
	default:
		h.raw("<p dir=\"auto\">")
		h.spans(b.Spans)
		h.raw("</p>")
	}
	h.raw(strings.Repeat("</blockquote>", b.Quoted) + "\n")
}

// open opens and closes lists, so that the block stands where it belongs.
func (h *htmlWriter) open(b Block) {
	h.shut(b.Depth)
	if b.Kind != Item {
		return
	}
	if n := len(h.lists); n == b.Depth && n > 0 {
		if h.lists[n-1].id == b.List {
			h.raw("</li>\n<li dir=\"auto\">")
			return
		}
		h.shut(b.Depth - 1)
	}
	for len(h.lists) < b.Depth {
		list := openList{b.List, "ul"}
		if b.Number > 0 {
			list.tag = "ol"
		}
		if b.Number > 1 {
			h.put("<ol start=\"%d\">\n<li dir=\"auto\">", b.Number)
		} else {
			h.raw("<" + list.tag + ">\n<li dir=\"auto\">")
		}
		h.lists = append(h.lists, list)
	}
}

func (h *htmlWriter) shut(depth int) {
	for n := len(h.lists); n > depth; n-- {
		h.raw("</li>\n</" + h.lists[n-1].tag + ">\n")
		h.lists = h.lists[:n-1]
	}
}

func (h *htmlWriter) table(b Block) {
	h.raw("<table>\n")
	for i, row := range b.Rows {
		tag, open, shut := "td dir=\"auto\"", "", ""
		switch {
		case i == 0:
			tag, open, shut = "th dir=\"auto\" scope=\"col\"", "<thead>\n", "</thead>\n"
		case i == 1:
			open = "<tbody>\n"
		}
		h.raw(open + "<tr>")
		for _, cell := range row {
			h.raw("<" + tag + ">")
			h.spans(cell)
			h.raw("</" + tag[:2] + ">")
		}
		h.raw("</tr>\n" + shut)
	}
	if len(b.Rows) > 1 {
		h.raw("</tbody>\n")
	}
	h.raw("</table>")
}

func (h *htmlWriter) spans(spans []Span) {
	for _, s := range spans {
		switch {
		case s.Break:
			h.raw("<br>\n")
		case s.Mark > 0:
			h.mark(h.t.Marks[s.Mark-1])
		default:
			h.styled(s)
		}
	}
}

func (h *htmlWriter) styled(s Span) {
	var open, shut string
	for _, tag := range []struct {
		on   bool
		name string
	}{{s.Bold, "strong"}, {s.Italic, "em"}, {s.Strike, "s"}, {s.Code, "code"}} {
		if tag.on {
			open, shut = open+"<"+tag.name+">", "</"+tag.name+">"+shut
		}
	}
	if s.Link != "" {
		h.put("<a href=\"%s\" rel=\"noreferrer\">", s.Link)
		shut += "</a>"
	}
	h.raw(open)
	h.put("%s", s.Text)
	h.raw(shut)
}

// mark writes a footnote: a link to its source, which leads back to the first.
func (h *htmlWriter) mark(m Mark) {
	h.refs[m.N]++
	id := ""
	if h.refs[m.N] == 1 {
		id = fmt.Sprintf(" id=\"r%d-%d\"", h.n, m.N)
	}
	h.put("<sup><a%s href=\"#s%d-%d\" role=\"doc-noteref\" title=\"%s\">[%d]</a></sup>", rawText(id), h.n, m.N, m.Quote, m.N)
	if doubt := m.Doubt(); doubt != "" {
		h.put(" <small class=\"doubt\">(%s)</small>", doubt)
	}
}

// rawText is markup that put leaves as it is.
type rawText string

func (h *htmlWriter) sources() {
	if cited := h.t.cited(); len(cited) > 0 {
		h.put("<section role=\"doc-endnotes\" aria-labelledby=\"n%d\">\n<h3 id=\"n%d\">Sources</h3>\n<ol>\n", h.n, h.n)
		h.cited(cited)
		h.raw("</ol>\n</section>\n")
	}
	if rest := h.t.alsoRead(); len(rest) > 0 {
		h.put("<h3>%s</h3>\n<ul>\n", alsoReadTitle)
		for _, s := range rest {
			h.raw("<li>")
			h.source(s)
			h.raw("</li>\n")
		}
		h.raw("</ul>\n")
	}
}

// source writes what a source is called and where it is.
func (h *htmlWriter) source(s Source) {
	h.put("<cite dir=\"auto\">%s</cite> — ", oneLine(s.Title))
	if link := safeLink(s.URL); link != "" {
		h.put("<a href=\"%s\" rel=\"noreferrer\">%s</a>", link, oneLine(s.Where()))
	} else {
		h.put("<span class=\"path\">%s</span>", oneLine(s.Where()))
	}
}

func (h *htmlWriter) cited(sources []Source) {
	for _, s := range sources {
		h.put("<li id=\"s%d-%d\" value=\"%d\">", h.n, s.N, s.N)
		h.source(s)
		if h.refs[s.N] > 0 {
			h.put(" <a href=\"#r%d-%d\" role=\"doc-backlink\" aria-label=\"Back to footnote %d\">↩</a>", h.n, s.N, s.N)
		}
		for _, q := range s.Quotes {
			if q.Quote != "" {
				h.put("\n<blockquote dir=\"auto\">%s</blockquote>", q.Quote)
			}
			if doubt := q.Doubt(); doubt != "" {
				h.put(" <small class=\"doubt\">(%s)</small>", doubt)
			}
		}
		h.raw("</li>\n")
	}
}
