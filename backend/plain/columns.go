package plain

import (
	"unicode"

	"golang.org/x/text/width"
)

// Columns is how many columns of a terminal, or of a page that is set in letters of one
// width, a text takes: two for a wide letter of East Asia (UAX #11), none for a mark
// over another.
func Columns(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
