package office

import (
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// workbook saves a workbook that fill has filled.
func workbook(t testing.TB, fill func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f)
	buf, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func set(f *excelize.File, sheet, cell string, value any, format string) {
	_ = f.SetCellValue(sheet, cell, value)
	if format == "" {
		return
	}
	if style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format}); err == nil {
		_ = f.SetCellStyle(sheet, cell, cell, style)
	}
}

func TestSheetsAreReadAsShown(t *testing.T) {
	data := workbook(t, func(f *excelize.File) {
		_ = f.SetSheetName("Sheet1", "Costs")
		for cell, v := range map[string]string{"B2": "Item", "C2": "Sum", "D2": "Share", "E2": "Paid", "B3": "Rent", "B7": "Name", "C7": "Town", "B8": "Anna", "C8": "Rome"} {
			set(f, "Costs", cell, v, "")
		}
		set(f, "Costs", "C3", 1234.5, "#,##0.00 €")
		set(f, "Costs", "D3", 0.125, "0.0%")
		set(f, "Costs", "E3", 45352, "yyyy-mm-dd")
		set(f, "Costs", "B4", "Total", "")
		set(f, "Costs", "C4", 1234.5, "")
		_ = f.SetCellFormula("Costs", "C4", "SUM(C3:C3)")
		_, _ = f.NewSheet("Blank")
		_, _ = f.NewSheet("Secret")
		set(f, "Secret", "A1", "kept apart", "")
		_ = f.SetSheetVisible("Secret", false)
		_ = f.SetDocProps(&excelize.DocProperties{Title: "The costs", Modified: "2024-05-06T07:08:09Z"})
	})
	doc := extractString(t, "a.xlsx", string(data))
	formattest.WantOutline(t, doc, `
heading1@0 Costs
row0@2 Item  Sum  Share  Paid
row0@3 Rent  1,234.50 €  12.5%  2024-03-01
row0@4 Total  1234.5
row0@7 Name  Town
row0@8 Anna  Rome
heading1@0 Secret (hidden)
row0@1 kept apart
`)
	if doc.Source.Title != "The costs" || doc.Source.Published.Year() != 2024 || doc.Coverage.Pages != 3 || doc.Coverage.Share() != 1 {
		t.Errorf("%+v %+v", doc.Source, doc.Coverage)
	}
	if got := evidence.PlaceAt(doc, strings.Index(doc.Text, "Rent")); got != "Sheet 'Costs' B3:E3" {
		t.Errorf("place %q", got)
	}
	rows := evidence.Rows(doc)
	if len(rows) < 2 || rows[0].Label != "Rent" || strings.Join(rows[0].Heads, "|") != "Sum|Share|Paid" || rows[len(rows)-1].Label != "Anna" {
		t.Errorf("rows %+v", rows)
	}
}

// rawSheet is a workbook with one sheet and one shared text.
func rawSheet(t testing.TB, rows, shared string) []byte {
	const ns = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return formattest.ZipOf(t,
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="`+rel+`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook `+ns+` xmlns:r="`+rel+`"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="`+rel+`/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", `<worksheet `+ns+`><sheetData>`+rows+`</sheetData></worksheet>`,
		"xl/sharedStrings.xml", `<sst `+ns+`><si><t>`+shared+`</t></si></sst>`,
	)
}

func TestHostileWorkbooksEndInTextOrAReason(t *testing.T) {
	bad := extractString(t, "a.xlsx", string(rawSheet(t, `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>-1</v></c></row><row r="3"><c r="A3" t="s"><v>0</v></c></row>`, "word")))
	if strings.Count(bad.Text, "word") != 2 {
		t.Errorf("an index of -1: %q %+v", bad.Text, bad.Coverage)
	}
	far := extractString(t, "a.xlsx", string(rawSheet(t, `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, "word")))
	if last := far.Blocks[len(far.Blocks)-1]; last.Cells != "XFD1048576" {
		t.Errorf("a far cell: %+v", last)
	}
	lim := format.DefaultLimits()
	lim.Entry, lim.RatioFrom = 8<<20, 1<<20
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"bomb":  {rawSheet(t, strings.Repeat(" ", 20<<20), "x"), format.TooLarge},
		"blank": {rawSheet(t, "", "x"), format.Empty},
		"empty": {formattest.ZipOf(t, "x", "y"), format.Malformed},
		"DTD":   {formattest.ZipOf(t, "xl/workbook.xml", `<!DOCTYPE x><workbook/>`), format.Malformed},
	} {
		if got := extractCode("a.xlsx", c.data, lim); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzExtractXLSX(f *testing.F) {
	f.Add(`<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" s="1"><v>0.5</v></c></row>`, "text")
	f.Add(`<row><c t="inlineStr"><is><t>x</t></is></c></row>`, "")
	f.Fuzz(func(t *testing.T, rows, shared string) {
		formattest.Fuzz(t, ReadXlsx, rawSheet(t, rows, shared))
	})
}

func TestHoursOfDatesHaveTwoDigits(t *testing.T) {
	for cell, want := range map[string]string{
		"2024-01-01 0:00:00": "2024-01-01 00:00:00", "2024-01-01 9:30": "2024-01-01 09:30", "2024-01-01 10:30": "2024-01-01 10:30", "2024-01-01": "2024-01-01", "": "",
		"1234-5678 9:1": "1234-5678 9:1",
	} {
		if got := FullHour(cell); got != want {
			t.Errorf("%q became %q, want %q", cell, got, want)
		}
	}
}
