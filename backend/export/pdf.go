package export

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-pdf/fpdf"
)

// Sizes of a page, in millimetres; type sizes are in points.
const (
	paperWidth, paperHeight = 210.0, 297.0
	margin                  = 22.0
	bodySize                = 10.5
	indent                  = 6.0
	leading                 = 0.50 // line height in millimetres a point
)

var (
	inkBlack = [3]int{27, 27, 31}
	inkSoft  = [3]int{93, 93, 102}
	inkLink  = [3]int{31, 79, 163}
	inkDoubt = [3]int{154, 75, 0}
)

// pdfWriter sets a document on pages. Text is real text in embedded fonts, so
// that it can be searched, copied and read aloud.
type pdfWriter struct {
	*fpdf.Fpdf
	fonts   *fontSet
	t       Turn
	targets map[int]int // source of the turn → link to its place
	y       float64
}

// writePDF sets a document. Where the fonts lack characters it says so at the
// head; what they stand for is still in the text.
func writePDF(d Document) ([]byte, error) {
	fonts, err := newFontSet()
	if err != nil {
		return nil, err
	}
	body, err := setPDF(d, fonts, "")
	if err != nil || len(fonts.lacking) == 0 {
		return body, err
	}
	note := "The fonts of this file have no shapes for some characters (" + fonts.sample() + "). They show as boxes; the text behind them can be searched and copied. The HTML and DOCX exports show them."
	return setPDF(d, fonts, note)
}

func setPDF(d Document, fonts *fontSet, note string) ([]byte, error) {
	w := &pdfWriter{Fpdf: fpdf.New("P", "mm", "A4", ""), fonts: fonts, y: margin}
	w.SetCatalogSort(true)
	w.SetCreationDate(d.Updated)
	w.SetModificationDate(d.Updated)
	w.SetTitle(withinBMP(d.Title), true)
	w.SetProducer("Footnote", true)
	w.SetLang("en")
	w.SetAutoPageBreak(false, 0)
	fonts.embed(w.Fpdf)
	w.AddPage()
	w.paragraph([]piece{{d.Title, ink{style: "B", size: 18}}}, 0, 3)
	if note != "" {
		w.remark(note)
	}
	for _, t := range d.Turns {
		w.turn(t)
	}
	var b bytes.Buffer
	if err := w.Output(&b); err != nil {
		return nil, fmt.Errorf("write the PDF: %w", err)
	}
	return b.Bytes(), nil
}

func (w *pdfWriter) turn(t Turn) {
	w.t, w.targets = t, map[int]int{}
	for _, s := range t.cited() {
		w.targets[s.N] = w.AddLink()
	}
	w.y += 4
	w.room(20)
	w.Bookmark(withinBMP(t.Question), 0, w.y)
	w.paragraph([]piece{{t.Question, ink{style: "B", size: 14}}}, 0, 2)
	for _, b := range t.Prose {
		w.block(b)
	}
	for _, remark := range t.Remarks {
		w.remark(remark)
	}
	w.sources("Sources", t.cited())
	w.sources(alsoReadTitle, t.alsoRead())
}

func (w *pdfWriter) sources(title string, sources []Source) {
	if len(sources) == 0 {
		return
	}
	w.y += 2
	w.room(16)
	w.paragraph([]piece{{title, ink{style: "B", size: 12}}}, 0, 1.5)
	for _, s := range sources {
		w.source(s)
	}
}

func (w *pdfWriter) remark(text string) {
	w.paragraph([]piece{{text, ink{style: "I", size: 9.5, color: inkSoft}}}, 0, 2)
}

func (w *pdfWriter) source(s Source) {
	small := ink{size: 9.5}
	where := small
	if where.link = safeLink(s.URL); where.link != "" {
		where.color = inkLink
	}
	pieces := []piece{{s.label() + oneLine(s.Title) + " — ", small}, {oneLine(s.Where()), where}}
	for _, q := range s.Quotes {
		pieces = append(pieces, piece{" " + q.words(), ink{size: 9.5, color: inkSoft}})
	}
	w.room(leading * 9.5)
	w.SetLink(w.targets[s.N], w.y, -1)
	w.paragraph(pieces, 0, 1.2)
}

