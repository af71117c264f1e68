package layout

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// A page says nowhere what its tables are: which cells stand in one column is told
// by where they stand. Rows carry it as those of other formats do (ADR 32).

const (
	tableGap     = 3.5 // sizes of the text between two lines of a table, at most
	headGap      = 2.3 // … between a line of heads and the one below
	wrapGap      = 1.4 // … between the lines of one head
	mostHeads    = 6   // lines of heads
	betweenRows  = 3   // lines that announce a section between two rows
	sectionRunes = 90
	sharedWidth  = 0.3 // of the narrower of two things that stand above each other
)

// stretch is what something takes of the width of a page.
type stretch struct{ x0, x1 float64 }

func (e stretch) centre() float64 { return (e.x0 + e.x1) / 2 }

// above reports whether most of the narrower of two extents is shared.
func (e stretch) above(f stretch) bool {
	return min(e.x1, f.x1)-max(e.x0, f.x0) > sharedWidth*max(1, min(e.x1-e.x0, f.x1-f.x0))
}

func (e stretch) with(f stretch) stretch { return stretch{min(e.x0, f.x0), max(e.x1, f.x1)} }

// grid is a table of a page: its rows among the paragraphs, and its columns.
type grid struct {
	rows    []int // places of the paragraphs that are rows
	columns []stretch
	heads   int // rows that are heads
}

// withColumns tells the columns of the tables of a page, and takes lines of one
// cell above them for the heads that they are.
func (w *pageWriter) withColumns(ps []paragraph) []paragraph {
	var last *grid
	for at := 0; at < len(ps); {
		if ps[at].kind != evidence.TableRow {
			at++
			continue
		}
		g := grid{rows: tableFrom(ps, at)}
		at = g.rows[len(g.rows)-1] + 1
		if ps[g.rows[0]].lines[0].ruled != nil {
			g.layRuled(ps)
		} else if !g.lay(ps) {
			continue
		}
		first := last == nil
		last = &g
		switch {
		case first && w.goesOnOver(ps, g):
			ps[g.rows[0]].level |= evidence.RowGoesOn
		default:
			ps[g.rows[0]].level |= evidence.RowBegins
		}
		w.table, w.tableAt = g, ps[g.rows[0]].lines[0].Page
	}
	if last != nil && len(ps)-1-last.rows[len(last.rows)-1] > betweenRows {
		w.tableAt = 0 // more stands below it: it does not go on
	}
	return ps
}

// goesOnOver reports whether a table without heads at the top of a page has the
// columns of the one that ended the page before.
func (w *pageWriter) goesOnOver(ps []paragraph, g grid) bool {
	top := ps[g.rows[0]].lines[0]
	if g.heads > 0 || w.tableAt != top.Page-1 || w.tableAt == 0 || g.rows[0] > betweenRows || len(g.columns) != len(w.table.columns) {
		return false
	}
	for i, c := range g.columns {
		if !c.above(w.table.columns[i]) {
			return false
		}
	}
	return true
}

// tableFrom gives the rows of the table that begins at a row: those below it, near
// enough, with nothing between but lines that announce a section.
func tableFrom(ps []paragraph, from int) []int {
	if r := ps[from].lines[0].ruled; r != nil {
		return ruledFrom(ps, from, r.table)
	}
	rows, figures := []int{from}, plainFigures(ps[from].text)
	for i := from + 1; i < len(ps) && i-rows[len(rows)-1] <= betweenRows; i++ {
		above, l := lastLine(ps[i-1]), ps[i].lines[0]
		if gap := above.y - l.y; l.Region != above.Region || gap <= 0 || gap > tableGap*l.Size {
			break
		}
		if ps[i].lines[0].ruled != nil {
			break
		}
		if ps[i].kind != evidence.TableRow {
			if len(ps[i].lines) > 2 || utf8.RuneCountInString(ps[i].text) > sectionRunes {
				break
			}
			continue
		}
		interrupted, apart := i > rows[len(rows)-1]+1, above.y-l.y > 2*l.Size
		if (interrupted || apart && figures) && !plainFigures(ps[i].text) {
			break // heads of another table
		}
		rows, figures = append(rows, i), figures || plainFigures(ps[i].text)
	}
	return rows
}

// ruledFrom gives the rows of a ruled table.
func ruledFrom(ps []paragraph, from int, table *ruled) (rows []int) {
	for i := from; i < len(ps) && ps[i].lines[0].ruled != nil && ps[i].lines[0].ruled.table == table; i++ {
		rows = append(rows, i)
	}
	return rows
}

// layRuled gives the rows of a ruled table the columns that its lines say.
func (g *grid) layRuled(ps []paragraph) {
	g.columns = ps[g.rows[0]].lines[0].ruled.table.columns()
	for _, at := range g.rows {
		ps[at].level = ps[at].lines[0].ruled.level
	}
}

func lastLine(p paragraph) Line { return p.lines[len(p.lines)-1] }

func plainFigures(row string) bool {
	return slices.ContainsFunc(strings.Split(row, "  "), evidence.IsPlainFigure)
}

