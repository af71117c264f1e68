package office

import (
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// mostRepeats bounds how often a cell that is written once and counted many
// times is shown.
const mostRepeats = 64

func repeats(attr format.XMLAttrs, name string) int {
	n, err := strconv.Atoi(attr.Get(name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<24)
}

func (d *odf) openTable(name string, attr format.XMLAttrs) {
	if name == "table" {
		t := odfTable{sheet: SheetRows{b: d.b, Name: attr.Get("name")}, row: 1, rows: 1}
		if d.hidden[attr.Get("style-name")] {
			t.sheet.Name += " (hidden)"
		}
		d.tables = append(d.tables, t)
		if d.calc && len(d.tables) == 1 {
			d.b.Doc.Coverage.Pages++
			d.b.Doc.Coverage.Read++
		}
		return
	}
	n := len(d.tables)
	if n == 0 {
		return
	}
	t := &d.tables[n-1]
	switch name {
	case "table-row":
		t.cells, t.column, t.across, t.left, t.last, t.rows = nil, 0, 0, -1, -1, repeats(attr, "number-rows-repeated")
	case "table-cell", "covered-table-cell":
		if t.covered = name != "table-cell"; !t.covered {
			t.across = repeats(attr, "number-columns-spanned")
		}
		t.cell, t.repeat, t.value = nil, repeats(attr, "number-columns-repeated"), attr.Get("value")
		if t.value == "" {
			t.value = attr.Get("string-value")
		}
	}
}

func (d *odf) closeTable(name string) {
	n := len(d.tables)
	if n == 0 {
		return
	}
	t := &d.tables[n-1]
	switch name {
	case "table-cell", "covered-table-cell":
		t.endCell()
	case "table-row":
		d.endRow(t, n > 1)
		t.row += t.rows
	case "table":
		d.tables = d.tables[:n-1]
	}
}

func (t *odfTable) endCell() {
	text := strings.TrimSpace(string(t.cell))
	if text == "" {
		text = t.value
	}
	if text != "" {
		if t.left < 0 {
			t.left = t.column
		}
		t.last = t.column + t.repeat - 1
	}
	for range min(t.repeat, mostRepeats) {
		t.cells = append(t.cells, t.stands(text))
	}
	t.column += t.repeat
}

// stands is what stands in a cell's column: its text, or for a covered one from where
// it is covered.
func (t *odfTable) stands(text string) string {
	t.across--
	switch {
	case text != "" || !t.covered:
		return text
	case t.across >= 0:
		return evidence.MergedLeft
	}
	return evidence.MergedUp
}

// endRow writes a row: into the cell around its table, onto the slide or into
// the text.
func (d *odf) endRow(t *odfTable, inner bool) {
	text := format.JoinCells(t.cells)
	switch {
	case text == "":
	case inner:
		outer := &d.tables[len(d.tables)-2]
		outer.cell = append(append(outer.cell, text...), ' ')
	case !d.calc:
		d.write(evidence.TableRow, evidence.ColumnBits(t.cells), text)
	default:
		last := t.row + t.rows - 1
		t.sheet.Add(t.row, last, CellRange(t.left, t.last, t.row, last), t.cells)
	}
}

// columnName is the name of a column, counted from 0: A, …, Z, AA.
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}
