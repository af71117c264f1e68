package cite

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// alter makes a supported claim wrong; ok is false when it cannot.
type alter func(c *Checker, x labelled, all []labelled, i int) (claim string, passage *Passage, ok bool)

// replaceToken swaps token t of the normalised claim for another word.
func replaceToken(s *sentence, t *token, by string) string {
	return s.text[:t.start] + by + s.text[t.end:]
}

func says(p *Passage, text string) bool {
	return strings.Contains(strings.ToLower(p.text), strings.ToLower(text))
}

func otherNumber(c *Checker, x labelled, _ []labelled, _ int) (string, *Passage, bool) {
	s := c.read(normaliseClaim(x.claim))
	for i := range s.tokens {
		t := &s.tokens[i]
		if !isDigit(t.text[0]) || t.kind == word || !t.whole || t.value > 1e9 {
			continue
		}
		for _, add := range []int{7, 13, 29, 3} {
			by := strconv.Itoa(int(t.value) + add)
			if t.kind == year && int(t.value)+add > 2099 || says(x.passage, by) {
				continue
			}
			return replaceToken(&s, t, by), x.passage, true
		}
	}
	return "", nil, false
}

func otherName(c *Checker, x labelled, _ []labelled, i int) (string, *Passage, bool) {
	names := []string{"Kowalski", "Zanzibar", "Okonkwo", "Lindqvist", "Tashkent", "Ferreira"}
	s := c.read(normaliseClaim(x.claim))
	for k := range s.tokens {
		t := &s.tokens[k]
		if k == 0 || t.kind != word || !t.entity || !says(x.passage, t.text) {
			continue
		}
		if by := names[i%len(names)]; !says(x.passage, by) {
			return replaceToken(&s, t, by), x.passage, true
		}
	}
	return "", nil, false
}

var auxiliary = regexp.MustCompile(`\b(is|was|are|were|can|will|has|have|had|should|could|does|did)\b`)

func otherPolarity(_ *Checker, x labelled, _ []labelled, _ int) (string, *Passage, bool) {
	if strings.Contains(x.claim, "not only") {
		return "", nil, false
	}
	if strings.Contains(x.claim, " not ") {
		return strings.Replace(x.claim, " not ", " ", 1), x.passage, true
	}
	at := auxiliary.FindStringIndex(x.claim)
	if at == nil || strings.Contains(x.claim, "n't") {
		return "", nil, false
	}
	return x.claim[:at[1]] + " not" + x.claim[at[1]:], x.passage, true
}

func antonym(c *Checker, x labelled, _ []labelled, _ int) (string, *Passage, bool) {
	var file lexiconFile
	if readData("lexicon.json", &file) != nil {
		return "", nil, false
	}
	s := c.read(normaliseClaim(x.claim))
	for i := range s.tokens {
		for _, pair := range file.Antonyms {
			a, b, _ := strings.Cut(pair, " ")
			if t := &s.tokens[i]; !t.stop && (t.lower == a || t.lower == b) && says(x.passage, t.text) {
				by := a
				if t.lower == a {
					by = b
				}
				return replaceToken(&s, t, by), x.passage, true
			}
		}
	}
	return "", nil, false
}

func otherPassage(_ *Checker, x labelled, all []labelled, i int) (string, *Passage, bool) {
	for k := 1; k < len(all); k++ {
		if y := all[(i+k)%len(all)]; y.group != x.group && y.passage.text != x.passage.text {
			return x.claim, y.passage, true
		}
	}
	return "", nil, false
}

func sameQuestion(_ *Checker, x labelled, all []labelled, i int) (string, *Passage, bool) {
	for k := range all {
		if y := all[k]; k != i && y.group == x.group && y.claim != x.claim && !strings.Contains(y.passage.text, x.passage.text) && !strings.Contains(x.passage.text, y.passage.text) {
			return x.claim, y.passage, true
		}
	}
	return "", nil, false
}

