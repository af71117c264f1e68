package export

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"footnote/backend/table"
)

// CellLink opens the passage of a cell in Footnote; empty where it has none.
func CellLink(c table.Cell) string {
	if c.Passage == "" {
		return ""
	}
	return fmt.Sprintf("footnote://source/%s#%s", c.Source, c.Passage)
}

// CellText is a cell as people read it.
func CellText(c table.Cell) string {
	switch c.State {
	case table.Found:
		return c.Text
	case table.NotSure:
		return "not sure: " + c.Text
	case table.Failed:
		return "not read: " + c.Error
	}
	return "not in this file"
}

// gridOf is the cells of a table by row and column; a cell that was not asked has
// no state.
func gridOf(t table.Table) [][]table.Cell {
	rows := make([][]table.Cell, len(t.Files))
	for i := range rows {
		rows[i] = make([]table.Cell, len(t.Questions))
	}
	for _, c := range t.Cells {
		rows[c.Row][c.Column] = c
	}
	return rows
}

// namesOf are the names of files. Those that several have stand behind as much of
// their folders as tells them apart, and no more: the rest tells of the computer.
func namesOf(files []table.File) []string {
	names := make([]string, len(files))
	for i, f := range files {
		parts := strings.Split(filepath.ToSlash(f.Path), "/")
		shared := func(of table.File) bool {
			return of.ID != f.ID && strings.HasSuffix("/"+filepath.ToSlash(of.Path), "/"+names[i])
		}
		for n := 1; n == 1 || n <= len(parts) && slices.ContainsFunc(files, shared); n++ {
			names[i] = strings.Join(parts[len(parts)-n:], "/")
		}
	}
	return names
}

// TableCSV writes a table with two columns a question: the answer, and the link
// that opens its passage.
func TableCSV(t table.Table) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := []string{"File"}
	for _, q := range t.Questions {
		head = append(head, harmless(q), "Passage")
	}
	records := [][]string{head}
	names := namesOf(t.Files)
	for row, cells := range gridOf(t) {
		record := []string{harmless(names[row])}
		for _, c := range cells {
			record = append(record, harmless(exportedText(c)), CellLink(c))
		}
		records = append(records, record)
	}
	err := w.WriteAll(records)
	return b.Bytes(), err
}

// exportedText is a cell as it is exported; one that was not asked is empty.
func exportedText(c table.Cell) string {
	if c.State == "" {
		return ""
	}
	return CellText(c)
}

// formula is where a spreadsheet may see one begin: at the start, and behind what
// it may take for the end of a cell, as semicolons are in half of Europe. Wide
// signs count where people write in wide characters.
var formula = regexp.MustCompile(`(^|[;\t\r\n])("*[=+\-@＝＋－＠\t\r])`)

// harmless keeps spreadsheets from taking words of a file for a formula.
func harmless(text string) string { return formula.ReplaceAllString(text, "$1'$2") }

// TableXLSX writes a table as a workbook: each filled cell links to its passage
// and has the quotation as its tip.
func TableXLSX(t table.Table) (body []byte, err error) {
	f := excelize.NewFile()
	defer func() { err = errors.Join(err, f.Close()) }()
	s := sheet{f, f.GetSheetName(0)}
	if err := s.head(t.Questions); err != nil {
		return nil, err
	}
	names := namesOf(t.Files)
	for row, cells := range gridOf(t) {
		if err := f.SetCellStr(s.name, place(0, row+1), names[row]); err != nil {
			return nil, fmt.Errorf("write workbook: %w", err)
		}
		for column, c := range cells {
			if err := s.cell(place(column+1, row+1), c); err != nil {
				return nil, fmt.Errorf("write workbook: %w", err)
			}
		}
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write workbook: %w", err)
	}
	return b.Bytes(), nil
}

type sheet struct {
	f    *excelize.File
	name string
}

func (s sheet) head(questions []string) error {
	last, err := excelize.ColumnNumberToName(len(questions) + 1)
	if err != nil {
		return fmt.Errorf("write workbook: %w", err)
	}
	err = errors.Join(
		s.f.SetColWidth(s.name, "A", last, 36),
		s.f.SetPanes(s.name, &excelize.Panes{Freeze: true, XSplit: 1, YSplit: 1, TopLeftCell: "B2", ActivePane: "bottomRight"}),
		s.f.SetCellStr(s.name, "A1", "File"),
	)
	for i, q := range questions {
		err = errors.Join(err, s.f.SetCellStr(s.name, place(i+1, 0), q))
	}
	return err
}

const longestTip = 250 // characters; a workbook takes 255

func (s sheet) cell(at string, c table.Cell) error {
	err := s.f.SetCellStr(s.name, at, exportedText(c))
	link := CellLink(c)
	if err != nil || link == "" {
		return err
	}
	tip := []rune(c.Quote)
	short := string(tip[:min(len(tip), longestTip)])
	return s.f.SetCellHyperLink(s.name, at, link, "External", excelize.HyperlinkOpts{Tooltip: &short})
}

// place names a cell, from 0.
func place(column, row int) string {
	name, err := excelize.CoordinatesToCellName(column+1, row+1)
	if err != nil { // columns are bounded by head
		panic(err)
	}
	return name
}
