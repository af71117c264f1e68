package pdf

import (
	"strings"
	"testing"

	"footnote/backend/extract/layout"
)

// shownLines lays fragments out and gives the lines.
func shownLines(frags ...layout.Fragment) string {
	var lines []string
	region := 0
	for _, l := range layout.Lines(frags, 1, &region) {
		lines = append(lines, l.Text)
	}
	return strings.Join(lines, "|")
}

// TestWordsAboveEachOtherAreNoLine has the labels of a diagram: two words below
// each other, nearer than lines of a text are, beside others.
func TestWordsAboveEachOtherAreNoLine(t *testing.T) {
	word := func(text string, x0, x1, y float64) layout.Fragment {
		return layout.Fragment{Text: text, X0: x0, X1: x1, Y: y, Size: 10}
	}
	if got := shownLines(word("Hyper-Connected", 200, 236, 100), word("Networking", 206, 230, 96), word("DATA", 300, 320, 100)); strings.Contains(got, "ConnectedNetworking") {
		t.Errorf("two words became one: %q", got)
	}
	exponent := layout.Fragment{Text: "2", X0: 82.5, X1: 86, Y: 104, Size: 6}
	if got := shownLines(word("mc", 70, 82, 100), exponent); got != "mc2" {
		t.Errorf("an exponent left its line: %q", got)
	}
}

// TestLettersThatOneGlyphShowsKeepTheirOrder has lam and alef in one glyph, of a
// font that says so, and as the form that text may have.
func TestLettersThatOneGlyphShowsKeepTheirOrder(t *testing.T) {
	for name, ligature := range map[string]string{"by the font": "\u0644\u0627", "by its form": "\ufefb"} {
		p := &painter{}
		for i, letters := range []string{"\u06cc", "\u0627", ligature, "\u06a9"} { // as they stand from left to right: کلا ای
			x := float64(10 * i)
			p.place(letters, matrix{10, 0, 0, 10, x, 100}, matrix{10, 0, 0, 10, x + 10, 100}, &pdfFont{})
		}
		p.closeFragment()
		if got, want := shownLines(p.turned[0]...), "\u06a9\u0644\u0627\u0627\u06cc"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, as := range []string{"find", "\u0628\u064a\u0628\u064a find", "\u0628"} {
		if got := layout.ShownOrder(as); got != as {
			t.Errorf("%q became %q", as, got)
		}
	}
}

// TestWordsOfPopplerAreReadFromTheRight has two words as pdftotext gives them: each
// in the order it is read in.
func TestWordsOfPopplerAreReadFromTheRight(t *testing.T) {
	pages := readBoxes(strings.NewReader(`<html><page><word xMin="10" yMin="1" xMax="40" yMax="11">עולם</word><word xMin="50" yMin="1" xMax="80" yMax="11">שלום</word></page></html>`))
	if len(pages) != 1 {
		t.Fatal(pages)
	}
	if got := shownLines(pages[0][0]...); got != "שלום עולם" {
		t.Errorf("got %q", got)
	}
}
