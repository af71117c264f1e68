package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"footnote/backend/evidence"
)

// A table whose cells are parted by lines says what stands in each of them, however
// often its text wraps and wherever in its cell it stands. Such a table becomes one
// fragment for each row before lines are looked for.

// Joint is a place in a fragment behind which the text was put anew: a line between
// two cells may pass there. X0 is where the text before it ends, X1 where it goes on.
type Joint struct {
	At     int // in bytes of the text
	X0, X1 float64
}

const (
	mostSticks  = 600 // each way; a page with more is a drawing
	mostColumns = 28
	mostRuled   = 400 // rows of a table
	manyLines   = 6   // in the cells of a row that is several
	longestCell = 16  // lines
)

// ruledRow is a row of a ruled table.
type ruledRow struct {
	cells [][]Line // lines of those with text, in the order they are read in
	level int      // what the Level of its block says
	table *ruled
}

// ruled is a table whose cells are parted by lines.
type ruled struct {
	xs, ys         []float64 // edges of columns, and of rows from the top
	level, upright []stick
	size           float64      // of most of its text
	owner          []int        // of each place, the cell it belongs to
	cells          [][]Fragment // by place, of those that own one
	fromRight      bool         // its columns are read from the right
}

// Ruled puts the rows of ruled tables in the place of the fragments in them.
func Ruled(turned [Turns][]Fragment, rules []Rule) [Turns][]Fragment {
	level, upright := sticks(rules)
	if len(level) < 2 || len(upright) == 0 || len(level) > mostSticks || len(upright) > mostSticks {
		return turned
	}
	for _, t := range ruledTables(level, upright) {
		turned[0] = t.take(turned[0])
	}
	return turned
}

// ruledTables are what lines that touch make together, small ones first: one may
// stand in a cell of another.
func ruledTables(level, upright []stick) (tables []*ruled) {
	group := make([]int, len(level)+len(upright))
	for i := range group {
		group[i] = i
	}
	root := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	for i, l := range level {
		for j, u := range upright {
			if l.meets(u) {
				group[root(len(level)+j)] = root(i)
			}
		}
	}
	of := map[int]*ruled{}
	for i := range group {
		t := of[root(i)]
		if t == nil {
			t = &ruled{}
			of[root(i)] = t
			tables = append(tables, t)
		}
		if i < len(level) {
			t.level = append(t.level, level[i])
		} else {
			t.upright = append(t.upright, upright[i-len(level)])
		}
	}
	tables = slices.DeleteFunc(tables, func(t *ruled) bool { return !t.measure() })
	slices.SortStableFunc(tables, func(a, b *ruled) int { return cmp.Compare(a.area(), b.area()) })
	return tables
}

// measure tells the rows and columns; ok is false for lines that make no table.
func (t *ruled) measure() (ok bool) {
	t.xs, t.ys = edgesOf(t.upright, t.level), edgesOf(t.level, t.upright)
	slices.Reverse(t.ys)
	return len(t.xs) > 2 && len(t.xs) <= mostColumns+1 && len(t.ys) > 2 && len(t.ys) <= mostRuled
}

func (t *ruled) area() float64 {
	return (t.xs[len(t.xs)-1] - t.xs[0]) * (t.ys[0] - t.ys[len(t.ys)-1])
}

// take puts rows in the place of the fragments in the table, unless these are not
// cells that stand between its lines.
func (t *ruled) take(frags []Fragment) []Fragment {
	t.fromRight = mostlyRTL(t.text(frags))
	t.merge()
	t.cells = make([][]Fragment, len(t.owner))
	rest := make([]Fragment, 0, len(frags))
	inside, over := 0, 0
	last, at := Fragment{}, -1
	for _, f := range frags {
		for _, piece := range t.parted(f) {
			if !goesOnFrom(last, piece) {
				at = t.place(piece)
			}
			if last = piece; at < 0 {
				rest = append(rest, piece)
				continue
			}
			own := t.owner[at]
			t.cells[own] = append(t.cells[own], piece)
			inside++
			if t.reachesOver(piece, at) {
				over++
			}
		}
	}
	if inside == 0 || over*3 > inside {
		return frags
	}
	t.size = medianOf(t.cells)
	lines := t.lines()
	if !t.isTable(lines) {
		return frags
	}
	return append(rest, t.rows(lines)...)
}

// text is what stands in the table, in no order.
func (t *ruled) text(frags []Fragment) string {
	var all strings.Builder
	for _, f := range frags {
		if t.place(f) >= 0 {
			all.WriteString(f.Text)
		}
	}
	return all.String()
}

// column is what column c takes of the width, in the order columns are read in.
func (t *ruled) column(c int) stretch {
	if t.fromRight {
		c = len(t.xs) - 2 - c
	}
	return stretch{t.xs[c], t.xs[c+1]}
}

// before is where column c begins, as it is read.
func (t *ruled) before(c int) float64 {
	if t.fromRight {
		return t.column(c).x1
	}
	return t.column(c).x0
}

// merge tells which places are one cell: no line parts them.
func (t *ruled) merge() {
	columns := len(t.xs) - 1
	t.owner = make([]int, columns*(len(t.ys)-1))
	for i := range t.owner {
		r, c := i/columns, i%columns
		switch {
		case c > 0 && !crosses(t.upright, t.before(c), (t.ys[r]+t.ys[r+1])/2):
			t.owner[i] = t.owner[i-1]
		case r > 0 && !crosses(t.level, t.ys[r], t.column(c).centre()):
			t.owner[i] = t.owner[i-columns]
		default:
			t.owner[i] = i
		}
	}
}

