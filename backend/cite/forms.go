package cite

import (
	_ "embed" // the list
	"strings"
)

// irregular are words whose forms do not share a stem, one word a line, its base
// first.
//
//go:embed data/irregular.txt
var irregular string

// baseForms gives the stem of the base of each irregular stem.
var baseForms = func() map[string]string {
	base := map[string]string{}
	for line := range strings.Lines(irregular) {
		words := strings.Fields(line)
		for _, w := range words {
			if _, known := base[stem(w)]; !known {
				base[stem(w)] = stem(words[0])
			}
		}
	}
	return base
}()

// IsForm reports whether two terms are forms of one word: the same stem, or
// irregular forms such as child and children, begin and began.
func (t Term) IsForm(other Term) bool {
	if t.Stem == other.Stem {
		return true
	}
	a, b := baseForms[t.Stem], baseForms[other.Stem]
	return a != "" && a == b
}
