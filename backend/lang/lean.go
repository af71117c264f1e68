package lang

import (
	"strings"
	"unicode/utf8"
)

// Lean is how the opening of a sentence leans on the sentence before it.
type Lean int

// The ways.
const (
	Upright  Lean = iota // it does not
	Onward               // it goes on from it: however, for example
	BackOnTo             // it takes up what that names: he, this, the latter
)

var leaning = [...]struct {
	class Class
	how   Lean
}{{TakesUp, BackOnTo}, {Continues, Onward}, {StandsAlone, Upright}}

// LeanOf tells how a sentence of a language leans on the one before it. The longest form
// that opens it decides, so that "il y a" is not taken for "il".
func LeanOf(c Code, sentence string) (lean Lean) {
	sentence = strings.TrimLeft(sentence, " \u3000¿¡,.:;-")
	r, _ := utf8.DecodeRuneInString(sentence)
	first, longest := lower(string(r)), 0
	for _, l := range leaning {
		for _, form := range c.Forms(l.class) {
			if len(form) <= longest || !strings.HasPrefix(form, first) {
				continue
			}
			if n := prefixFold(sentence, form); n > 0 && (unspaced(c) || !startsWord(sentence[n:])) {
				lean, longest = l.how, len(form)
				break
			}
		}
	}
	return lean
}
