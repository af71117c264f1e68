package evidence

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// What stands in place of a cell that a merged cell covers, in the cells of a row
// by column.
const (
	MergedLeft = "\x01" // it is one with the cell to its left
	MergedUp   = "\x02" // it is one with the cell above
)

// The Level of a row: a bit for each column with a cell or, where cells are merged,
// two bits for each column. HeadRow marks a row that its file says has heads,
// LabelledRow one that it says has none but the label of the row, RowBegins the first of a table, and RowGoesOn one whose table goes on from above
// what stands between: lines that announce a section, or the end of a page. A row
// of heads that goes on has further lines of the heads above it.
const (
	HeadRow      = 1 << 61
	mergedRow    = 1 << 60
	RowBegins    = 1 << 59
	RowGoesOn    = 1 << 58
	LabelledRow  = 1 << 57
	widestRow    = 56 // columns
	widestMerged = 28
)

// What the two bits of a column say.
const (
	cellBegins = 1 + iota
	cellGoesOn
	cellAbove
)

// ColumnBits tells the columns of a row's cells, for the Level of its block. Of a
// row too wide for it, and of one without cells, it is 0.
func ColumnBits(cells []string) (columns int) {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	merged := slices.Contains(cells, MergedLeft) || slices.Contains(cells, MergedUp)
	if len(cells) > widestRow {
		return 0
	}
	if merged = merged && len(cells) <= widestMerged; merged {
		columns = mergedRow
	}
	for i, c := range cells {
		switch is := cellState(c); {
		case merged:
			columns |= is << (2 * i)
		case is == cellBegins:
			columns |= 1 << i
		}
	}
	return columns
}

func cellState(cell string) int {
	switch {
	case cell == MergedLeft:
		return cellGoesOn
	case cell == MergedUp:
		return cellAbove
	case strings.TrimSpace(cell) == "":
		return 0
	}
	return cellBegins
}

// placedCell is a cell of a row whose columns are known.
type placedCell struct {
	text     string
	from, to int // the first and the last column it stands in
}

// placedRow is a row whose columns are known.
type placedRow struct {
	cells          []placedCell
	above          []int // columns that cells above reach into
	heads          bool
	labelled       bool // it is no row of heads
	begins, goesOn bool
}

// placedCells reads a row whose Level tells its columns; ok is false where it does
// not, as in rows kept by earlier versions, or where the text was cut.
func placedCells(text string, level int) (row placedRow, ok bool) {
	row.heads, row.begins, row.goesOn = level&HeadRow != 0, level&RowBegins != 0, level&RowGoesOn != 0
	row.labelled = level&LabelledRow != 0
	level &^= HeadRow | RowBegins | RowGoesOn | LabelledRow
	if level&mergedRow == 0 {
		for set := level; set != 0; set &= set - 1 {
			i := bits.TrailingZeros(uint(set))
			row.cells = append(row.cells, placedCell{from: i, to: i})
		}
	} else {
		row.place(level &^ mergedRow)
	}
	texts := strings.Split(text, "  ")
	if len(texts) != len(row.cells) {
		texts = Cells(text)
	}
	if len(texts) != len(row.cells) {
		return row, false
	}
	for i := range texts {
		row.cells[i].text = strings.TrimSpace(texts[i])
	}
	return row, len(texts) > 0
}

// place reads two bits for each column.
func (p *placedRow) place(set int) {
	for i := 0; set != 0; i, set = i+1, set>>2 {
		switch n := len(p.cells); {
		case set&3 == cellBegins:
			p.cells = append(p.cells, placedCell{from: i, to: i})
		case set&3 == cellGoesOn && n > 0 && p.cells[n-1].to == i-1:
			p.cells[n-1].to = i
		case set&3 == cellAbove:
			p.above = append(p.above, i)
		}
	}
}

func (p placedRow) texts() (texts []string) {
	for _, c := range p.cells {
		texts = append(texts, c.text)
	}
	return texts
}

// has reports whether a row has a cell of just these columns.
func (p placedRow) has(from, to int) bool {
	return slices.ContainsFunc(p.cells, func(c placedCell) bool { return c.from == from && c.to == to })
}

// plainFigures reports whether a row has a figure that names no period.
func (p placedRow) plainFigures() bool {
	return slices.ContainsFunc(p.cells, func(c placedCell) bool { return IsPlainFigure(c.text) })
}

// namesColumns reports whether a row names columns although a cell begins with a number:
// "1回の料金" among others without any.
func (p placedRow) namesColumns() bool {
	figures := 0
	for _, c := range p.cells {
		switch {
		case !IsPlainFigure(c.text):
		case !hasWord(c.text):
			return false
		default:
			figures++
		}
	}
	return 3*figures <= len(p.cells)
}

const headRunes = 40 // of the head of the second of two columns

