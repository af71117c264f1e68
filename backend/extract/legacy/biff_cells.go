package legacy

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"footnote/backend/extract/format"
	"footnote/backend/extract/office"
)

// oldCell is a cell of a workbook of the old Excel. Sheets have millions: it is
// kept small.
type oldCell struct {
	row, column, style uint16
	kind               cellKind
	value              uint64 // by its kind
}

type cellKind uint8

const (
	cellNumber cellKind = iota // value is a float64
	cellShared                 // value is the number of a shared text
	cellText                   // value is the number of a text of the sheet
)

// cells reads the sheet that begins at a place. Its texts are those that it shares
// with none. Short says why they are not all.
func (w *oldWorkbook) cells(ctx context.Context, at int) (cells []oldCell, texts []string, short *format.Error) {
	damaged := format.Fail(format.Malformed, "A sheet of the workbook is damaged; it was read up to there.", errBIFF)
	depth, formula := 0, -1 // charts lie inside sheets; the cell whose text comes next
	for n := 1; ; n++ {
		r, next := w.record(at)
		if next == 0 || n == 1 && r.id != biffStart {
			return cells, texts, damaged
		}
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return cells, texts, format.TooSlow()
		}
		if len(cells) >= mostCells {
			return cells, texts, format.Fail(format.TooLarge, "Only the first cells of a sheet were read: it has more than the limit.", nil)
		}
		at = next
		switch r.id {
		case biffStart:
			depth++
		case biffEnd:
			if depth--; depth == 0 {
				return cells, texts, nil
			}
		}
		if depth != 1 {
			continue
		}
		if r.id == biffString && formula >= 0 {
			cells[formula].value = uint64(len(texts))
			texts = append(texts, w.text(r, 0, false))
			formula = -1
		}
		had := len(cells)
		cells, texts = w.cell(r, cells, texts)
		if len(cells) > had && r.id == biffFormula && cells[had].kind == cellText && cells[had].value == math.MaxUint64 {
			formula = had
		}
	}
}

// cell takes in the cells that a record holds. A formula whose text comes in the
// next record has none yet.
func (w *oldWorkbook) cell(r biffRecord, cells []oldCell, texts []string) ([]oldCell, []string) {
	body := r.body()
	if len(body) < 8 {
		return cells, texts
	}
	c := oldCell{row: binary.LittleEndian.Uint16(body), column: binary.LittleEndian.Uint16(body[2:]), style: binary.LittleEndian.Uint16(body[4:])}
	text := func(s string) {
		c.kind, c.value = cellText, uint64(len(texts))
		texts = append(texts, s)
	}
	switch {
	case r.id == biffLabelSST && len(body) >= 10:
		c.kind, c.value = cellShared, uint64(binary.LittleEndian.Uint32(body[6:]))
	case r.id == biffLabel, r.id == biffRString:
		text(w.text(r, 6, false))
	case r.id == biffNumber && len(body) >= 14:
		c.value = binary.LittleEndian.Uint64(body[6:])
	case r.id == biffRK && len(body) >= 10:
		c.value = math.Float64bits(rkNumber(binary.LittleEndian.Uint32(body[6:])))
	case r.id == biffBoolErr:
		text(boolOrError(body[6], body[7] != 0))
	case r.id == biffFormula && len(body) >= 14:
		switch result := body[6:14]; {
		case result[6] != 0xFF || result[7] != 0xFF:
			c.value = binary.LittleEndian.Uint64(result)
		case result[0] == 0:
			c.kind, c.value = cellText, math.MaxUint64
		case result[0] < 3:
			text(boolOrError(result[2], result[0] == 2))
		default: // an empty text
			return cells, texts
		}
	case r.id == biffMulRK:
		for pairs := body[4:]; len(pairs) >= 8; pairs = pairs[6:] { // two more bytes name the last column
			c.style, c.value = binary.LittleEndian.Uint16(pairs), math.Float64bits(rkNumber(binary.LittleEndian.Uint32(pairs[2:])))
			cells = append(cells, c)
			c.column++
		}
		return cells, texts
	default:
		return cells, texts
	}
	return append(cells, c), texts
}