func (w *pdfWriter) block(b Block) {
	left := float64(min(b.Depth+b.Quoted, 8)) * indent
	base := ink{size: bodySize}
	if b.Quoted > 0 {
		base.style = "I"
	}
	switch b.Kind {
	case Heading:
		w.y += 2
		w.room(14)
		w.paragraph(w.pieces(b.Spans, ink{style: "B", size: max(11, 14.5-float64(b.Level))}), left, 1.5)
	case Item:
		label := "• "
		if b.Number > 0 {
			label = number(b.Number) + ". "
		}
		w.item(label, w.pieces(b.Spans, base), left)
	case Code:
		code := ink{family: "mono", size: 9}
		for line := range strings.SplitSeq(strings.ReplaceAll(b.Text, "\t", "    "), "\n") {
			w.paragraph([]piece{{line, code}}, left+2, 0)
		}
		w.y += 2
	case Table:
		w.table(b, left)
	case Rule:
		w.room(4)
		w.Line(margin, w.y+1, paperWidth-margin, w.y+1)
		w.y += 4
	default:
		w.paragraph(w.pieces(b.Spans, base), left, 2)
	}
}

// pieces are spans in ink; footnotes lead to their sources.
func (w *pdfWriter) pieces(spans []Span, base ink) []piece {
	var out []piece
	for _, s := range spans {
		own := base
		if s.Bold && !strings.Contains(own.style, "B") {
			own.style = "B" + own.style
		}
		if s.Italic && !strings.Contains(own.style, "I") {
			own.style += "I"
		}
		if s.Code {
			own.family, own.style = "mono", ""
		}
		if own.strike, own.link = s.Strike, s.Link; own.link != "" {
			own.color = inkLink
		}
		switch {
		case s.Break:
			out = append(out, piece{"\n", own})
		case s.Mark > 0:
			m := w.t.Marks[s.Mark-1]
			own.color, own.jump = inkLink, w.targets[m.N]
			out = append(out, piece{"[" + number(m.N) + "]", own})
			if doubt := m.Doubt(); doubt != "" {
				own.color, own.jump = inkDoubt, 0
				out = append(out, piece{" (" + doubt + ")", own})
			}
		default:
			out = append(out, piece{s.Text, own})
		}
	}
	return out
}

// paragraph sets text and leaves a gap below it.
func (w *pdfWriter) paragraph(pieces []piece, left, gap float64) {
	for _, l := range w.lines(pieces, paperWidth-2*margin-left) {
		w.room(l.height)
		w.draw(l, margin+left, w.y)
		w.y += l.height
	}
	w.y += gap
}

// item sets a paragraph with a label before its first line.
func (w *pdfWriter) item(label string, pieces []piece, left float64) {
	w.room(leading * bodySize)
	lines := w.lines([]piece{{label, ink{size: bodySize}}}, paperWidth)
	w.draw(lines[0], margin+left-lines[0].width, w.y)
	before := w.y
	w.paragraph(pieces, left, 1)
	if len(pieces) == 0 {
		w.y = before + lines[0].height
	}
}

// room turns the page when less than so many millimetres are left.
func (w *pdfWriter) room(height float64) {
	if w.y+height > paperHeight-margin {
		w.AddPage()
		w.y = margin
	}
}

// table sets rows in columns of one width. A row that no page holds runs over
// the edge of its cells' page as a paragraph.
func (w *pdfWriter) table(b Block, left float64) {
	columns := deepest(b.Rows)
	width := (paperWidth - 2*margin - left) / float64(columns)
	for i, row := range b.Rows {
		base := ink{size: 9.5}
		if i == 0 {
			base.style = "B"
		}
		cells, height := make([][]line, columns), 0.0
		for c := range row {
			cells[c] = w.lines(w.pieces(row[c], base), width-3)
			height = max(height, heightOf(cells[c])+2)
		}
		if height > paperHeight-2*margin {
			for _, cell := range row {
				w.paragraph(w.pieces(cell, base), left, 1)
			}
			continue
		}
		w.room(height)
		for c, cell := range cells {
			x := margin + left + float64(c)*width
			w.Rect(x, w.y, width, height, "D")
			y := w.y + 1
			for _, l := range cell {
				w.draw(l, x+1.5, y)
				y += l.height
			}
		}
		w.y += height
	}
	w.y += 2
}

func heightOf(lines []line) float64 {
	sum := 0.0
	for _, l := range lines {
		sum += l.height
	}
	return sum
}
