package paper

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"time"
)

// Sizes of a page.
const (
	Width, Height = 210.0, 297.0
	Margin        = 22.0
)

// Options of a document. Folders hold fonts for what those of the program lack.
type Options struct {
	Title   string
	Changed time.Time
	Folders []string
}

// Place is where a link leads to, once it is known: At says it.
type Place struct {
	page int // from 1; 0 = nowhere yet
	y    float64
}

// Sheet is a document that is set from the top down.
type Sheet struct {
	opt     Options
	fonts   *fonts
	used    []*face
	lacking []string
	pages   []*page
	y       float64
	stack   []*element
	marked  *element
	turns   []bookmark
}

type page struct {
	content bytes.Buffer
	marks   []*element
	links   []*annotation
}

type annotation struct {
	x, y, width, height float64
	address             string
	place               *Place
	element             *element
	number              int
}

type bookmark struct {
	title string
	place Place
}

// New begins a document.
func New(opt Options) (*Sheet, error) {
	f, err := newFonts(opt.Folders)
	if err != nil {
		return nil, err
	}
	s := &Sheet{opt: opt, fonts: f, stack: []*element{{tag: "Document"}}}
	s.turn()
	return s, nil
}

// Lacking names the scripts for which the computer has no font, or whose rules are
// not known here, in the order of their appearance.
func (s *Sheet) Lacking() []string { return s.lacking }

func (s *Sheet) page() *page { return s.pages[len(s.pages)-1] }

func (s *Sheet) turn() {
	if len(s.pages) > 0 {
		s.unmark()
	}
	s.pages = append(s.pages, &page{})
	s.y = Margin
}

// Room turns the page when less than so much is left.
func (s *Sheet) Room(height float64) {
	if s.y+height > Height-Margin {
		s.turn()
	}
}

// Space leaves a gap.
func (s *Sheet) Space(height float64) { s.y += height }

// Bookmark names this place in the outline of the document.
func (s *Sheet) Bookmark(title string) {
	s.turns = append(s.turns, bookmark{title, Place{len(s.pages), s.y}})
}

// At makes this place the one that links to p lead to.
func (s *Sheet) At(p *Place) { *p = Place{len(s.pages), s.y} }

// Paragraph sets text as a part of a kind (P, H1, Code, …) and leaves a gap below.
func (s *Sheet) Paragraph(tag string, pieces []Piece, left, gap float64) {
	s.Open(tag)
	for _, l := range s.lines(pieces, Width-2*Margin-left) {
		s.Room(l.height)
		s.draw(l, Margin+left, Width-Margin)
		s.y += l.height
	}
	s.Close()
	s.y += gap
}

// Item sets a paragraph of a list with a label before its first line.
func (s *Sheet) Item(label string, pieces []Piece, left, gap float64) {
	s.Room(leading * bodySize)
	s.Open("LI")
	l := s.lines([]Piece{{label, Ink{Size: bodySize}}}, Width)[0]
	s.Open("Lbl")
	s.draw(l, Margin+left-l.width-1, Width-Margin)
	s.Close()
	before, page := s.y, len(s.pages)
	s.Paragraph("LBody", pieces, left, gap)
	if len(pieces) == 0 && page == len(s.pages) {
		s.y = before + l.height + gap
	}
	s.Close()
}

// Rule draws a line across.
func (s *Sheet) Rule() {
	s.Room(4)
	s.aside("0.2 w %s %s m %s %s l S", points(Margin), up(s.y+1), points(Width-Margin), up(s.y+1))
	s.y += 4
}

// Table sets rows in columns of one width; the first is the head. A row that no page
// holds is set as paragraphs.
func (s *Sheet) Table(rows [][][]Piece, columns int, left float64) {
	width := (Width - 2*Margin - left) / float64(columns)
	s.Open("Table")
	for i, row := range rows {
		tag, height := "TD", 0.0
		if i == 0 {
			tag = "TH"
		}
		cells := make([][]line, columns)
		for c := range row {
			cells[c] = s.lines(row[c], width-3)
			height = max(height, heightOf(cells[c])+2)
		}
		s.Open("TR")
		if height > Height-2*Margin {
			for _, cell := range row {
				s.Paragraph(tag, cell, left, 1)
			}
		} else {
			s.row(cells, tag, width, height, left)
		}
		s.Close()
	}
	s.Close()
	s.y += 2
}

func (s *Sheet) row(cells [][]line, tag string, width, height, left float64) {
	s.Room(height)
	top := s.y
	for c, lines := range cells {
		x := Margin + left + float64(c)*width
		s.aside("0.2 w %s %s %s %s re S", points(x), up(top+height), points(width), points(height))
		s.Open(tag)
		s.y = top + 1
		for _, l := range lines {
			s.draw(l, x+1.5, x+width-1.5)
			s.y += l.height
		}
		s.Close()
	}
	s.y = top + height
}

func heightOf(lines []line) (sum float64) {
	for _, l := range lines {
		sum += l.height
	}
	return sum
}

// draw sets a line with its top here, between two edges.
func (s *Sheet) draw(l line, left, right float64) {
	x := left
	if l.right {
		x = right - l.width
	}
	for at := 0; at < len(l.cells); {
		end := at + 1
		for end < len(l.cells) && together(l.cells[at], l.cells[end]) {
			end++
		}
		x += s.run(l.cells[at:end], x, l.height)
		at = end
	}
}

// together reports whether two cells are drawn at once.
func together(a, b cell) bool {
	return a.face == b.face && a.ink == b.ink && a.level%2 == b.level%2
}

