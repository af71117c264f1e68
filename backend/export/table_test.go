package export_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"footnote/backend/export"
	"footnote/backend/table"
)

var bridges = table.Table{
	Files: []table.File{{ID: "fil_1", Path: "/b/=lorne.md"}, {ID: "fil_2", Path: "/b/mill.md"}}, Questions: []string{"When?", "Why?"},
	Cells: []table.Cell{
		{State: table.Found, Text: "=1+1", Quote: "It is =1+1.", Source: "src_a", Passage: "pas_b"},
		{Column: 1, State: table.Absent},
		{Row: 1, State: table.NotSure, Text: "In May", Source: "src_c", Passage: "pas_d"},
	},
}

func TestATableAsCSVHoldsNoFormula(t *testing.T) {
	body, err := export.TableCSV(bridges)
	want := "File,When?,Passage,Why?,Passage\n'=lorne.md,'=1+1,footnote://source/src_a#pas_b,not in this file,\nmill.md,not sure: In May,footnote://source/src_c#pas_d,,\n"
	if err != nil || string(body) != want {
		t.Errorf("%v\n%s", err, body)
	}
}

func TestFilesOfOneNameAreToldApartInATable(t *testing.T) {
	body, err := export.TableCSV(table.Table{Questions: []string{"q"}, Files: []table.File{
		{ID: "1", Path: "/home/ann/en/mod/core.html"}, {ID: "2", Path: "/home/ann/de/mod/core.html"}, {ID: "3", Path: "/home/ann/de/mod/hard-core.html"},
	}})
	if err != nil || string(body) != "File,q,Passage\nen/mod/core.html,,\nde/mod/core.html,,\nhard-core.html,,\n" {
		t.Errorf("%v %s", err, body)
	}
}

// A spreadsheet cuts at semicolons where the decimal sign is a comma.
func TestNoCellOfACSVBeginsAFormulaWhereverItIsCut(t *testing.T) {
	for text, want := range map[string]string{
		"a;=1+1": "a;'=1+1", "a\t@x": "a\t'@x", "＝1": "'＝1", "a\n-1": "a\n'-1", `a;"=1`: `a;'"=1`, "\t=1": "'\t=1", "3-4; 5 = 5": "3-4; 5 = 5", "a@b": "a@b",
	} {
		body, err := export.TableCSV(table.Table{Files: []table.File{{Path: "/f"}}, Questions: []string{"q"}, Cells: []table.Cell{{State: table.Found, Text: text}}})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
		if err != nil || rows[1][1] != want {
			t.Errorf("%q is %q, want %q (%v)", text, rows, want, err)
		}
	}
}

func TestATableAsWorkbookLinksToItsPassages(t *testing.T) {
	body, err := export.TableXLSX(bridges)
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Sheet1")
	if err != nil || strings.Join(rows[1], "|") != "=lorne.md|=1+1|not in this file" || rows[2][1] != "not sure: In May" {
		t.Errorf("%v %q", err, rows)
	}
	if linked, to, err := f.GetCellHyperLink("Sheet1", "B2"); err != nil || !linked || to != "footnote://source/src_a#pas_b" {
		t.Errorf("%v %v %q", err, linked, to)
	}
	if formula, err := f.GetCellFormula("Sheet1", "B2"); err != nil || formula != "" {
		t.Errorf("%v: a formula %q", err, formula)
	}
}
