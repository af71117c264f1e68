package pdf

import (
	"fmt"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/formattest"
)

// line draws a line from one point to another.
func line(x0, y0, x1, y1 float64) string {
	return fmt.Sprintf("%g %g m %g %g l S\n", x0, y0, x1, y1)
}

// thin draws a line as a filled box.
func thin(x0, y0, x1, y1 float64) string {
	return fmt.Sprintf("%g %g %g %g re f\n", x0, y0, max(0.5, x1-x0), max(0.5, y1-y0))
}

// grid draws level and upright lines through all of a table.
func grid(draw func(x0, y0, x1, y1 float64) string, xs, ys []float64) (out string) {
	for _, y := range ys {
		out += draw(xs[0], y, xs[len(xs)-1], y)
	}
	for _, x := range xs {
		out += draw(x, ys[len(ys)-1], x, ys[0])
	}
	return out
}

// lines shows text below each other.
func lines(x, y float64, texts ...string) (out string) {
	for i, text := range texts {
		out += formattest.At("F1", 10, x, y-12*float64(i), text)
	}
	return out
}

// TestCellsThatLinesPartAreWhole has cells that wrap, stand in the middle of their
// row, and a word that is too long for its cell.
func TestCellsThatLinesPartAreWhole(t *testing.T) {
	text := formattest.At("F1", 10, 72, 740, "Commands and what they do") +
		lines(76, 700, "task") + lines(176, 706, "short", "name") + lines(238, 700, "meaning") +
		lines(76, 664, "take away") + lines(176, 670, "apt-get", "autoremovenow") + lines(238, 670, "removes what is no", "longer needed") +
		lines(76, 628, "look") + lines(176, 634, "apt", "list") + lines(238, 640, "shows what is", "there and what", "is not")
	for name, draw := range map[string]func(x0, y0, x1, y1 float64) string{"lines": line, "thin boxes": thin} {
		rules := grid(draw, []float64{72, 172, 232, 400}, []float64{720, 684, 652, 610})
		formattest.WantOutline(t, pdfDoc(t, rules+text), `
paragraph0@1 Commands and what they do
row0@1 task  short name  meaning
row0@1 take away  apt-get autoremovenow  removes what is no longer needed
row0@1 look  apt list  shows what is there and what is not
`)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestCellsThatReachOverOthers has a head over two columns and a label beside two rows.
func TestCellsThatReachOverOthers(t *testing.T) {
	rules := line(72, 700, 372, 700) + line(172, 680, 372, 680) + line(72, 660, 372, 660) + line(172, 640, 372, 640) + line(72, 620, 372, 620) +
		line(172, 620, 172, 700) + line(272, 620, 272, 680)
	doc := pdfDoc(t, rules+lines(76, 676, "plan")+lines(240, 686, "price of")+lines(176, 666, "a month")+lines(276, 666, "a year")+
		lines(76, 636, "team")+lines(176, 646, "nine")+lines(276, 646, "ninety")+lines(176, 626, "ten")+lines(276, 626, "hundred"))
	if got := doc.Text; got != "plan  price of\na month  a year\nteam  nine  ninety\nten  hundred" {
		t.Errorf("got %q", got)
	}
}

// TestLinesThatPartNoCells has a chart with lines behind it, columns of a page with a
// line between them, and rows that no line parts.
func TestLinesThatPartNoCells(t *testing.T) {
	chart := grid(line, []float64{100, 200, 300, 400}, []float64{600, 500, 400, 300}) + lines(60, 598, "high") + lines(60, 498, "middle") + lines(60, 298, "low")
	if got := pdfDoc(t, chart).Text; strings.Contains(got, "  ") {
		t.Errorf("a chart became a table: %q", got)
	}
	page := grid(line, []float64{72, 300, 540}, []float64{720, 700, 500}) + lines(76, 705, "left of it") + lines(304, 705, "right of it") +
		prose(76, 688, 10, "words of the left column here") + prose(304, 688, 10, "words of the right column here")
	if got := pdfDoc(t, page).Text; strings.Contains(got, "here words of the right") {
		t.Errorf("columns became cells: %q", got)
	}
	open := grid(line, []float64{72, 172, 272, 372}, []float64{720, 700, 640}) + lines(76, 706, "name") + lines(176, 706, "first") + lines(276, 706, "second") +
		lines(76, 688, "north", "south") + lines(176, 688, "12", "14") + lines(276, 688, "16", "18")
	if got := pdfDoc(t, open).Text; !strings.Contains(got, "north  12  16") || !strings.Contains(got, "south  14  18") {
		t.Errorf("rows without a line between them became one: %q", got)
	}
}

// TestATableGoesOnOverThePage has a ruled table at the end of a page and the top of
// the next.
func TestATableGoesOnOverThePage(t *testing.T) {
	xs := []float64{72, 172, 372}
	first := prose(72, 740, 3, "what stands above the table of it all") + grid(line, xs, []float64{100, 80, 60}) + lines(76, 86, "name") + lines(176, 86, "size") + lines(76, 66, "north") + lines(176, 66, "12")
	second := grid(line, xs, []float64{740, 720, 700}) + lines(76, 726, "south") + lines(176, 726, "14") + lines(76, 706, "west") + lines(176, 706, "16")
	doc := pdfDoc(t, first, second)
	for _, b := range doc.Blocks {
		if doc.Text[b.Start:b.End] == "south  14" {
			if b.Level&evidence.RowGoesOn == 0 {
				t.Errorf("the table ends with its page: %+v", b)
			}
			return
		}
	}
	t.Errorf("the row is gone: %q", doc.Text)
}
