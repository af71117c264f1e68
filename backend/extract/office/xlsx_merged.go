package office

import (
	"github.com/xuri/excelize/v2"

	"footnote/backend/evidence"
)

// mergesRead is the most bytes of a workbook whose merged cells are looked up, for
// which the library reads each sheet once more, as a whole.
const mergesRead = 256 << 10

const mostMerged = 10_000 // cells

// merges are the covered cells of a sheet: what stands for each, by row, from 1, and
// column, from 0.
type merges map[[2]int]string

// mergedCells finds the merged cells of a sheet. Where they cannot be read, its cells
// stand by themselves.
func mergedCells(f *excelize.File, sheet string, read bool) merges {
	covered := merges{}
	if !read {
		return covered
	}
	found, err := f.GetMergeCells(sheet, true)
	if err != nil {
		return covered // rows are read by other means, which tell what is wrong
	}
	for _, m := range found {
		left, top, err := excelize.CellNameToCoordinates(m.GetStartAxis())
		right, bottom, err2 := excelize.CellNameToCoordinates(m.GetEndAxis())
		if err == nil && err2 == nil && len(covered)+(right-left+1)*(bottom-top+1) <= mostMerged {
			covered.cover(left-1, top, right-1, bottom)
		}
	}
	return covered
}

func (m merges) cover(left, top, right, bottom int) {
	for row := top; row <= bottom; row++ {
		for column := left; column <= right; column++ {
			switch {
			case row > top:
				m[[2]int{row, column}] = evidence.MergedUp
			case column > left:
				m[[2]int{row, column}] = evidence.MergedLeft
			}
		}
	}
}

// into marks the covered cells of a row.
func (m merges) into(cells []string, row int) []string {
	if len(m) == 0 {
		return cells
	}
	for i := range widestMerge {
		state := m[[2]int{row, i}]
		if state == "" {
			continue
		}
		for len(cells) <= i {
			cells = append(cells, "")
		}
		if state == evidence.MergedUp || i > 0 && cells[i-1] != "" {
			cells[i] = state
		}
	}
	return cells
}

const widestMerge = 28 // columns of a row whose merged cells are kept
