package evidence

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// Row is a row of a table as a reader takes it in: what it is about, and its
// values under the heads of their columns.
type Row struct {
	Span             // bytes of Document.Text
	At      Span     // the same in code points
	Heading string   // heading path above the table
	Section string   // the line above that announces it ("Net sales:"), without the colon; may be empty
	Label   string   // its first cell with a word, or its first cell
	Values  []string // the other cells
	Heads   []string // one for each value; nil when they cannot be told
	Of      string   // head of the label's own column; may be empty
	Scale   string   // part of Section: the line that says what the figures are in; may be empty
	Table   int      // which table of the document it stands in, counted from 0
}

// Rows reads the tables of a document, in order. Rows that hold the heads of
// columns, and rows of one cell, are not among them. A blank line between two rows
// ends a table that has more than heads; a line that announces a section does not.
func Rows(doc Document) []Row {
	r := &rowReader{}
	count := unitCollector{doc: doc}
	var paths []string
	end := 0
	for i, b := range doc.Blocks {
		if b.Start < 0 || b.Start > b.End || b.End > len(doc.Text) {
			continue
		}
		apart := b.Kind == TableRow && i > 0 && doc.Blocks[i-1].Kind == TableRow && b.Start == end+2
		if apart && r.data > 0 {
			r.close()
		}
		end = b.End
		if b.Kind != TableRow {
			r.between(doc.Text[b.Start:b.End])
			continue
		}
		if paths == nil {
			paths = headingPaths(doc)
		}
		if b.Start < count.at { // out of order
			continue
		}
		at := Span{count.codePoints(b.Start), count.codePoints(b.End)}
		row, text := Row{Span: Span{b.Start, b.End}, At: at, Heading: paths[i]}, doc.Text[b.Start:b.End]
		if p, ok := placedCells(text, b.Level); ok {
			r.inColumns(row, p, apart, b.Page)
			continue
		}
		r.row(row, text, b.Page)
	}
	r.close()
	return r.rows
}

// Cells cuts a row as printed: columns stand apart by tabs, bars or at least two
// spaces.
func Cells(row string) []string {
	var cells []string
	for _, c := range columnGap.Split(strings.Trim(row, "| \t\r\n"), -1) {
		c = strings.Join(strings.Fields(c), " ")
		if i := strings.IndexAny(c, "$€£"); i > 1 && c[i-1] == ' ' && IsFigure(c[i:]) && IsFigure(c) && !hasWord(c) { // two columns that touch
			cells = append(cells, c[:i-1])
			c = c[i:]
		}
		if c != "" {
			cells = append(cells, c)
		}
	}
	return cells
}

var (
	columnGap = pattern.New(`\s*[\t|]\s*|[ \x{a0}]{2,}`)
	figure    = pattern.New(`^[-+–−(<>≈~ ]*(?:[A-Z]{0,3}[$€£¥])? ?[-(]?[.,]?\d`)
	monthWord = pattern.New(`(?i)\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`)
	period    = pattern.New(`(?i)\b(?:ended|ending|q[1-4]|fy ?\d{2,4}|(?:19|20)\d\d|(?:\d+|one|two|three|four|six|nine|twelve)[ -](?:months?|quarters?|years?|weeks?))\b`)
)

// rowReader reads one table after another.
type rowReader struct {
	rows    []Row
	heads   [][]string // rows of heads that stand now, outermost first
	data    int        // rows read since the heads
	page    int
	section string
	open    bool // inside a table
	figures bool // the table has had a figure
	first   int  // of its rows

	caption string       // the line above that says what the table shows
	table   *columnTable // the open one, where its rows tell their columns
	closed  *columnTable // the last one, which may go on
	said    string       // the short line since then
	tables  int          // that ended
}

const sectionRunes = 80

// between takes in what stands between rows: a short line announces a section,
// anything longer ends the table.
func (r *rowReader) between(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	if section, announces := strings.CutSuffix(text, ":"); announces && utf8.RuneCountInString(section) <= sectionRunes {
		r.section, r.said = strings.Join(strings.Fields(section), " "), ""
		return
	}
	if r.open || r.section != "" {
		r.close()
	}
	r.caption, r.said = "", ""
	if Captions(text) {
		r.caption = strings.TrimSuffix(text, ".")
	} else if utf8.RuneCountInString(text) <= sectionRunes {
		r.said = text
	}
}

// close ends a table. In one of figures, rows without any are parts of heads, at
// least those at its top.
func (r *rowReader) close() {
	table := r.rows[r.first:]
	if r.table != nil {
		*r = rowReader{rows: r.rows, first: len(r.rows), closed: r.table, page: r.page, tables: r.tables + 1}
		return
	}
	bare := func(row Row) bool { return !slices.ContainsFunc(row.Values, IsFigure) }
	first, n := -1, 0
	for i, row := range table {
		if bare(row) {
			continue
		}
		if n++; first < 0 {
			first = i
		}
	}
	if first > 0 { // the heads go on for several lines: which belongs to which is not known
		for i := range table {
			table[i].Heads = nil
		}
	}
	switch {
	case 2*n >= len(table):
		table = slices.DeleteFunc(table, bare)
	case n > 1:
		table = slices.Delete(table, 0, first)
	}
	rows := r.rows[:r.first+len(table)]
	*r = rowReader{rows: rows, first: len(rows), tables: r.tables + 1}
}