// run draws cells of one font and ink and gives their width. What runs from right
// to left stands in the file as it is seen: readers of PDFs turn it round.
func (s *Sheet) run(cells []cell, x, height float64) (width float64) {
	first := cells[0]
	k, base := first.ink, s.y+0.72*height
	if first.face.number == 0 {
		s.used = append(s.used, first.face)
		first.face.number = len(s.used)
	}
	var signs strings.Builder
	for _, c := range cells {
		fmt.Fprintf(&signs, "%04X", c.face.use(c.glyph, c.text))
		width += c.width
	}
	linked := k.Link != "" || k.Jump != nil
	if linked {
		s.Open("Link")
	}
	s.mark()
	out := &s.page().content
	color := fmt.Sprintf("%.3f %.3f %.3f", float64(k.Color[0])/255, float64(k.Color[1])/255, float64(k.Color[2])/255)
	weight := "0 Tr"
	if k.Bold && first.face != s.fonts.own[k.style()] {
		weight = fmt.Sprintf("2 Tr %.3f w %s RG", k.Size*.03, color) // a font without a bold one
	}
	fmt.Fprintf(out, "BT /F%d %.2f Tf %s rg %s %s %s Td <%s> Tj ET\n", first.face.number, k.Size, color, weight, points(x), up(base), signs.String())
	if linked {
		s.link(x, width, height, k)
		s.Close()
	}
	if k.Strike {
		s.aside("0.4 w %s %s m %s %s l S", points(x), up(base-0.3*height*.5), points(x+width), up(base-0.3*height*.5))
	}
	return width
}

func (s *Sheet) link(x, width, height float64, k Ink) {
	e := s.stack[len(s.stack)-1]
	a := &annotation{x, s.y, width, height, k.Link, k.Jump, e, 0}
	s.page().links = append(s.page().links, a)
	e.kids = append(e.kids, kid{page: len(s.pages) - 1, link: a})
}

func points(mm float64) string { return fmt.Sprintf("%.2f", mm/pointsToMM) }

func up(mm float64) string { return points(Height - mm) }

// Bytes ends the document.
func (s *Sheet) Bytes() ([]byte, error) {
	s.unmark()
	f := &file{}
	catalog, tree, parts := f.reserve(), f.reserve(), f.reserve()
	fontNames := ""
	for _, v := range s.used {
		n, err := f.embed(v)
		if err != nil {
			return nil, err
		}
		fontNames += fmt.Sprintf("/F%d %d 0 R ", v.number, n)
	}
	pages := make([]int, len(s.pages))
	for i := range s.pages {
		pages[i] = f.reserve()
	}
	if err := s.writePages(f, pages, tree, fontNames); err != nil {
		return nil, err
	}
	s.structure(f, pages, parts)
	meta := f.add("<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\n%s\nendstream", len(s.metadata()), s.metadata())
	outline := ""
	if len(s.turns) > 0 {
		outline = fmt.Sprintf(" /Outlines %d 0 R /PageMode /UseOutlines", s.outline(f, pages))
	}
	f.put(catalog, "<< /Type /Catalog /Pages %d 0 R /StructTreeRoot %d 0 R /MarkInfo << /Marked true >> /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> /Metadata %d 0 R%s >>", tree, parts, meta, outline)
	info := f.add("<< /Title %s /Producer (Footnote) /CreationDate %s /ModDate %s >>", hex(s.opt.Title), date(s.opt.Changed), date(s.opt.Changed))
	return f.bytes(catalog, info), nil
}

func (s *Sheet) writePages(f *file, pages []int, tree int, fontNames string) error {
	key := len(pages)
	var kids strings.Builder
	for i, p := range s.pages {
		fmt.Fprintf(&kids, "%d 0 R ", pages[i])
		content, err := f.stream("", p.content.Bytes())
		if err != nil {
			return err
		}
		links := ""
		for _, a := range p.links {
			a.number = f.add("%s", a.object(pages, key))
			key++
			links += fmt.Sprintf("%d 0 R ", a.number)
		}
		f.put(pages[i], "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources << /Font << %s>> >> /Contents %d 0 R /Annots [%s] /StructParents %d /Tabs /S >>",
			tree, points(Width), points(Height), fontNames, content, links, i)
	}
	f.put(tree, "<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(pages))
	return nil
}

// object is a link as it lies on its page.
func (a *annotation) object(pages []int, key int) string {
	target := fmt.Sprintf("/A << /S /URI /URI %s >> /Contents %s", literal(a.address), hex(a.address))
	if a.place != nil {
		if a.place.page == 0 {
			*a.place = Place{page: 1}
		}
		target = fmt.Sprintf("/Dest [%d 0 R /XYZ null %s null] /Contents (Source)", pages[a.place.page-1], up(a.place.y))
	}
	return fmt.Sprintf("<< /Type /Annot /Subtype /Link /Border [0 0 0] /F 4 /Rect [%s %s %s %s] /StructParent %d %s >>",
		points(a.x), up(a.y+a.height), points(a.x+a.width), up(a.y), key, target)
}

func (s *Sheet) outline(f *file, pages []int) int {
	root := f.reserve()
	first := len(f.objects) + 1
	last := first + len(s.turns) - 1
	for i, t := range s.turns {
		beside := ""
		if i > 0 {
			beside += fmt.Sprintf(" /Prev %d 0 R", first+i-1)
		}
		if i < len(s.turns)-1 {
			beside += fmt.Sprintf(" /Next %d 0 R", first+i+1)
		}
		f.add("<< /Title %s /Parent %d 0 R /Dest [%d 0 R /XYZ null %s null]%s >>", hex(t.title), root, pages[t.place.page-1], up(t.place.y), beside)
	}
	f.put(root, "<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", first, last, len(s.turns))
	return root
}

func (s *Sheet) metadata() string {
	return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">` +
		html.EscapeString(s.opt.Title) + `</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
}
