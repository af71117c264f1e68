package office

import (
	"strconv"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// SheetRows writes the rows of a sheet. Its name heads the first; a gap between
// rows parts two tables.
type SheetRows struct {
	b    *format.Builder
	Name string
	last int // number of the last row written
}

// NewSheetRows writes the rows of the sheet name into b.
func NewSheetRows(b *format.Builder, name string) *SheetRows { return &SheetRows{b: b, Name: name} }

// Add writes the row that reaches from one row of the sheet to another: cells names
// its cells, line has them by column.
func (s *SheetRows) Add(from, to int, cells string, line []string) {
	if s.last == 0 {
		s.b.Add(evidence.Block{Kind: evidence.Heading, Level: 1}, s.Name)
	}
	sep := "\n"
	if s.last != from-1 {
		sep = "\n\n"
	}
	s.b.Append(sep, evidence.Block{Kind: evidence.TableRow, Level: evidence.ColumnBits(line), Line: from, Cells: cells}, format.JoinCells(line))
	s.last = to
}

// CellRange names the cells of columns left to last, counted from 0, and rows
// top to bottom: "B2:D2".
func CellRange(left, last, top, bottom int) string {
	from, to := columnName(left)+strconv.Itoa(top), columnName(last)+strconv.Itoa(bottom)
	if from == to {
		return from
	}
	return from + ":" + to
}