func (r *rowReader) row(row Row, text string, page int) {
	cells := Cells(text)
	if len(cells) == 0 {
		return
	}
	if r.takesHeads(cells, page) {
		r.page, r.open = page, true
		return
	}
	r.page, r.open = page, true
	r.data++
	if len(cells) < 2 {
		return
	}
	label := labelOf(cells)
	row.Section, row.Label, row.Table = r.section, cells[label], r.tables
	row.Values = append(append(row.Values, cells[:label]...), cells[label+1:]...)
	row.Heads = headsOf(r.heads, label, len(cells))
	r.rows = append(r.rows, row)
	if strings.HasPrefix(strings.ToLower(row.Label), "total") {
		r.section = ""
	}
}

// inColumns takes in a row of a table whose columns are known.
func (r *rowReader) inColumns(row Row, p placedRow, apart bool, page int) {
	if r.open && (r.table == nil || p.begins) {
		r.close()
	}
	switch {
	case r.table == nil && p.goesOn && r.closed != nil:
		r.table = r.closed
		if r.said != "" && page == r.page {
			r.table.announce(r.said)
		}
	case r.table == nil:
		r.table = &columnTable{heads: map[int]string{}, cells: map[int]string{}, caption: r.caption, number: r.tables}
	}
	r.open, r.page = true, page
	placed, ok := r.table.take(p, apart)
	if !ok || len(placed.Values) == 0 {
		return
	}
	row.Section = joined(", ", r.section, placed.Section)
	if namesScale(r.table.caption) {
		row.Scale = r.table.caption
	}
	row.Label, row.Values, row.Heads, row.Of, row.Table = placed.Label, placed.Values, placed.Heads, placed.Of, r.table.number
	r.rows = append(r.rows, row)
	if strings.HasPrefix(strings.ToLower(row.Label), "total") {
		r.section = ""
	}
}

// labelOf is the cell that names the row: the first one with a word.
func labelOf(cells []string) int {
	for i, c := range cells {
		if hasWord(c) && (i == 0 || !IsFigure(c)) {
			return i
		}
	}
	return 0
}

// takesHeads reports whether cells are heads of columns, and keeps them: the
// first row of a table without a figure, further such rows below it as long as
// they are periods or the table is one of figures, and rows of periods later on.
func (r *rowReader) takesHeads(cells []string, page int) bool {
	periods := 0
	for i, c := range cells {
		if IsFigure(c) && (i > 0 || !hasWord(c)) {
			r.figures = true
			return false
		}
		if namesPeriod(c) {
			periods++
		}
	}
	spanned := len(r.heads) > 0 && len(r.heads) < 3 && len(cells) > len(r.heads[0])
	switch {
	case !r.open, page != r.page && r.data > 0 && r.figures && len(cells) > 1:
		r.heads, r.data = nil, 0
	case r.data == 0 && (periods > 0 || spanned):
	case periods == len(cells) && r.figures:
		r.heads, r.data = nil, 0
	default:
		return false
	}
	r.heads = append(r.heads, cells)
	return true
}

// headsOf puts rows of heads over the cells of a row: the lowest must have one
// for each cell, or one for each value; those above may span several.
func headsOf(rows [][]string, label, cells int) []string {
	if len(rows) == 0 {
		return nil
	}
	values := cells - 1
	heads := make([]string, values)
	for i, row := range rows {
		if len(row) == cells && !namesPeriod(row[label]) {
			row = append(append([]string{}, row[:label]...), row[label+1:]...)
		}
		last := i == len(rows)-1
		if last && len(row) != values || values%max(1, len(row)) != 0 {
			if last {
				return nil
			}
			continue
		}
		for k := range heads {
			heads[k] = strings.TrimSpace(heads[k] + " " + row[k*len(row)/values])
		}
	}
	return heads
}

// namesPeriod reports whether a cell names a period: it heads a column of values.
func namesPeriod(cell string) bool { return monthWord.MatchString(cell) || period.MatchString(cell) }

// IsPlainFigure reports whether a cell is a figure that names no period.
func IsPlainFigure(cell string) bool { return IsFigure(cell) && !namesPeriod(cell) }

// IsFigure reports whether a cell is a number, a price, a time or a dash in
// place of one. Years and dates name columns as often as they fill them.
func IsFigure(cell string) bool {
	switch cell {
	case "—", "–", "-", "$—", "n/a", "N/A":
		return true
	}
	if !figure.MatchString(cell) || monthWord.MatchString(cell) {
		return false
	}
	year, err := strconv.Atoi(cell)
	return err != nil || year < 1900 || year > 2100
}

// hasWord reports whether a cell has three letters in a row, or two of a script that
// writes syllables or words with one.
func hasWord(cell string) bool {
	n := 0
	for _, r := range cell {
		if !unicode.IsLetter(r) {
			n = 0
			continue
		}
		if n++; unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			n++
		}
		if n >= 3 {
			return true
		}
	}
	return false
}
