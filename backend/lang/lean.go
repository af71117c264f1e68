package lang

// Lean is how the opening of a sentence leans on the sentence before it.
type Lean int

// The ways.
const (
	Upright  Lean = iota // it does not
	Onward               // it goes on from it: however, for example
	BackOnTo             // it takes up what that names: he, this, the latter
)

// LeanOf tells how a sentence of a language leans on the one before it. The longest form
// that opens it decides, so that "il y a" is not taken for "il".
func LeanOf(c Code, sentence string) Lean {
	lean, left := Upright, len(sentence)+1
	for class, how := range map[Class]Lean{TakesUp: BackOnTo, Continues: Onward, StandsAlone: Upright} {
		if rest, ok := c.CutFront(class, sentence); ok && len(rest) < left {
			lean, left = how, len(rest)
		}
	}
	return lean
}
