package pdf

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed standard.tsv
var standardWidths string

// widthsOfStandard are the widths of characters of the fonts that every reader of PDF has
// (ISO 32000-1, 9.6.2.2), by their name: a file need not tell them.
var widthsOfStandard = sync.OnceValue(func() map[string]map[rune]float64 {
	all := map[string]map[rune]float64{}
	for line := range strings.Lines(standardWidths) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			continue
		}
		width, _ := strconv.ParseFloat(fields[1], 64) // the test reads every line
		if all[fields[0]] == nil {
			all[fields[0]] = map[rune]float64{}
		}
		for _, r := range fields[2] {
			all[fields[0]][r] = width
		}
	}
	return all
})

const courierWidth = 600 // of every character

// standardName is the standard font that a font is, by the names that programs give it;
// empty for others.
func standardName(base string, bold, italic bool) string {
	name := strings.ToLower(strings.ReplaceAll(afterPlus(base), " ", ""))
	switch {
	case strings.HasPrefix(name, "courier"):
		return "Courier"
	case strings.HasPrefix(name, "helvetica"), strings.HasPrefix(name, "arial") && !strings.Contains(name, "narrow") && !strings.Contains(name, "black"):
		if bold {
			return "Helvetica-Bold"
		}
		return "Helvetica"
	case strings.HasPrefix(name, "times"):
		switch {
		case bold && italic:
			return "Times-BoldItalic"
		case bold:
			return "Times-Bold"
		case italic:
			return "Times-Italic"
		}
		return "Times-Roman"
	}
	return ""
}

// standardise gives a font of one byte that tells no widths those of the standard font that
// it is.
func (f *pdfFont) standardise(base string) {
	name := standardName(base, f.bold, f.italic)
	if name == "Courier" {
		f.width = courierWidth
		return
	}
	widths := widthsOfStandard()[name]
	for code, text := range f.simple {
		sum := 0.0
		for _, r := range text {
			sum += widths[r]
		}
		if sum > 0 {
			f.widths[code] = sum
		}
	}
}
