package export

import (
	"strings"

	"footnote/backend/export/paper"
)

const (
	bodySize = 10.5
	indent   = 6.0 // millimetres
)

var (
	inkSoft  = [3]byte{93, 93, 102}
	inkLink  = [3]byte{31, 79, 163}
	inkDoubt = [3]byte{154, 75, 0}
)

// pdfWriter sets a document on pages.
type pdfWriter struct {
	*paper.Sheet
	t       Turn
	targets map[int]*paper.Place // source of the turn → its place
	listing bool                 // a list is open
}

// writePDF sets a document with fonts of the program and of this computer. What no
// font has is named in its place and at the head.
func writePDF(d Document) ([]byte, error) {
	w, err := setPDF(d, "")
	if err != nil {
		return nil, err
	}
	if lacking := w.Lacking(); len(lacking) > 0 {
		if w, err = setPDF(d, lackingNote(lacking)); err != nil {
			return nil, err
		}
	}
	return w.Bytes()
}

// Lacking names the scripts of a document that its PDF would not show here, in the
// order of their appearance.
func Lacking(d Document) ([]string, error) {
	w, err := setPDF(d, "")
	if err != nil {
		return nil, err
	}
	return w.Lacking(), nil
}

func lackingNote(scripts []string) string {
	return "Not shown in this PDF: " + strings.Join(scripts, ", ") + ". The computer that made it has no font for this, or Footnote does not know how its letters are joined. " +
		"In its place stands the name in brackets; the text behind it can be searched and copied. The HTML and DOCX exports show it."
}

func setPDF(d Document, note string) (*pdfWriter, error) {
	folders := d.Fonts
	if folders == nil {
		folders = paper.SystemFolders()
	}
	sheet, err := paper.New(paper.Options{Title: d.Title, Changed: d.Updated, Folders: folders})
	if err != nil {
		return nil, err
	}
	w := &pdfWriter{Sheet: sheet}
	w.Paragraph("H1", []paper.Piece{{Text: d.Title, Ink: paper.Ink{Bold: true, Size: 18}}}, 0, 3)
	if note != "" {
		w.remark(note)
	}
	for _, t := range d.Turns {
		w.turn(t, !d.named(t))
	}
	return w, nil
}

// turn sets one; asking is with its question above it.
func (w *pdfWriter) turn(t Turn, asking bool) {
	w.t, w.targets = t, map[int]*paper.Place{}
	for _, s := range t.cited() {
		w.targets[s.N] = &paper.Place{}
	}
	if asking {
		w.Space(4)
		w.Room(20)
		w.Bookmark(t.Question)
		w.Paragraph("H2", []paper.Piece{{Text: t.Question, Ink: paper.Ink{Bold: true, Size: 14}}}, 0, 2)
	}
	for _, b := range t.Prose {
		w.block(b)
	}
	w.list(false)
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
	w.Space(2)
	w.Room(16)
	w.Paragraph("H3", []paper.Piece{{Text: title, Ink: paper.Ink{Bold: true, Size: 12}}}, 0, 1.5)
	for _, s := range sources {
		w.source(s)
	}
}

func (w *pdfWriter) remark(text string) {
	w.Paragraph("P", []paper.Piece{{Text: text, Ink: paper.Ink{Italic: true, Size: 9.5, Color: inkSoft}}}, 0, 2)
}

func (w *pdfWriter) source(s Source) {
	small := paper.Ink{Size: 9.5}
	where := small
	if where.Link = safeLink(s.URL); where.Link != "" {
		where.Color = inkLink
	}
	label := small
	label.Apart = true
	number, blank := strings.CutSuffix(s.label(), " ") // the blank runs with what follows
	title := oneLine(s.Title) + " — "
	if blank {
		title = " " + title
	}
	pieces := []paper.Piece{{Text: number, Ink: label}, {Text: title, Ink: small}, {Text: oneLine(s.Where()), Ink: where}}
	for _, q := range s.Quotes {
		pieces = append(pieces, paper.Piece{Text: " " + q.words(), Ink: paper.Ink{Size: 9.5, Color: inkSoft}})
	}
	w.Room(bodySize / 2)
	if target := w.targets[s.N]; target != nil {
		w.At(target)
	}
	w.Paragraph("P", pieces, 0, 1.2)
}

// list opens and closes the list that items stand in.
func (w *pdfWriter) list(open bool) {
	switch {
	case open && !w.listing:
		w.Open("L")
	case !open && w.listing:
		w.Close()
	}
	w.listing = open
}

func (w *pdfWriter) block(b Block) {
	left := float64(min(b.Depth+b.Quoted, 8)) * indent
	base := paper.Ink{Size: bodySize, Italic: b.Quoted > 0}
	w.list(b.Kind == Item)
	switch b.Kind {
	case Heading:
		w.Space(2)
		w.Room(14)
		w.Paragraph("H"+number(min(b.Level+2, 6)), w.pieces(b.Spans, paper.Ink{Bold: true, Size: max(11, 14.5-float64(b.Level))}), left, 1.5)
	case Item:
		label := "•"
		if b.Number > 0 {
			label = number(b.Number) + "."
		}
		w.Item(label, w.pieces(b.Spans, base), left, 1)
	case Code:
		code := paper.Ink{Mono: true, Size: 9}
		for line := range strings.SplitSeq(strings.ReplaceAll(b.Text, "\t", "    "), "\n") {
			w.Paragraph("Code", []paper.Piece{{Text: line, Ink: code}}, left+2, 0)
		}
		w.Space(2)
	case Table:
		w.table(b, left)
	case Rule:
		w.Rule()
	default:
		tag := "P"
		if b.Quoted > 0 {
			tag = "BlockQuote"
		}
		w.Paragraph(tag, w.pieces(b.Spans, base), left, 2)
	}
}

func (w *pdfWriter) table(b Block, left float64) {
	rows := make([][][]paper.Piece, len(b.Rows))
	for i, row := range b.Rows {
		for _, cell := range row {
			rows[i] = append(rows[i], w.pieces(cell, paper.Ink{Size: 9.5, Bold: i == 0}))
		}
	}
	w.Table(rows, deepest(b.Rows), left)
}

// pieces are spans in ink; footnotes lead to their sources.
func (w *pdfWriter) pieces(spans []Span, base paper.Ink) []paper.Piece {
	var out []paper.Piece
	for _, s := range spans {
		own := base
		own.Bold, own.Italic, own.Strike = own.Bold || s.Bold, own.Italic || s.Italic, s.Strike
		if s.Code {
			own.Mono, own.Bold, own.Italic = true, false, false
		}
		if own.Link = s.Link; own.Link != "" {
			own.Color = inkLink
		}
		switch {
		case s.Break:
			out = append(out, paper.Piece{Text: "\n", Ink: own})
		case s.Mark > 0:
			m := w.t.Marks[s.Mark-1]
			own.Color, own.Jump, own.Link, own.Apart = inkLink, w.targets[m.N], "", true
			out = append(out, paper.Piece{Text: "[" + number(m.N) + "]", Ink: own})
			if doubt := m.Doubt(); doubt != "" {
				own.Color, own.Jump, own.Apart = inkDoubt, nil, false
				out = append(out, paper.Piece{Text: " (" + doubt + ")", Ink: own})
			}
		default:
			out = append(out, paper.Piece{Text: visible(s.Text), Ink: own})
		}
	}
	return out
}
