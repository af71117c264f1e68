package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/xuri/excelize/v2"

	"footnote/backend/evidence"
)

// readXlsx reads a workbook sheet by sheet: its name as a heading, then its rows
// with their cells as they are shown: numbers, dates and shares in their formats,
// formulas by the value kept with them. Hidden sheets are read and marked;
// comments and pictures are left out.
func readXlsx(ctx context.Context, b *builder, _ string, data []byte, lim Limits) error {
	a, err := openArchive(data, lim)
	if err != nil {
		return err
	}
	defer a.hurry(ctx)()
	if err := a.measure(); err != nil {
		return err
	}
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{
		UnzipSizeLimit: lim.Archive, UnzipXMLSizeLimit: lim.Archive, // all in memory: nothing is written to disk
		ShortDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return fail(Malformed, "The workbook is damaged: it cannot be read.", err)
	}
	defer f.Close()
	properties(a, b, "docProps/core.xml", lim)
	for _, name := range f.GetSheetList() {
		b.doc.Coverage.Pages++
		if b.full() {
			continue
		}
		had := len(b.blocks)
		err := addSheet(a, b, f, name)
		if err != nil {
			if late := a.late(); late != nil && !b.cut(late) {
				return late
			}
			b.partly("A sheet of the workbook is damaged; it was read up to there.")
		}
		if err == nil || len(b.blocks) > had {
			b.doc.Coverage.Read++
		}
	}
	addCharts(a, b, lim)
	return nil
}

// addSheet writes a sheet's rows.
func addSheet(a *archive, b *builder, f *excelize.File, name string) error {
	rows, err := f.Rows(name)
	if err != nil {
		return fmt.Errorf("open sheet: %w", err)
	}
	defer rows.Close()
	sheet := sheetRows{b: b, name: sheetTitle(f, name)}
	for n := 1; rows.Next() && !b.full(); n++ {
		if n%512 == 0 && a.late() != nil {
			return a.late()
		}
		cells, err := cellsOfRow(rows)
		if err != nil {
			b.partly("Some rows of a sheet are damaged and could not be read.")
		}
		if text := row(cells); text != "" {
			sheet.add(n, n, rowRange(cells, n), text)
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
		cells[i] = fullHour(c)
	}
	return cells, err
}

// fullHour gives the hour of a date its second digit, which the library leaves
// out whatever the format says.
func fullHour(cell string) string {
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
	return cellRange(first, last, row, row)
}

// addCharts writes what the charts are called. What they show stands in the
// sheets, so their values are read only when the sheets are blank.
func addCharts(a *archive, b *builder, lim Limits) {
	blank := len(b.blocks) == 0
	headed := false
	for _, part := range a.under("xl/charts/chart") {
		for _, block := range readChart(a, part, lim) {
			if block.kind == evidence.TableRow && !blank {
				continue
			}
			if !headed {
				b.add(evidence.Block{Kind: evidence.Heading, Level: 1}, "Charts")
				headed = true
			}
			b.add(evidence.Block{Kind: block.kind}, block.text)
		}
	}
}

// measure unpacks every part once to hold the archive to its limits before a
// library that believes sizes does it. A part with a document type is refused.
func (a *archive) measure() error {
	for name := range a.entries {
		if err := a.measurePart(name); err != nil {
			return err
		}
	}
	return nil
}

func (a *archive) measurePart(name string) error {
	rc, err := a.open(name)
	if err != nil {
		return err
	}
	defer rc.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(rc, head)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // a short part
		err = nil
	}
	if bytes.Contains(head[:n], []byte("<!DOCTYPE")) {
		return fail(Malformed, "The file holds a document type definition, which no document needs.", nil)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, rc)
	}
	var limit *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limit):
		return limit
	}
	return fail(Malformed, "The file is damaged: a part of it cannot be unpacked.", err)
}