// lay tells the columns of a table and gives each of its rows those of its cells.
// ok is false where they cannot be told.
func (g *grid) lay(ps []paragraph) (ok bool) {
	var lines []Line
	for _, i := range g.rows {
		l := ps[i].lines[0]
		if len(ps[i].lines) != 1 || len(l.parts) < 2 || len(l.parts) != len(strings.Split(l.Text, "  ")) {
			return false
		}
		lines = append(lines, l)
	}
	if g.columns = columnsOf(lines); len(g.columns) < 2 {
		return false
	}
	levels := make([]int, len(lines))
	for i, l := range lines {
		in, fits := g.places(l.parts)
		if !fits {
			return false
		}
		levels[i] = g.level(in)
		if g.heads == i && g.isHead(lines, i, in) {
			g.heads++
		}
	}
	if !g.headed(lines) {
		g.heads = 0
	}
	for i, at := range g.rows {
		ps[at].level = levels[i]
		if i < g.heads {
			ps[at].level = g.level(g.spans(lines[i].parts)) | evidence.HeadRow
		}
		if i > 0 && (at != g.rows[i-1]+1 || i < g.heads && lines[i-1].y-lines[i].y < wrapGap*lines[i].Size) {
			ps[at].level |= evidence.RowGoesOn
		}
	}
	if g.heads > 0 || plainFigures(lines[0].Text) {
		g.takeHeadsAbove(ps)
	}
	return true
}

// columnsOf finds the columns of rows, left to right: cells above each other are
// in one. A cell that reaches over several tells nothing, unless no row has a cell
// in each of them.
func columnsOf(lines []Line) []stretch {
	var cells []stretch
	for _, l := range lines {
		if plainFigures(l.Text) {
			cells = append(cells, l.parts...)
		}
	}
	if len(cells) == 0 {
		for _, l := range lines {
			cells = append(cells, l.parts...)
		}
	}
	slices.SortStableFunc(cells, func(a, b stretch) int { return compare(a.x1-a.x0, b.x1-b.x0) })
	var columns []stretch
	for _, c := range cells {
		at := -1
		for i, col := range columns {
			if !col.above(c) {
				continue
			}
			if at >= 0 && inOneRow(lines, columns[at], col) {
				at = -2
				break
			}
			if at >= 0 {
				columns[at] = columns[at].with(col)
				columns[i] = columns[at]
			}
			at = i
		}
		switch {
		case at == -1:
			columns = append(columns, c)
		case at >= 0:
			columns[at] = columns[at].with(c)
		}
		columns = distinct(columns)
	}
	slices.SortFunc(columns, func(a, b stretch) int { return compare(a.x0, b.x0) })
	return widened(columns, lines)
}

// widened are columns with the heads above them: a row with as many cells as there
// are columns has one in each.
func widened(columns []stretch, lines []Line) []stretch {
	for _, l := range lines {
		if len(l.parts) != len(columns) {
			continue
		}
		for i, p := range l.parts {
			free := func(k int) bool { return k < 0 || k >= len(columns) || p.x1 < columns[k].x0 || p.x0 > columns[k].x1 }
			if free(i-1) && free(i+1) {
				columns[i] = columns[i].with(p)
			}
		}
	}
	return columns
}

// distinct joins columns that came to stand in one place.
func distinct(columns []stretch) []stretch {
	out := columns[:0]
	for _, c := range columns {
		if i := slices.IndexFunc(out, func(o stretch) bool { return o.x0 <= c.x0 && c.x1 <= o.x1 || c.x0 <= o.x0 && o.x1 <= c.x1 }); i >= 0 {
			out[i] = out[i].with(c)
			continue
		}
		out = append(out, c)
	}
	return out
}