// tells reports whether a row of two cells says something of its first one: a table of two
// columns often has no heads.
func (p placedRow) tells() bool {
	if len(p.cells) != 2 {
		return false
	}
	value := p.cells[1].text
	return utf8.RuneCountInString(value) > headRunes || strings.ContainsAny(value, "0123456789") && len(strings.Fields(value)) > 2
}

// columnTable is a table whose rows tell their columns.
type columnTable struct {
	heads   map[int]string // by column
	last    placedRow      // of heads
	cells   map[int]string // the last of each column
	data    int            // rows below the heads
	begun   bool           // its first row was read
	figures bool
	caption string
	section string
	number  int // of the document's tables
	label   int // column of what names its rows
	labels  bool
}

// take reads a row: heads, a line that announces a section, or data, which it gives
// with the sections that it stands in. Apart means that a blank line is above it.
func (t *columnTable) take(p placedRow, apart bool) (row Row, ok bool) {
	if len(p.cells) == 1 && len(p.above) == 0 && !(p.heads && p.cells[0].from > 0) {
		t.announce(p.cells[0].text)
		return Row{}, false
	}
	if t.takesHeads(p, apart) {
		return Row{}, false
	}
	t.data++
	t.figures = t.figures || p.plainFigures()
	return t.row(p), true
}

// announce takes in a row of one cell: above the heads it says what the table
// shows, below them what follows.
func (t *columnTable) announce(text string) {
	switch {
	case !hasWord(text) && !namesScale(text) || utf8.RuneCountInString(text) > sectionRunes:
	case !t.begun:
		t.caption = joined(", ", t.caption, text)
	case namesScale(text):
		t.caption = joined(", ", t.caption, text)
	default:
		t.section = strings.TrimSuffix(text, ":")
	}
}

// takesHeads reports whether a row is of heads, and keeps it: rows that the file
// marks, the first one unless it has a figure that names no period, further ones
// below it that go on, and later ones after a blank line.
func (t *columnTable) takesHeads(p placedRow, apart bool) bool {
	first := !t.begun
	t.begun = true
	switch {
	case p.labelled:
		return false
	case p.heads || first:
		if !p.heads && (p.plainFigures() && !p.namesColumns() || p.tells()) {
			return false
		}
	case t.data == 0 && t.headsGoOn(p):
		t.fill(p)
	case t.repeats(p):
		return true
	case apart && !p.plainFigures() && (t.figures || len(p.cells) > len(t.last.cells)):
	default:
		return false
	}
	if t.data > 0 {
		t.heads, t.data, t.section, t.labels = map[int]string{}, 0, "", false
	}
	for _, c := range p.cells {
		sep := " / "
		if p.heads && p.goesOn && t.last.has(c.from, c.to) {
			sep = " " // lines of one head
		}
		for i := c.from; i <= c.to; i++ {
			t.heads[i] = joined(sep, t.heads[i], c.text)
		}
	}
	t.last = p
	return true
}

// headsGoOn reports whether a row right below heads is of heads as well: of units,
// of periods, or parts of the heads above, which span them.
func (t *columnTable) headsGoOn(p placedRow) bool {
	if len(t.heads) == 0 || p.plainFigures() {
		return false
	}
	texts := p.texts()
	values := texts[labelOf(texts):]
	if len(texts) > 1 && hasWord(texts[0]) && !namesScale(texts[0]) {
		values = texts[1:]
	}
	all := func(is func(string) bool) bool {
		return !slices.ContainsFunc(values, func(c string) bool { return !is(c) })
	}
	spans := slices.ContainsFunc(t.last.cells, func(c placedCell) bool { return c.to > c.from })
	gap := slices.ContainsFunc(p.cells, func(c placedCell) bool { return c.from > 0 && t.heads[c.from] == "" })
	parts := repeated(texts) || slices.ContainsFunc(t.last.cells, func(c placedCell) bool { return namesPeriod(c.text) })
	return all(namesScale) || all(namesPeriod) || (spans && !t.last.heads) || (spans || gap) && parts
}

// fill lets the heads above a further row of heads reach over the empty cells to
// their right, where the file does not say how far they span.
func (t *columnTable) fill(p placedRow) {
	for _, c := range p.cells {
		if t.heads[c.from] != "" || slices.Contains(p.above, c.from) {
			continue
		}
		for i := c.from - 1; i > 0; i-- {
			if t.heads[i] != "" {
				t.heads[c.from] = t.heads[i]
				break
			}
		}
	}
}

// repeats reports whether a row has the heads again, as at the top of a page.
func (t *columnTable) repeats(p placedRow) bool {
	return len(p.cells) > 1 && slices.Equal(p.texts(), t.last.texts())
}

