package layout

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// writeLines turns the lines of all pages into blocks: rows of tables as they
// stand, wrapped lines joined to paragraphs, headings told by their type size
// or weight, running heads and feet kept once.
func writeLines(b *format.Builder, pages [][]Line) {
	pages = dropFurniture(pages)
	w := &pageWriter{b: b, hyphens: hyphenated(pages)}
	for i, lines := range pages {
		w.body = bodyStyle(pages[max(0, i-bodyPages):min(len(pages), i+bodyPages+1)])
		w.lines = append(w.lines, w.withColumns(w.paragraphs(lines))...)
	}
	for _, p := range w.lines {
		w.write(p)
	}
}

// bodyPages is how many pages before and after one show what its body text
// looks like: an annex may be set in another size.
const bodyPages = 3

// paragraph is a run of lines that belong together.
type paragraph struct {
	kind  evidence.BlockKind
	lines []Line
	text  string
	level int // of a row whose columns are known
}

type pageWriter struct {
	b       *format.Builder
	body    Line // size and weight of most of the text around the page
	hyphens map[string]bool
	lines   []paragraph
	above   []openHeading // the headings that the next block stands under
	table   grid          // the last one
	tableAt int           // page that it ends, 0 for none
}

type headingStyle struct {
	size         float64
	bold, italic bool
	rank         int // of a label such as "Part II", "Item 2." or "Note 3"; 0 without, -1 when it ends in a colon
}

var labels = []*regexp.Regexp{
	regexp.MustCompile(`^(?i:note|section|article|§|\d+(\.\d+)*[.)]?\s)`),
	regexp.MustCompile(`^(?i:item|chapter|appendix|annex|schedule)\b`),
	regexp.MustCompile(`^(?i:part)\s+([IVX\d]+|one|two|three|four)\b`),
}

// labelRank tells headings of one type apart by their label.
func labelRank(text string) int {
	for i := len(labels) - 1; i >= 0; i-- {
		if labels[i].MatchString(text) {
			return i + 1
		}
	}
	if strings.HasSuffix(text, ":") {
		return -1
	}
	return 0
}

// bodyStyle finds the size, and for it the weight, that most letters have.
func bodyStyle(pages [][]Line) Line {
	sizes := map[float64]int{}
	for _, lines := range pages {
		for _, l := range lines {
			sizes[roundSize(l.Size)] += len(l.Text)
		}
	}
	best := Line{}
	for size, n := range sizes {
		if most := sizes[best.Size]; n > most || n == most && size < best.Size {
			best.Size = size
		}
	}
	bold, italic, all := 0, 0, 0
	for _, lines := range pages {
		for _, l := range lines {
			if roundSize(l.Size) != best.Size {
				continue
			}
			all += len(l.Text)
			if l.bold {
				bold += len(l.Text)
			}
			if l.italic {
				italic += len(l.Text)
			}
		}
	}
	best.bold, best.italic = bold*2 > all, italic*5 > all
	return best
}

func roundSize(size float64) float64 { return math.Round(size*2) / 2 }

var listStart = regexp.MustCompile(`^([•◦▪‣●○■□–—·*-]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]+\))(\s|$)`)
var soloBullet = regexp.MustCompile(`^[•◦▪‣●○■□·]\s`)

// paragraphs groups the lines of a page.
func (w *pageWriter) paragraphs(lines []Line) []paragraph {
	var out []paragraph
	edges := runEdges(lines)
	for i, l := range lines {
		if l.ruled != nil {
			out = append(out, paragraph{kind: evidence.TableRow, lines: []Line{l}})
			continue
		}
		kind := evidence.Paragraph
		switch {
		case isRow(lines, i):
			kind = evidence.TableRow
		case listStart.MatchString(l.Text) && !w.looksHeading(l):
			kind = evidence.ListItem
		}
		if n := len(out); n > 0 && w.continues(out[n-1], l, kind, edges[i]) {
			out[n-1].lines = append(out[n-1].lines, l)
			continue
		}
		if n := len(out); n > 0 && kind == evidence.TableRow && wrappedLabel(out[n-1], l) {
			l.Text = w.join([]Line{out[n-1].lines[0], l})
			out[n-1] = paragraph{kind: kind, lines: []Line{l}}
			continue
		}
		if n := len(out); n > 0 && kind == evidence.TableRow && yearsBelow(&out[n-1], l) {
			continue
		}
		out = append(out, paragraph{kind: kind, lines: []Line{l}})
	}
	for i := range out {
		out[i].text = w.textOf(out[i].lines)
		if out[i].kind != evidence.TableRow && w.isHeading(out[i]) {
			out[i].kind = evidence.Heading
		}
	}
	return out
}

