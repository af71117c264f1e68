package pdf

import "testing"

func TestStandardFontsHaveTheirWidths(t *testing.T) {
	if n := len(widthsOfStandard()); n != 6 {
		t.Errorf("%d fonts", n)
	}
	for _, c := range []struct {
		base         string
		bold, italic bool
		char         byte
		want         float64
	}{
		{"Helvetica", false, false, 'i', 222}, {"ABCDEF+ArialMT", false, false, 'W', 944}, {"Arial,Bold", true, false, 'i', 278}, {"Times-Roman", false, false, 'W', 944},
		{"Times New Roman", true, true, ' ', 250}, {"Courier-Bold", true, false, 'i', 600}, {"ArialNarrow", false, false, 'i', 500}, {"Frutiger", false, false, 'i', 500},
	} {
		f := &pdfFont{widths: map[int]float64{}, width: 500, bold: c.bold, italic: c.italic}
		for code := byte(32); code < 127; code++ {
			f.simple[code] = string(rune(code))
		}
		f.standardise(c.base)
		got, ok := f.widths[int(c.char)]
		if !ok {
			got = f.width
		}
		if got != c.want {
			t.Errorf("%s, %q: %v, not %v", c.base, c.char, got, c.want)
		}
	}
}
