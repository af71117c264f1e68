package cite

import (
	"strings"
	"testing"
)

// swapped is a sentence of a passage in which one number was put for another one
// of the same kind that stands elsewhere in the passage.
type swapped struct {
	claim   string
	passage *Passage
}

// swap makes one such sentence of a passage.
func swap(p *Passage) (swapped, bool) {
	for j := range p.sentences {
		s := &p.sentences[j]
		if len(s.content) < 4 || len(s.tokens) > 60 || strings.Contains(s.text, "http") || strings.Contains(s.text, "[") {
			continue
		}
		for i := range s.tokens {
			switch s.tokens[i].kind {
			case count, percent, money, year:
				if by := sameKind(p, j, i); by != "" {
					return swapped{replaceToken(s, &s.tokens[i], by), p}, true
				}
			}
		}
	}
	return swapped{}, false
}

// sameKind is a number of the passage that could stand for number i of sentence j.
func sameKind(p *Passage, j, i int) string {
	s := &p.sentences[j]
	a := &s.tokens[i]
	for k := range p.sentences {
		for x := range p.sentences[k].tokens {
			b := &p.sentences[k].tokens[x]
			there := !isDigit(a.text[0]) || !isDigit(b.text[0]) || numEq(a, b) > 0 || numEq(b, a) > 0
			if there || b.kind != a.kind || b.unit != a.unit || k == j && a.kind == year || k != j && hasStem(s, b.stem) {
				continue
			}
			return b.text
		}
	}
	return ""
}

// TestANumberIsBoundToWhatItMeasures puts numbers into sentences that speak of
// something else, in every passage at hand.
func TestANumberIsBoundToWhatItMeasures(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	var all []swapped
	seen := map[string]bool{}
	add := func(p *Passage) {
		if x, ok := swap(p); ok && !seen[p.text] {
			all = append(all, x)
		}
		seen[p.text] = true
	}
	for _, set := range alteredSets(t, c) {
		for _, x := range set {
			add(x.passage)
		}
	}
	for _, g := range hotpot(t) {
		add(c.ofSentences(g.sentences))
	}
	noticed := 0
	for _, x := range all {
		if c.CheckRead(x.claim, "", x.passage).Verdict != Supported {
			noticed++
		}
	}
	atLeast(t, "noticed", noticed, len(all), .85)
}