// isRow reports whether line i is a row of a table: three cells, or two with a
// number or with rows above or below.
func isRow(lines []Line, i int) bool {
	l := lines[i]
	if l.ruled != nil || l.cells >= 3 {
		return true
	}
	if l.cells < 2 || soloBullet.MatchString(l.Text) || listStart.MatchString(l.Text) && !endsInNumber(l.Text) {
		return false
	}
	near := func(j int) bool {
		return j >= 0 && j < len(lines) && lines[j].cells >= 2 && lines[j].Region == l.Region && math.Abs(lines[j].y-l.y) < 3*l.Size
	}
	return endsInNumber(l.Text) || near(i-1) || near(i+1)
}

// endsInNumber reports whether the last cell is mostly digits.
func endsInNumber(text string) bool {
	at := strings.LastIndex(text, "  ")
	digits, others := 0, 0
	for _, r := range text[max(0, at):] {
		switch {
		case unicode.IsDigit(r) || r == '—':
			digits++
		case unicode.IsLetter(r):
			others++
		}
	}
	return at >= 0 && digits > others
}

// wrappedLabel reports whether p is the beginning of the label of row l: the
// row goes on in lower case, close below.
func wrappedLabel(p paragraph, l Line) bool {
	if p.kind != evidence.Paragraph || len(p.lines) != 1 {
		return false
	}
	above := p.lines[0]
	first, _ := utf8.DecodeRuneInString(l.Text)
	return above.cells == 1 && above.Region == l.Region && above.y-l.y < 1.7*l.Size && above.y > l.y && math.Abs(above.x0-l.x0) < 4*l.Size &&
		unicode.IsLower(first) && !strings.HasSuffix(above.Text, ":") && !strings.HasSuffix(above.Text, ".")
}

var yearCell = regexp.MustCompile(`^(19|20)\d\d$`)

// yearsBelow joins a row of years to the row of days right above it, cell by
// cell: "June 25," over "2022" is one head of a column.
func yearsBelow(p *paragraph, l Line) bool {
	if p.kind != evidence.TableRow || p.lines[0].ruled != nil || p.lines[0].y-l.y > 2*l.Size {
		return false
	}
	above, years := strings.Split(p.lines[0].Text, "  "), strings.Split(l.Text, "  ")
	if len(above) != len(years) {
		return false
	}
	for i, year := range years {
		if !yearCell.MatchString(year) || !strings.HasSuffix(above[i], ",") {
			return false
		}
	}
	for i := range above {
		above[i] += " " + years[i]
	}
	p.lines[0].Text, p.lines[0].y = strings.Join(above, "  "), l.y
	return true
}

// lineEdge is what joining needs to know of the lines around one.
type lineEdge struct {
	right float64 // where the lines of its run end at most
	pitch float64 // from baseline to baseline in its region, usually
}

// runEdges gives each line the right edge of its run: the lines above and below
// with no larger gap than usual and no table between.
func runEdges(lines []Line) []lineEdge {
	edges := make([]lineEdge, len(lines))
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && lines[j].Region == lines[i].Region {
			j++
		}
		pitch := medianPitch(lines[i:j])
		for i < j {
			end, right := i+1, lines[i].x1
			for end < j && inRun(lines, end, pitch) {
				right = max(right, lines[end].x1)
				end++
			}
			for ; i < end; i++ {
				edges[i] = lineEdge{right, pitch}
			}
		}
	}
	return edges
}

func inRun(lines []Line, at int, pitch float64) bool {
	return lines[at-1].y-lines[at].y <= 1.35*pitch && !isRow(lines, at) && !isRow(lines, at-1)
}

func medianPitch(lines []Line) float64 {
	var gaps []float64
	for i := 1; i < len(lines); i++ {
		if gap := lines[i-1].y - lines[i].y; gap > 0.5*lines[i].Size && gap < 2.5*lines[i].Size {
			gaps = append(gaps, gap)
		}
	}
	size := medianSize(lines)
	if len(gaps) == 0 {
		return 1.3 * size
	}
	slices.Sort(gaps)
	return max(gaps[len(gaps)/3], 1.05*size)
}

// medianSize is the size of lines; a heading above them says nothing of it.
func medianSize(lines []Line) float64 {
	sizes := make([]float64, len(lines))
	for i, l := range lines {
		sizes[i] = l.Size
	}
	slices.Sort(sizes)
	return sizes[(len(sizes)-1)/2]
}