// numberThere swaps a number for another of its kind that the passage says of
// something else.
func numberThere(c *Checker, x labelled, _ []labelled, _ int) (string, *Passage, bool) {
	p := c.pair(x.claim, "", x.passage.sentences)
	for i := range p.claim.tokens {
		t := &p.claim.tokens[i]
		if t.kind != count && t.kind != percent && t.kind != money && t.kind != year || !isDigit(t.text[0]) || !p.found(i) {
			continue
		}
		for j := range p.sentences {
			for k := range p.sentences[j].tokens {
				n := &p.sentences[j].tokens[k]
				if n.kind == t.kind && n.unit == t.unit && isDigit(n.text[0]) && numEq(t, n) == 0 && numEq(n, t) == 0 && !p.claimHasNumber(n) {
					return replaceToken(&p.claim, t, n.text), x.passage, true
				}
			}
		}
	}
	return "", nil, false
}

// nameThere swaps a name for another one of the passage.
func nameThere(c *Checker, x labelled, _ []labelled, _ int) (string, *Passage, bool) {
	p := c.pair(x.claim, "", x.passage.sentences)
	for i := range p.claim.tokens {
		t := &p.claim.tokens[i]
		if i == 0 || t.kind != word || !t.entity || !says(x.passage, t.text) {
			continue
		}
		for j := range p.sentences {
			for k := range p.sentences[j].tokens {
				n := &p.sentences[j].tokens[k]
				if k > 0 && n.kind == word && n.entity && !n.stop && !p.claimHas[n.stem] {
					return replaceToken(&p.claim, t, n.text), x.passage, true
				}
			}
		}
	}
	return "", nil, false
}

// alterations are ways to make a claim wrong, with the share that must be noticed
// by words and with the encoder.
var alterations = []struct {
	name               string
	alter              alter
	byWords, byEncoder float64
	first              bool // of the first set only
}{
	{"number not in the passage", otherNumber, .95, .95, false}, {"passage of another question", otherPassage, .95, .95, false},
	{"passage of the same question", sameQuestion, .90, .90, true}, {"name not in the passage", otherName, .92, .94, false},
	{"not inserted or removed", otherPolarity, .85, .85, false}, {"antonym", antonym, .75, .75, false},
	{"number of something else", numberThere, .75, .75, false}, {"name of something else", nameThere, .5, .5, false},
}

// check judges a claim by one of the tables.
type check func(claim, question string, passage *Passage) Finding

// flagged is the share of every step-th altered claim that is not called supported.
func flagged(c *Checker, judge check, sets [][]labelled, make alter, step int) (share float64, n int) {
	var work []labelled
	for _, set := range sets {
		for i, x := range set {
			if !x.supported || i%step != 0 {
				continue
			}
			if claim, passage, ok := make(c, x, set, i); ok {
				work = append(work, labelled{claim: claim, question: x.question, passage: passage})
			}
		}
	}
	noticed := 0
	for _, x := range work {
		if judge(x.claim, x.question, x.passage).Verdict != Supported {
			noticed++
		}
	}
	return float64(noticed) / float64(len(work)), len(work)
}

func alteredSets(t *testing.T, c *Checker) [][]labelled {
	sci, _ := scifact(t, c)
	return [][]labelled{attribution(t, c), begin(t, c, "wow"), begin(t, c, "cmu"), sci}
}

func TestAlteredClaimsAreNotCalledSupported(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	sets := alteredSets(t, c)
	for _, kind := range alterations {
		of := sets
		if kind.first {
			of = sets[:1]
		}
		share, n := flagged(c, c.CheckRead, of, kind.alter, 1)
		t.Logf("%-30s %4d pairs  flagged %.3f (bar %.2f)", kind.name, n, share, kind.byWords)
		if share < kind.byWords {
			t.Errorf("%s: flagged %.3f, want %.2f", kind.name, share, kind.byWords)
		}
	}
}
