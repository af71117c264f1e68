package cite

import "strings"

// Term is a word or number that carries content.
type Term struct {
	Stem   string
	Weight float64 // idf, at least 0.3
	number bool
}

// Terms lists the content of a text in order, repeats included; numbers written
// as words are words here. A text without content gives all its words.
func (c *Checker) Terms(text string) []Term {
	s := c.read(normalise(text))
	terms, rest := make([]Term, 0, len(s.tokens)), []Term(nil)
	for i := range s.tokens {
		t := &s.tokens[i]
		term := Term{Stem: t.stem, Weight: t.weight, number: t.number() && isDigit(t.text[0])}
		if t.number() && !term.number {
			term.Stem = stem(t.lower)
			term.Weight = c.IDF(term.Stem)
		}
		if t.listed {
			rest = append(rest, term)
			continue
		}
		terms = append(terms, term)
	}
	if len(terms) == 0 {
		return rest
	}
	return terms
}

// Alike says how well two terms match: 1 the same stem, 0.6 stems that share
// most of their letters, else 0.
func (t Term) Alike(other Term) float64 {
	switch {
	case t.Stem == other.Stem:
		return 1
	case !t.number && !other.number && similar(t.Stem, other.Stem):
		return 0.6
	}
	return 0
}

// IsNumber reports whether a term is a number in figures.
func (t Term) IsNumber() bool { return t.number }

// Same is a text in the form in which two equal sentences are equal: plain
// quotes, dashes and spaces, lower case.
func Same(text string) string { return strings.ToLower(normalise(text)) }