// inOneRow reports whether a row has a cell in each of two columns.
func inOneRow(lines []Line, a, b stretch) bool {
	return slices.ContainsFunc(lines, func(l Line) bool {
		in := func(col stretch) int { return slices.IndexFunc(l.parts, func(p stretch) bool { return col.above(p) }) }
		i, j := in(a), in(b)
		return i >= 0 && j >= 0 && i != j
	})
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// columnRange is the first and the last column that a cell stands in.
type columnRange struct{ from, to int }

// places puts the cells of a row into columns, each into one of its own, so that all
// together stand as near as they can. ok is false for more cells than columns.
func (g *grid) places(parts []stretch) (in []columnRange, ok bool) {
	if len(parts) > len(g.columns) {
		return nil, false
	}
	// away[i][j] is how far the first i cells stand from their columns, all of which
	// are among the first j.
	away := make([][]float64, len(parts)+1)
	for i := range away {
		away[i] = make([]float64, len(g.columns)+1)
		for j := range away[i] {
			switch {
			case i == 0:
			case j < i:
				away[i][j] = math.Inf(1)
			default:
				away[i][j] = min(away[i][j-1], away[i-1][j-1]+g.columns[j-1].from(parts[i-1]))
			}
		}
	}
	in = make([]columnRange, len(parts))
	for i, j := len(parts), len(g.columns); i > 0; j-- {
		if j == i || away[i][j] < away[i][j-1] {
			i--
			in[i] = columnRange{j - 1, j - 1}
		}
	}
	return in, true
}

// from is how far a cell stands from a column: 0 in it, and a little beside its
// beginning.
func (e stretch) from(p stretch) float64 {
	if e.above(p) {
		return min(math.Abs(e.x0-p.x0), math.Abs(e.x1-p.x1), math.Abs(e.centre()-p.centre())) / 100
	}
	return 1 + max(0, e.x0-p.x1, p.x0-e.x1)
}

// level is what the Level of a row says of its cells' columns.
func (g *grid) level(in []columnRange) int {
	cells := make([]string, len(g.columns))
	for _, r := range in {
		cells[r.from] = "x"
		for i := r.from + 1; i <= r.to; i++ {
			cells[i] = evidence.MergedLeft
		}
	}
	return evidence.ColumnBits(cells)
}

// isHead reports whether row i, below rows of heads, is of heads as well: it has no
// figure, and is the first, has no label, or goes on right below.
func (g *grid) isHead(lines []Line, i int, in []columnRange) bool {
	if i >= mostHeads || plainFigures(lines[i].Text) {
		return false
	}
	return i == 0 || in[0].from > 0 || lines[i-1].y-lines[i].y < wrapGap*lines[i].Size
}

// headed reports whether most rows below the heads have figures.
func (g *grid) headed(lines []Line) bool {
	figures := 0
	for _, l := range lines[g.heads:] {
		if plainFigures(l.Text) {
			figures++
		}
	}
	return g.heads > 0 && figures > 0 && 2*figures >= len(lines)-g.heads && plainFigures(lines[g.heads].Text)
}

// spans gives the columns that the cells of a row of heads stand over: those above
// which they are, and those beside that have no other head, as long as the head
// stands nearer to the middle of all of them.
func (g *grid) spans(parts []stretch) []columnRange {
	if in := g.even(parts); in != nil {
		return in
	}
	in, _ := g.places(parts)
	for i, p := range parts {
		left, right := 1, len(g.columns)-1
		if i > 0 {
			left = in[i-1].to + 1
		}
		if i+1 < len(parts) {
			right = in[i+1].from - 1
		}
		if in[i].from > 0 {
			in[i] = g.grown(g.over(p, in[i], left, right), p, left, right)
		}
	}
	return in
}

// even gives heads that each stand over the middle of as many columns their ranges;
// nil for others.
func (g *grid) even(parts []stretch) (in []columnRange) {
	each := (len(g.columns) - 1) / len(parts)
	if each < 2 || each*len(parts) != len(g.columns)-1 {
		return nil
	}
	for i, p := range parts {
		r := columnRange{1 + i*each, (i + 1) * each}
		all := g.columns[r.from].with(g.columns[r.to])
		if math.Abs(p.centre()-all.centre()) > (all.x1-all.x0)/6 {
			return nil
		}
		in = append(in, r)
	}
	return in
}

// over is the range of columns below a head, of those between two that it may take.
func (g *grid) over(p stretch, r columnRange, left, right int) columnRange {
	under := func(i int) bool {
		c := g.columns[i]
		return c.above(p) || p.x0 <= c.centre() && c.centre() <= p.x1
	}
	for r.from > left && under(r.from-1) {
		r.from--
	}
	for r.to < right && under(r.to+1) {
		r.to++
	}
	return r
}

// grown is a range that a head in its middle reaches over, between two columns.
func (g *grid) grown(r columnRange, p stretch, left, right int) columnRange {
	away := func(r columnRange) float64 {
		return math.Abs(p.centre() - g.columns[r.from].with(g.columns[r.to]).centre())
	}
	for {
		best := r
		for _, more := range []columnRange{{r.from - 1, r.to}, {r.from, r.to + 1}} {
			if more.from >= left && more.to <= right && away(more) < 0.6*away(best) {
				best = more
			}
		}
		if best == r {
			return r
		}
		r = best
	}
}

// takeHeadsAbove makes rows of heads of the lines of one cell right above a table
// that stand over its columns of figures.
func (g *grid) takeHeadsAbove(ps []paragraph) {
	below := ps[g.rows[0]].lines[0]
	for i := g.rows[0] - 1; i >= 0; i-- {
		l := lastLine(ps[i])
		gap := l.y - below.y
		if ps[i].kind == evidence.TableRow || len(ps[i].lines) > 1 || len(l.parts) != 1 || l.Region != below.Region || gap <= 0 || gap > headGap*below.Size ||
			l.x0 < g.columns[0].x1 && l.x0 < g.columns[1].x0-2*l.Size || l.x1 > g.columns[len(g.columns)-1].x1+6*l.Size || evidence.Captions(l.Text) {
			return
		}
		in := g.spans(l.parts)
		if in[0].from == 0 {
			return
		}
		ps[i].kind, ps[i].level = evidence.TableRow, g.level(in)|evidence.HeadRow
		g.rows, g.heads, below = append([]int{i}, g.rows...), g.heads+1, l
	}
}