// continues reports whether l goes on with the paragraph p.
func (w *pageWriter) continues(p paragraph, l Line, kind evidence.BlockKind, edge lineEdge) bool {
	last := p.lines[len(p.lines)-1]
	if kind != evidence.Paragraph || p.kind == evidence.TableRow || last.Region != l.Region {
		return false
	}
	gap := last.y - l.y
	if gap < 0 || gap > min(1.35*edge.pitch, 2.2*l.Size) || math.Abs(last.Size-l.Size) > 0.12*l.Size {
		return false
	}
	if last.bold != l.bold && (w.looksHeading(last) || w.looksHeading(l)) {
		return false
	}
	if l.x0 < last.x0-6*l.Size && !centred(last, l) {
		return false
	}
	indented := l.x0 > last.x0+0.8*l.Size
	if indented && len(p.lines) > 1 && p.kind == evidence.Paragraph {
		return false
	}
	room := edge.right - last.x1
	return room < l.firstWord+0.8*l.Size || centred(last, l)
}

// centred reports two lines of one centred heading.
func centred(a, b Line) bool {
	return a.bold && b.bold && math.Abs((a.x0+a.x1)-(b.x0+b.x1)) < b.Size && math.Abs(a.x0-b.x0) > 2*b.Size
}

// looksHeading reports whether a line's type sets it apart from the body.
func (w *pageWriter) looksHeading(l Line) bool {
	return roundSize(l.Size) >= 1.15*w.body.Size || l.bold && !w.body.bold && l.Size >= 0.95*w.body.Size || w.italicHead(l)
}

// italicHead reports a short line all in italics that begins like a title.
func (w *pageWriter) italicHead(l Line) bool {
	first, _ := utf8.DecodeRuneInString(l.Text)
	return l.italic && !w.body.italic && l.Size >= 0.95*w.body.Size && l.cells == 1 && len(l.Text) < 70 && unicode.IsUpper(first)
}

// isHeading reports whether a whole paragraph is a heading: set apart, short,
// with letters, and no sentence.
func (w *pageWriter) isHeading(p paragraph) bool {
	if len(p.lines) > 3 || utf8.RuneCountInString(p.text) > 160 || soloBullet.MatchString(p.text) {
		return false
	}
	for _, l := range p.lines {
		if !w.looksHeading(l) {
			return false
		}
	}
	letters := 0
	for _, r := range p.text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	last, _ := utf8.DecodeLastRuneInString(p.text)
	return letters >= 3 && letters*3 >= utf8.RuneCountInString(p.text) && !strings.ContainsRune(".,;", last)
}

func styleOf(l Line) headingStyle {
	return headingStyle{roundSize(l.Size), l.bold, l.italic, labelRank(l.Text)}
}

// weight orders heading styles: larger first, then bold, then labelled, then
// upright.
func (s headingStyle) weight() float64 {
	v := s.size*8 + float64(s.rank)/2
	if s.bold {
		v += 2
	}
	if !s.italic {
		v += 0.25
	}
	return v
}

// openHeading is a heading whose section goes on.
type openHeading struct {
	weight float64
	page   int
}

// level puts a heading under the open ones of more weight. Of a cover with many
// sizes of type only the first heading stays above what follows.
func (w *pageWriter) level(l Line) int {
	if n := len(w.above); n > 1 && l.Page > 1 && w.above[1].page == 1 && w.above[n-1].page == 1 {
		w.above = w.above[:1]
	}
	weight := styleOf(l).weight()
	for n := len(w.above); n > 0 && w.above[n-1].weight <= weight; n = len(w.above) {
		w.above = w.above[:n-1]
	}
	w.above = append(w.above, openHeading{weight, l.Page})
	return min(len(w.above), 6)
}

func (w *pageWriter) write(p paragraph) {
	block := evidence.Block{Kind: p.kind, Level: p.level, Page: p.lines[0].Page}
	if p.kind == evidence.Heading {
		block.Level = w.level(p.lines[0])
	}
	if n := len(w.b.Blocks); n > 0 && p.kind == evidence.Paragraph {
		last := w.b.Blocks[n-1]
		if last.Kind == evidence.Paragraph && last.Page == block.Page-1 && goesOn(w.b.Document().Text, p.text) {
			w.b.Flow(block, p.text)
			return
		}
	}
	w.b.Add(block, p.text)
}

// goesOn reports whether next continues the sentence that text ends in, over
// the end of a page.
func goesOn(text, next string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLower(first) && !strings.ContainsRune(".!?:;", last)
}
