package layout

import (
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	gutterStep  = 3.0 // points between the places where a gutter is looked for
	minColumn   = 5   // rows with text on each side of a gutter
	maxSplits   = 6   // nested splits of a page
	proseRunes  = 16  // of the median line of a column of prose
	proseFilled = 0.6 // of the column's width, by nearly half of its lines
)

// columns cuts the rows of a page at gutters: empty stripes with prose on both
// sides. The numbers of a table are no prose, so its rows stay whole. What
// stands above and below the stripe is cut by itself.
func columns(rows []Row, depth int) [][]Row {
	if depth < maxSplits && len(rows) >= minColumn {
		for _, g := range gutters(rows) {
			left, right := splitRows(rows[g.from:g.to], g.x)
			if !isProse(left) || !isProse(right) {
				continue
			}
			var out [][]Row
			if g.from > 0 {
				out = append(out, columns(rows[:g.from], depth+1)...)
			}
			out = append(out, columns(left, depth+1)...)
			out = append(out, columns(right, depth+1)...)
			if g.to < len(rows) {
				out = append(out, columns(rows[g.to:], depth+1)...)
			}
			return out
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return [][]Row{rows}
}

// gutter is a stripe at x that no row from from to to crosses.
type gutter struct {
	x        float64
	from, to int
	score    int // rows with text on the side that has fewer
}

// gutters finds the stripes worth looking at, best first.
func gutters(rows []Row) []gutter {
	x0, x1 := extent(rows)
	n := int((x1-x0)/gutterStep) + 1
	if n < 4 || n > 5000 {
		return nil
	}
	runs := make([]gutter, n)
	rights := make([]int, n)
	var found []gutter
	type split struct{ from, to, left, right int }
	seen := map[split]bool{} // a wide gutter is found at many places, and is one
	end := func(i, at int) {
		s := split{runs[i].from, at, runs[i].score, rights[i]}
		if runs[i].score = min(s.left, s.right); runs[i].score >= minColumn && !seen[s] {
			seen[s] = true
			runs[i].to = at
			found = append(found, runs[i])
		}
	}
	for i := range runs {
		runs[i].x = x0 + (float64(i)+0.5)*gutterStep
	}
	for at, r := range rows {
		r = wholeCells(r)
		for i := range runs {
			left, crossed, right := sides(r, runs[i].x)
			if crossed {
				end(i, at)
				runs[i].from, runs[i].score, rights[i] = at+1, 0, 0
				continue
			}
			if left {
				runs[i].score++
			}
			if right {
				rights[i]++
			}
		}
	}
	for i := range runs {
		end(i, len(rows))
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	return found[:min(len(found), 40)]
}

// wholeCells joins the words of a row that only blanks part: a river of blanks
// is no gutter.
func wholeCells(r Row) Row {
	out := make(Row, 0, len(r))
	for _, f := range r {
		if n := len(out); n > 0 && f.X0-out[n-1].X1 < 0.9*f.Size {
			out[n-1].X1 = max(out[n-1].X1, f.X1)
			continue
		}
		out = append(out, f)
	}
	return out
}

// sides says whether a row has text left of x, across it (or too near), right of it.
func sides(r Row, x float64) (left, crossed, right bool) {
	for _, f := range r {
		margin := 0.3 * f.Size
		switch {
		case f.X1+margin <= x:
			left = true
		case f.X0-margin >= x:
			right = true
		default:
			return false, true, false
		}
	}
	return left, false, right
}

func extent(rows []Row) (x0, x1 float64) {
	x0, x1 = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, f := range r {
			x0, x1 = min(x0, f.X0), max(x1, f.X1)
		}
	}
	if x1 < x0 {
		return 0, 0
	}
	return x0, x1
}

// splitRows gives the rows left and right of x. Baselines of the two sides were
// perhaps near, not equal, so each side gathers its rows again.
func splitRows(rows []Row, x float64) (left, right []Row) {
	var l, r []Fragment
	for _, row := range rows {
		for _, f := range row {
			if f.X1 <= x {
				l = append(l, f)
			} else {
				r = append(r, f)
			}
		}
	}
	return gatherRows(l), gatherRows(r)
}

// isProse reports whether rows are running text: lines of several words that
// mostly fill the column, few digits, hardly any cells.
func isProse(rows []Row) bool {
	if len(rows) < minColumn-1 {
		return false
	}
	x0, x1 := extent(rows)
	var lengths []int
	filled, cells, digits, letters := 0, 0, 0, 0
	for _, r := range rows {
		l := JoinRow(r)
		lengths = append(lengths, utf8.RuneCountInString(l.Text))
		if l.x1-l.x0 >= proseFilled*(x1-x0) {
			filled++
		}
		if l.cells > 1 && strings.IndexFunc(l.Text, unicode.IsDigit) >= 0 {
			cells++
		}
		for _, c := range l.Text {
			switch {
			case unicode.IsDigit(c):
				digits++
			case unicode.IsLetter(c):
				letters++
			}
		}
	}
	sort.Ints(lengths)
	return lengths[len(lengths)/2] >= proseRunes && filled*20 >= len(rows)*9 && cells*3 <= len(rows) && digits*4 <= letters
}