func boolOrError(value byte, isError bool) string {
	switch {
	case isError:
		return biffError(value)
	case value == 0:
		return "FALSE"
	}
	return "TRUE"
}

// write writes the rows of a sheet. Not all programs keep cells in order.
func (w *oldWorkbook) write(ctx context.Context, b *format.Builder, sheet oldSheet, cells []oldCell, texts []string) *format.Error {
	slices.SortStableFunc(cells, func(a, b oldCell) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
	rows := office.NewSheetRows(b, sheet.name)
	if sheet.hidden {
		rows.Name += " (hidden)"
	}
	var line []string
	for n := 0; len(cells) > 0 && !b.Full(); n++ {
		if n%512 == 0 && ctx.Err() != nil {
			return format.TooSlow()
		}
		end := 1
		for end < len(cells) && cells[end].row == cells[0].row {
			end++
		}
		first, last := -1, -1
		line = line[:0]
		for _, c := range cells[:end] {
			if text := w.cellText(c, texts); text != "" {
				if first < 0 {
					first = int(c.column)
				}
				for last = int(c.column); len(line) < last; {
					line = append(line, "")
				}
				line = append(line[:last], text)
			}
		}
		if number := int(cells[0].row) + 1; first >= 0 {
			rows.Add(number, number, office.CellRange(first, last, number, number), line)
		}
		cells = cells[end:]
	}
	return nil
}

// cellText is a cell as it is shown.
func (w *oldWorkbook) cellText(c oldCell, texts []string) string {
	switch {
	case c.kind == cellNumber:
		format := uint16(0)
		if int(c.style) < len(w.styles) {
			format = w.styles[c.style]
		}
		return w.show.number(math.Float64frombits(c.value), format, w.formats[format])
	case c.kind == cellShared && c.value < uint64(len(w.shared)):
		return w.shared[c.value]
	case c.kind == cellText && c.value < uint64(len(texts)):
		return texts[c.value]
	}
	return ""
}

// cellFormats shows numbers as the newer workbooks do: each format has a cell of
// an empty workbook.
type cellFormats struct {
	f    *excelize.File
	cell map[uint16]string // its name, by the number of the format
}

func newCellFormats(days04 bool) *cellFormats {
	f := excelize.NewFile(excelize.Options{ShortDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss"})
	if days04 {
		_ = f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &days04}) // of a file just made
	}
	return &cellFormats{f: f, cell: map[uint16]string{}}
}

func (s *cellFormats) close() { _ = s.f.Close() } // in memory only

// longestFormat in characters: more than a cell can show.
const longestFormat = 255

// number shows a number in the format of a number or code: plain where that says
// nothing, or the library panics on it.
func (s *cellFormats) number(v float64, format uint16, code string) (text string) {
	plain := strconv.FormatFloat(v, 'f', -1, 64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return biffError(0x24)
	}
	defer func() {
		if recover() != nil {
			text = plain
		}
	}()
	cell, ok := s.cell[format]
	if !ok {
		cell = "A" + strconv.Itoa(len(s.cell)+1)
		if err := s.style(cell, format, code); err != nil {
			cell = ""
		}
		s.cell[format] = cell
	}
	if cell == "" {
		return plain
	}
	if err := s.f.SetCellFloat("Sheet1", cell, v, -1, 64); err != nil {
		return plain
	}
	shown, err := s.f.GetCellValue("Sheet1", cell)
	if err != nil {
		return plain
	}
	return office.FullHour(shown)
}

// firstOwnFormat is the number from which on a file brings its formats along.
const firstOwnFormat = 164

// style gives a cell a format. The dates of the system are built in, whatever the
// file says of them; a format that is missing is none.
func (s *cellFormats) style(cell string, format uint16, code string) error {
	style := &excelize.Style{}
	switch {
	case len(code) > longestFormat:
		return fmt.Errorf("format of %d characters", len(code))
	case strings.EqualFold(code, "General"):
	case code != "" && format != 14 && format != 22:
		style.CustomNumFmt = &code
	case format < firstOwnFormat:
		style.NumFmt = int(format)
	}
	id, err := s.f.NewStyle(style)
	if err != nil {
		return err
	}
	return s.f.SetCellStyle("Sheet1", cell, cell, id)
}
