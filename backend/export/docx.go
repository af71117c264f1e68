package export

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// docx writes a document for word processors: styles, lists, tables, links, and
// every citation a real footnote that carries its source, quote and doubt.
func docx(d Document) ([]byte, error) {
	w := &docxWriter{body: &strings.Builder{}, links: map[string]int{}, lists: map[int]int{}}
	w.paragraph("Title", "", func() { w.text(d.Title, Span{}) })
	for _, t := range d.Turns {
		w.turn(t, !d.named(t))
	}
	return zipped([]part{
		{"[Content_Types].xml", docxTypes},
		{"_rels/.rels", docxRoot},
		{"docProps/core.xml", w.core(d)},
		{"word/document.xml", docxHead("w:document") + "<w:body>" + w.body.String() + docxSection + "</w:body></w:document>"},
		{"word/_rels/document.xml.rels", w.relations()},
		{"word/styles.xml", docxStyles},
		{"word/numbering.xml", w.numbering()},
		{"word/footnotes.xml", w.footnotes()},
		{"word/settings.xml", docxSettings},
	})
}

// part is a file of an archive.
type part struct{ name, body string }

// zipTime is when every file of an archive was written: the same runs give the
// same bytes.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func zipped(parts []part) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: zip.Deflate, Modified: zipTime})
		if err != nil {
			return nil, fmt.Errorf("begin %s: %w", p.name, err)
		}
		if _, err := w.Write([]byte(p.body)); err != nil {
			return nil, fmt.Errorf("write %s: %w", p.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("close the archive: %w", err)
	}
	return b.Bytes(), nil
}

type docxWriter struct {
	body    *strings.Builder
	notes   strings.Builder
	t       Turn
	way     way            // of the paragraph that is written
	noted   int            // footnotes so far
	links   map[string]int // address → relation, from 1
	ordered []string       // addresses by relation
	lists   map[int]int    // list of the turn → numbering, from 1
	starts  []int          // where each numbering begins; 0 = bullets
}

// xmlText is text between tags.
func xmlText(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(visible(s))) // a Builder takes everything
	return b.String()
}

func (w *docxWriter) raw(s string) { w.body.WriteString(s) }

// paragraph writes one in a style, in the direction of its first letter; more are
// further properties, of which the indent stands last.
func (w *docxWriter) paragraph(style, more string, content func()) {
	before, inner := w.body, &strings.Builder{}
	w.body, w.way = inner, way{}
	content()
	w.body = before
	w.raw("<w:p><w:pPr>")
	if style != "" {
		w.raw(`<w:pStyle w:val="` + style + `"/>`)
	}
	if w.way.fromRight {
		at := strings.Index(more+"<w:ind", "<w:ind")
		more = more[:at] + "<w:bidi/>" + more[at:]
	}
	w.raw(more + "</w:pPr>" + inner.String() + "</w:p>")
}

// turn writes one; asking is with its question above it.
func (w *docxWriter) turn(t Turn, asking bool) {
	w.t, w.lists = t, map[int]int{}
	if asking {
		w.paragraph("Heading1", "", func() { w.text(t.Question, Span{}) })
	}
	for _, b := range t.Prose {
		w.block(b)
	}
	for _, remark := range t.Remarks {
		w.paragraph("Remark", "", func() { w.text(remark, Span{}) })
	}
	w.sources("Sources", t.cited())
	w.sources(alsoReadTitle, t.alsoRead())
}

func (w *docxWriter) sources(title string, sources []Source) {
	if len(sources) == 0 {
		return
	}
	w.paragraph("Heading2", "", func() { w.text(title, Span{}) })
	for _, s := range sources {
		w.paragraph("Source", "", func() { w.source(s) })
	}
}

func (w *docxWriter) source(s Source) {
	w.text(s.label()+oneLine(s.Title)+" — ", Span{})
	w.text(oneLine(s.Where()), Span{Link: safeLink(s.URL)})
	for _, q := range s.Quotes {
		w.text(" "+q.words(), Span{})
	}
}

func (w *docxWriter) block(b Block) {
	indent := ""
	if depth := b.Depth + b.Quoted; depth > 0 && b.Kind != Item {
		indent = fmt.Sprintf(`<w:ind w:left="%d"/>`, min(depth, 12)*480)
	}
	switch b.Kind {
	case Heading:
		w.paragraph(fmt.Sprintf("Heading%d", min(b.Level+1, 6)), "", func() { w.spans(b.Spans) })
	case Item:
		level := min(max(b.Depth-1, 0), 8)
		w.paragraph("ListParagraph", fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, level, w.list(b)), func() { w.spans(b.Spans) })
	case Code:
		for line := range strings.SplitSeq(b.Text, "\n") {
			w.paragraph("Code", indent, func() { w.text(line, Span{}) })
		}
	case Table:
		w.table(b)
	case Rule:
		w.paragraph("", `<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>`, func() {})
	default:
		style := ""
		if b.Quoted > 0 {
			style = "Quote"
		}
		w.paragraph(style, indent, func() { w.spans(b.Spans) })
	}
}