// row puts a row of data under the heads. A cell that reaches down from above its
// label names the section; elsewhere it is a value of this row as well.
func (t *columnTable) row(p placedRow) (row Row) {
	texts := p.texts()
	label := 0
	if !p.labelled { // a key of the keyboard is no word
		label = t.labelOf(p)
	}
	group := ""
	for _, i := range p.above {
		if i < p.cells[label].from {
			group = joined(", ", group, t.cells[i])
		}
	}
	row.Label, row.Of = texts[label], t.heads[p.cells[label].from]
	row.Section = joined(", ", t.caption, t.section, group)
	here := map[int]string{}
	for i, c := range p.cells {
		for k := c.from; k <= c.to; k++ {
			here[k] = c.text
		}
		if i != label {
			t.value(&row, c)
		}
	}
	for _, i := range p.above {
		here[i] = t.cells[i]
		if i > p.cells[label].from && here[i] != "" {
			t.value(&row, placedCell{here[i], i, i})
		}
	}
	t.cells = here
	if strings.HasPrefix(strings.ToLower(row.Label), "total") {
		t.section = ""
	}
	return row
}

// labelOf is the cell that names a row: the first one with a word, and in the rows below
// that of the same column, whatever words others have.
func (t *columnTable) labelOf(p placedRow) int {
	if at := slices.IndexFunc(p.cells, func(c placedCell) bool { return t.labels && c.from == t.label && !IsPlainFigure(c.text) }); at >= 0 {
		return at
	}
	at := labelOf(p.texts())
	if !t.labels && t.data == 1 {
		t.label, t.labels = p.cells[at].from, true
	}
	return at
}

// value adds a cell to a row, under all heads that it stands below.
func (t *columnTable) value(row *Row, c placedCell) {
	row.Values = append(row.Values, c.text)
	if len(t.heads) == 0 {
		return
	}
	head := ""
	for i := c.from; i <= c.to; i++ {
		head = joined(", ", head, t.heads[i])
	}
	row.Heads = append(row.Heads, head)
}

// joined joins what is not empty and not said already.
func joined(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" && !slices.Contains(kept, p) {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

func repeated(texts []string) bool {
	for i, t := range texts {
		if slices.Contains(texts[:i], t) {
			return true
		}
	}
	return false
}

var (
	scaleOrUnit = pattern.New(`(?i)^\(?(?:(?:all )?(?:amounts|figures|values|angaben|beträge|montants|importes)? ?(?:are )?(?:in|en) )?(?:(?:[A-Z]{0,2}[$€£¥]|EUR|USD|GBP|CHF|JPY|SEK|PLN|euros?|dollars|pounds)?[ '’]?(?:000s?|0{3}|thousands?|millions?|billions?|mn?|bn|k|tsd\.?|mio\.?|mrd\.?|milliers|miles|millones)?(?: (?:of|d['’]|de) ?(?:euros?|dollars|pounds|€|\$))?|T€|%|percent|units|pcs|kg|t|m²|hours|days)\)?$`)
	scaleInText = pattern.New(`(?i)\b(?:in|en) (?:[A-Z]{0,3}[$€£¥]? ?)?(?:thousands|millions|billions|tausend|millionen|milliarden|milliers|millones|miles)\b|[$€£¥] ?['’]?000|\b(?:EUR|USD|GBP|CHF) (?:thousands?|millions?|billions?|['’]?000|m|bn)\b|T€|\bTEUR\b|\b(?:Mio|Mrd|Tsd)\.`)
	numberedAs  = pattern.New(`(?i)^(?:table|tabelle|tableau|tabla|tabella) [\dIVX]`)
)

// columnRunes is how long the names of all columns are in a place.
const columnRunes = 400

// columnNames gives the heads of a document that is one table, as comma-separated
// values are: its first row, when it has no figure. A row further down says little
// without them. Empty for all other documents.
func columnNames(doc Document) string {
	if len(doc.Blocks) == 0 || slices.ContainsFunc(doc.Blocks, func(b Block) bool { return b.Kind != TableRow }) {
		return ""
	}
	first := doc.Blocks[0]
	if first.Start < 0 || first.Start > first.End || first.End > len(doc.Text) {
		return ""
	}
	cells := Cells(doc.Text[first.Start:first.End])
	if len(cells) < 2 || slices.ContainsFunc(cells, IsPlainFigure) {
		return ""
	}
	names := []rune(strings.Join(cells, ", "))
	if len(names) > columnRunes {
		return string(names[:columnRunes]) + "…"
	}
	return string(names)
}

// namesScale reports whether a cell or a short line tells a unit or a scale.
func namesScale(text string) bool {
	return text != "" && scaleOrUnit.MatchString(text) || scaleInText.MatchString(text)
}

// Captions reports whether a line right above a table says what it shows. How long it is
// is looked at first: to look for a scale in a chapter takes as long as to read its tables.
func Captions(text string) bool {
	if len(text) > 2*sectionRunes*utf8.UTFMax {
		return false
	}
	n := utf8.RuneCountInString(text)
	return n <= sectionRunes && numberedAs.MatchString(text) || (n <= sectionRunes || n <= 2*sectionRunes && text[0] == '(') && scaleInText.MatchString(text)
}
