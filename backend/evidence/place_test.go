package evidence

import (
	"strings"
	"testing"
)

// sheetDoc makes a document of lines: "# " begins a heading, "B2:D2|" a row.
func sheetDoc(lines ...string) Document {
	doc := Document{}
	for i, l := range lines {
		if i > 0 {
			doc.Text += "\n"
		}
		b := Block{Start: len(doc.Text), Kind: Paragraph}
		if head, ok := strings.CutPrefix(l, "# "); ok {
			b.Kind, b.Level, l = Heading, 1, head
		} else if cells, text, ok := strings.Cut(l, "|"); ok {
			b.Kind, b.Cells, l = TableRow, cells, text
		}
		doc.Text += l
		b.End = len(doc.Text)
		doc.Blocks = append(doc.Blocks, b)
	}
	return doc
}

func TestSheetsAndSlidesArePlacesOfTheirOwn(t *testing.T) {
	doc := sheetDoc("# Costs", "B2:D2|Year  Sum  More", "A3:C3|2021  5  6", "B4|7", "# Other", "A1:AA1|x  y")
	if got := Split(doc, SplitOptions{}); len(got) != 1 || got[0].At.Place != "Sheet 'Costs' A2:D4" {
		t.Errorf("got %+v", got)
	}
	at := strings.Index(doc.Text, "2021")
	if got := PlaceAt(doc, at); got != "Sheet 'Costs' A3:C3" {
		t.Errorf("row: %q", got)
	}
	if got := PlaceAt(doc, strings.Index(doc.Text, "7")); got != "Sheet 'Costs' B4" {
		t.Errorf("cell: %q", got)
	}
	if got := PlaceAt(doc, len(doc.Text)-1); got != "Sheet 'Other' A1:AA1" {
		t.Errorf("second sheet: %q", got)
	}
	slides := Document{Text: "a b", Blocks: []Block{{End: 1, Page: 1, Unit: Slides}, {Start: 2, End: 3, Page: 2, Unit: Slides}}}
	if got := PlaceAt(slides, 2); got != "Slide 2" {
		t.Errorf("slide: %q", got)
	}
	if got := PlaceAt(Document{Text: "a", Blocks: []Block{{End: 1, Page: 3}}}, 0); got != "" {
		t.Errorf("page: %q", got)
	}
}

func TestABlankLineEndsATable(t *testing.T) {
	doc := Document{Text: "Item  Sum\n\nRent  5\n\nName  Town\nAnna  Rome"}
	at := 0
	for _, l := range strings.Split(doc.Text, "\n") {
		if l != "" {
			doc.Blocks = append(doc.Blocks, Block{Start: at, End: at + len(l), Kind: TableRow})
		}
		at += len(l) + 1
	}
	rows := Rows(doc)
	if len(rows) != 2 || len(rows[0].Heads) != 1 || rows[1].Label != "Anna" || len(rows[1].Heads) != 1 || rows[1].Heads[0] != "Town" {
		t.Errorf("got %+v", rows)
	}
}

func TestWhatWasCutOffIsNotWholeThoughEachPageGaveText(t *testing.T) {
	for want, c := range map[float64]Coverage{
		1: {Pages: 2, Read: 2}, 0.25: {Pages: 4, Read: 1, Truncated: true}, 0.5: {Pages: 1, Read: 1, Truncated: true},
	} {
		if got := c.Share(); got != want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestACurrencyBehindItsSumIsNoColumn(t *testing.T) {
	if got := Cells("Rent  1,234.50 €  5 $7"); len(got) != 4 || got[1] != "1,234.50 €" {
		t.Errorf("got %q", got)
	}
}