// list is the numbering of the list an item is of.
func (w *docxWriter) list(b Block) int {
	if w.lists[b.List] == 0 {
		w.starts = append(w.starts, b.Number)
		w.lists[b.List] = len(w.starts)
	}
	return w.lists[b.List]
}

func (w *docxWriter) table(b Block) {
	columns := deepest(b.Rows)
	w.raw(`<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>`)
	w.raw(strings.Repeat(`<w:gridCol/>`, columns) + "</w:tblGrid>")
	for i, row := range b.Rows {
		w.raw("<w:tr>")
		if i == 0 {
			w.raw("<w:trPr><w:tblHeader/></w:trPr>")
		}
		for c := range columns {
			w.raw(`<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>`)
			w.paragraph("", "", func() {
				if c < len(row) {
					w.cell(row[c], i == 0)
				}
			})
			w.raw("</w:tc>")
		}
		w.raw("</w:tr>")
	}
	w.raw("</w:tbl><w:p/>")
}

func (w *docxWriter) cell(spans []Span, head bool) {
	for _, s := range spans {
		s.Bold = s.Bold || head
		w.spans([]Span{s})
	}
}

func (w *docxWriter) spans(spans []Span) {
	for _, s := range spans {
		switch {
		case s.Break:
			w.raw("<w:r><w:br/></w:r>")
		case s.Mark > 0:
			w.mark(w.t.Marks[s.Mark-1])
		default:
			w.text(s.Text, s)
		}
	}
}

// text writes a run in the style of a span.
func (w *docxWriter) text(s string, style Span) {
	if s == "" {
		return
	}
	if style.Link != "" {
		w.raw(fmt.Sprintf(`<w:hyperlink r:id="rLink%d">`, w.link(style.Link)))
		defer w.raw("</w:hyperlink>")
	}
	way := wayOf(s)
	if !way.known {
		way = w.way
	}
	if !w.way.known {
		w.way = way
	}
	w.raw("<w:r>" + properties(style, way.fromRight) + `<w:t xml:space="preserve">` + xmlText(s) + "</w:t></w:r>")
}

// properties are those of a run. Of what runs from the right bold and italic are
// properties of their own.
func properties(s Span, fromRight bool) string {
	var b strings.Builder
	switch {
	case s.Code:
		b.WriteString(`<w:rStyle w:val="CodeText"/>`)
	case s.Link != "":
		b.WriteString(`<w:rStyle w:val="Hyperlink"/>`)
	}
	if s.Bold {
		b.WriteString("<w:b/><w:bCs/>")
	}
	if s.Italic {
		b.WriteString("<w:i/><w:iCs/>")
	}
	if s.Strike {
		b.WriteString("<w:strike/>")
	}
	if fromRight {
		b.WriteString("<w:rtl/>")
	}
	if b.Len() == 0 {
		return ""
	}
	return "<w:rPr>" + b.String() + "</w:rPr>"
}

func (w *docxWriter) link(address string) int {
	if w.links[address] == 0 {
		w.ordered = append(w.ordered, address)
		w.links[address] = len(w.ordered)
	}
	return w.links[address]
}

// mark writes a footnote. The word processor numbers it, and goes on to when text
// is moved: marks of our own are shown twice by some. The note begins with the
// number of its source.
func (w *docxWriter) mark(m Mark) {
	w.noted++
	id := w.noted + 1 // 0 and 1 are the separators
	w.raw(fmt.Sprintf(`<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="%d"/></w:r>`, id))
	if doubt := m.Doubt(); doubt != "" {
		w.raw(`<w:r><w:rPr><w:rStyle w:val="Doubt"/></w:rPr><w:t xml:space="preserve"> (` + doubt + `)</w:t></w:r>`)
	}
	said := "[" + number(m.N) + "]"
	for _, s := range w.t.Sources {
		if s.N == m.N {
			said = joined(" ", said, joined(" — ", oneLine(s.Title), oneLine(s.Where())))
		}
	}
	if words := m.words(); words != "" {
		said += ": " + words
	}
	bidi, run := "", ""
	if wayOf(said).fromRight {
		bidi, run = "<w:bidi/>", "<w:rPr><w:rtl/></w:rPr>"
	}
	fmt.Fprintf(&w.notes, `<w:footnote w:id="%d"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/>%s</w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r>%s<w:t xml:space="preserve"> %s</w:t></w:r></w:p></w:footnote>`, id, bidi, run, xmlText(said))
}
