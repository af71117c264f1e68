package office

import (
	"bytes"
	"context"
	"fmt"

	"github.com/xuri/excelize/v2"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ReadXlsx reads a workbook sheet by sheet: its name as a heading, then its rows
// with their cells as they are shown: numbers, dates and shares in their formats,
// formulas by the value kept with them. Hidden sheets are read and marked;
// comments and pictures are left out.
func ReadXlsx(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	a, err := format.OpenArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.Hurry(ctx)()
	if err := a.Measure(); err != nil {
		return err
	}
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		UnzipSizeLimit: lim.Archive, UnzipXMLSizeLimit: lim.Archive, // all in memory: nothing is written to disk
		ShortDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return format.Fail(format.Malformed, "The workbook is damaged: it cannot be read.", err)
	}
	defer f.Close()
	properties(a, b, "docProps/core.xml", lim)
	for _, name := range f.GetSheetList() {
		b.Doc.Coverage.Pages++
		if b.Full() {
			continue
		}
		had := len(b.Blocks)
		err := addSheet(a, b, f, name, len(data) <= mergesRead)
		if err != nil {
			if late := a.Late(); late != nil && !b.Cut(late) {
				return late
			}
			b.Partly("A sheet of the workbook is damaged; it was read up to there.")
		}
		if err == nil || len(b.Blocks) > had {
			b.Doc.Coverage.Read++
		}
	}
	addCharts(a, b, lim)
	return nil
}

// addSheet writes a sheet's rows.
func addSheet(a *format.Archive, b *format.Builder, f *excelize.File, name string, merges bool) error {
	rows, err := f.Rows(name)
	if err != nil {
		return fmt.Errorf("open sheet: %w", err)
	}
	defer rows.Close()
	sheet := SheetRows{b: b, Name: sheetTitle(f, name)}
	merged := mergedCells(f, name, merges)
	for n := 1; rows.Next() && !b.Full(); n++ {
		if n%512 == 0 && a.Late() != nil {
			return a.Late()
		}
		cells, err := cellsOfRow(rows)
		if err != nil {
			b.Partly("Some rows of a sheet are damaged and could not be read.")
		}
		if format.JoinCells(cells) != "" {
			sheet.Add(n, n, rowRange(cells, n), merged.into(cells, n))
		}
	}
	return rows.Error()
}

// cellsOfRow gives the cells of the row. The library panics on a cell that points
// before the first shared text.
func cellsOfRow(rows *excelize.Rows) (cells []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			cells, err = nil, fmt.Errorf("read row: panic: %v", r)
		}
	}()
	cells, err = rows.Columns()
	for i, c := range cells {
		cells[i] = FullHour(c)
	}
	return cells, err
}

// FullHour gives the hour of a date its second digit, which the library leaves
// out whatever the format says.
func FullHour(cell string) string {
	if len(cell) >= len("2024-01-01 0:00") && cell[4] == '-' && cell[10] == ' ' && cell[12] == ':' {
		return cell[:11] + "0" + cell[11:]
	}
	return cell
}

func sheetTitle(f *excelize.File, name string) string {
	if visible, err := f.GetSheetVisible(name); err == nil && !visible {
		return name + " (hidden)"
	}
	return name
}

// rowRange names the cells of a row from the first with text to the last.
func rowRange(cells []string, row int) string {
	first, last := -1, -1
	for i, c := range cells {
		if c != "" {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return CellRange(first, last, row, row)
}

// addCharts writes what the charts are called. What they show stands in the
// sheets, so their values are read only when the sheets are blank.
func addCharts(a *format.Archive, b *format.Builder, lim format.Limits) {
	blank := len(b.Blocks) == 0
	headed := false
	for _, part := range a.Under("xl/charts/chart") {
		for _, block := range readChart(a, part, lim) {
			if block.kind == evidence.TableRow && !blank {
				continue
			}
			if !headed {
				b.Add(evidence.Block{Kind: evidence.Heading, Level: 1}, "Charts")
				headed = true
			}
			b.Add(evidence.Block{Kind: block.kind, Level: block.level}, block.text)
		}
	}
}
