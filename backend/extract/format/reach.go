package format

import (
	"strings"

	"footnote/backend/evidence"
)

// Reach puts the cells of a table's rows into their columns where cells reach over
// several columns or down several rows.
type Reach struct {
	down  []int // rows that the cell above still reaches down, by column
	cells []string
}

const mostReached = 1000 // columns or rows of one cell

// Begin begins a row.
func (r *Reach) Begin() { r.cells = nil }

// Cell adds the next cell of the row, behind those that reach down into it.
func (r *Reach) Cell(text string, columns, rows int) {
	r.skip()
	columns, rows = min(max(1, columns), mostReached), min(max(1, rows), mostReached)
	blank := strings.TrimSpace(text) == ""
	for i := range columns {
		if i > 0 && !blank {
			text = evidence.MergedLeft
		}
		r.cells = append(r.cells, text)
		if at := len(r.cells) - 1; rows > 1 && !blank {
			for len(r.down) <= at {
				r.down = append(r.down, 0)
			}
			r.down[at] = rows
		}
	}
}

// skip passes the columns that cells above reach into.
func (r *Reach) skip() {
	for at := len(r.cells); at < len(r.down) && r.down[at] > 0; at++ {
		r.cells = append(r.cells, evidence.MergedUp)
	}
}

// Row ends the row and gives its cells by column.
func (r *Reach) Row() []string {
	r.skip()
	for i := range r.down {
		r.down[i] = max(0, r.down[i]-1)
	}
	return r.cells
}