// parted cuts a fragment where it goes on in another cell.
func (t *ruled) parted(f Fragment) (pieces []Fragment) {
	before := 0
	for _, j := range f.Joints {
		if j.At <= before || j.At >= len(f.Text) {
			continue
		}
		head, tail := f, f
		head.X1, tail.X0 = j.X0, j.X1
		if from, to := t.place(head), t.place(tail); goesOnFrom(head, tail) || from < 0 || to < 0 || t.owner[from] == t.owner[to] {
			continue
		}
		head.Text, head.Joints = strings.TrimSpace(f.Text[before:j.At]), nil
		pieces = append(pieces, head)
		f.X0, before = j.X1, j.At
	}
	f.Text, f.Joints = strings.TrimSpace(f.Text[before:]), nil
	return append(pieces, f)
}

// goesOnFrom reports a fragment right behind another, as a word too long for its
// cell goes on over the line beside it.
func goesOnFrom(before, f Fragment) bool {
	return math.Abs(f.X0-before.X1) < 0.05*f.Size && math.Abs(f.Y-before.Y) < 0.05*f.Size
}

// place is where a fragment begins; -1 outside the table.
func (t *ruled) place(f Fragment) int {
	x, y := f.X0+min(0.25*f.Size, (f.X1-f.X0)/2), f.Y+0.3*f.Size
	c, r := len(t.xs)-2, len(t.ys)-2
	if x < t.xs[0] || x > t.xs[c+1] || y > t.ys[0] || y < t.ys[r+1] {
		return -1
	}
	for x < t.xs[c] {
		c--
	}
	for y > t.ys[r] {
		r--
	}
	if t.fromRight {
		c = len(t.xs) - 2 - c
	}
	return r*(len(t.xs)-1) + c
}

// reachesOver reports whether a fragment ends in another cell than it begins in.
func (t *ruled) reachesOver(f Fragment, at int) bool {
	f.X0 = max(f.X0, f.X1-0.5*f.Size)
	end := t.place(f)
	return end < 0 || t.owner[end] != t.owner[at]
}

func medianOf(cells [][]Fragment) float64 {
	var sizes []float64
	for _, cell := range cells {
		for _, f := range cell {
			sizes = append(sizes, f.Size)
		}
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// lines are those of each cell.
func (t *ruled) lines() [][]Line {
	out := make([][]Line, len(t.cells))
	for i, cell := range t.cells {
		for _, r := range gatherRows(dropDoubles(cell)) {
			l := JoinRow(r)
			if l.Text = strings.Join(strings.Fields(l.Text), " "); l.Text != "" {
				out[i] = append(out[i], l)
			}
		}
	}
	return out
}

// isTable reports whether the cells hold what those of a table do: most rows have
// several, and most lines stand in rows of their own.
func (t *ruled) isTable(lines [][]Line) bool {
	columns := len(t.xs) - 1
	rows, several, all, unparted := 0, 0, 0, 0
	for r := range len(t.ys) - 1 {
		var filled [][]Line
		sum := 0
		for _, cell := range lines[r*columns : (r+1)*columns] {
			if len(cell) > 0 {
				filled, sum = append(filled, cell), sum+len(cell)
			}
		}
		if len(filled) > 0 {
			rows++
		}
		if len(filled) > 1 {
			several++
		}
		if areSeveral(filled) {
			unparted += sum
		}
		all += sum
	}
	return several > 1 && several*2 >= rows && unparted*2 < all
}

// areSeveral reports cells beside each other that hold several rows, or a column of
// a page: many lines, lines that have cells of their own, or as many figures below
// each other in one as in the next.
func areSeveral(cells [][]Line) bool {
	least, most, figures := 0, 0, 0
	for _, cell := range cells {
		n, rows := len(cell), 0
		for _, l := range cell {
			if rows += min(1, l.cells-1); rows > 1 {
				return true
			}
		}
		least, most = min(cmp.Or(least, n), n), max(most, n)
		if n > 1 && !slices.ContainsFunc(cell, func(l Line) bool { return !evidence.IsPlainFigure(l.Text) }) {
			figures++
		}
	}
	return most > longestCell || figures > 1 || len(cells) > 1 && (least >= manyLines || least > 2 && least == most)
}

// rows writes each row as one fragment.
func (t *ruled) rows(lines [][]Line) (out []Fragment) {
	columns := len(t.xs) - 1
	heads := true
	for r := range len(t.ys) - 1 {
		row, texts, cells := &ruledRow{table: t}, []string(nil), make([]string, columns)
		f := Fragment{Y: t.ys[r] - 0.9*t.size, X0: t.xs[0], X1: t.xs[columns], Size: t.size, Bold: true, Italic: true, row: row}
		for c := range columns {
			at := r*columns + c
			own := t.owner[at]
			switch {
			case len(lines[own]) == 0:
			case own == at:
				text := textOf(lines[own])
				cells[c], texts, row.cells = text, append(texts, text), append(row.cells, lines[own])
				for _, l := range lines[own] {
					f.Bold, f.Italic = f.Bold && l.bold, f.Italic && l.italic
				}
			case own/columns == r:
				cells[c] = evidence.MergedLeft
			default:
				cells[c] = evidence.MergedUp
			}
		}
		if len(texts) == 0 {
			continue
		}
		row.level = evidence.ColumnBits(cells)
		if heads = heads && f.Bold && len(texts) > 1; heads {
			row.level |= evidence.HeadRow
		}
		f.Text = strings.Join(texts, "  ")
		out = append(out, f)
	}
	return out
}

func textOf(lines []Line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return strings.Join(texts, " ")
}

// columns are the stretches of a table's columns.
func (t *ruled) columns() (out []stretch) {
	for i := range len(t.xs) - 1 {
		out = append(out, t.column(i))
	}
	return out
}
