package cite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// composed is an answer: claims with the number of the source each cites.
type composed struct {
	claims  []labelled
	sources []*Passage
	cites   []int
}

// answers composes an answer a question from the claims that people called
// supported, each citing the passage it was judged with.
func answers(pairs []labelled) []composed {
	var all []composed
	at := map[string]int{}
	for _, x := range pairs {
		if !x.supported || x.question == "" || len(x.claim) < 30 {
			continue
		}
		k, known := at[x.question]
		if !known {
			k = len(all)
			at[x.question] = k
			all = append(all, composed{})
		}
		a := &all[k]
		n := slices.IndexFunc(a.sources, func(p *Passage) bool { return p.text == x.passage.text })
		if n < 0 {
			n = len(a.sources)
			a.sources = append(a.sources, x.passage)
		}
		a.claims, a.cites = append(a.claims, x), append(a.cites, n+1)
	}
	return all
}

// write puts an answer into words: a line a claim, with its mark.
func (a composed) write(claim func(i int) string, cites func(i int) int) string {
	var b strings.Builder
	for i := range a.claims {
		line := strings.Trim(strings.Join(strings.Fields(dropMarks(claim(i))), " "), " .-*#|")
		fmt.Fprintf(&b, "- The answer: %s [%d].\n", strings.NewReplacer("[", "(", "]", ")").Replace(line), cites(i))
	}
	return b.String()
}

func (a composed) claim(i int) string { return a.claims[i].claim }

func (a composed) cite(i int) int { return a.cites[i] }

// TestPerturbedAnswersAreCaught writes true answers, spoils something in each line,
// and takes them the way of every answer: parser, claims, checker; by words, and
// with -every by the encoder.
func TestPerturbedAnswersAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	judge := c.CheckRead
	if *everyPair {
		judge = byEncoder(t, c)
	}
	all := slices.Concat(answers(attribution(t, c)), answers(begin(t, c, "wow")), answers(begin(t, c, "cmu")))
	t.Run("invented sources", func(t *testing.T) {
		invented, caught, wrongly := 0, 0, 0
		for k, a := range all {
			text := a.write(a.claim, func(i int) int {
				if (i+k)%2 == 0 {
					invented++
					return len(a.sources) + 1 + i
				}
				return a.cites[i]
			})
			p := NewParser(len(a.sources))
			for _, piece := range append(p.Feed(text), p.Close()...) {
				switch {
				case piece.Kind == Drop && piece.N > len(a.sources):
					caught++
				case piece.Kind == Drop:
					wrongly++
				}
			}
		}
		atLeast(t, "recall", caught, invented, 1)
		atLeast(t, "precision", caught, caught+wrongly, 1)
	})
	t.Run("swapped sources", func(t *testing.T) {
		swapped, caught := 0, 0
		for _, a := range all {
			for i, f := range judgeAnswer(judge, a, a.claim, func(i int) int { return a.cites[i]%len(a.sources) + 1 }) {
				if from, to := a.sources[a.cites[i]-1].text, a.sources[a.cites[i]%len(a.sources)].text; strings.Contains(to, from) || strings.Contains(from, to) {
					continue
				}
				swapped++
				if f.Verdict != Supported {
					caught++
				}
			}
		}
		atLeast(t, "flagged", caught, swapped, .85)
	})
	t.Run("altered numbers", func(t *testing.T) {
		altered, caught, wrongly := 0, 0, 0
		for _, a := range all {
			for i, f := range judgeAnswer(judge, a, a.claim, a.cite) {
				if numbersStand(c, a.claims[i]) && f.doubtsNumber() {
					wrongly++
					t.Logf("%s: %s", a.claim(i), f.Why)
				}
			}
			spoilt := func(i int) string {
				claim, _, ok := otherNumber(c, a.claims[i], nil, i)
				if !ok {
					return a.claim(i)
				}
				return claim
			}
			for i, f := range judgeAnswer(judge, a, spoilt, a.cite) {
				if spoilt(i) == a.claim(i) || !numbersStand(c, a.claims[i]) {
					continue
				}
				altered++
				if f.doubtsNumber() {
					caught++
				}
			}
		}
		atLeast(t, "recall", caught, altered, .95)
		atLeast(t, "precision", caught, caught+wrongly, .95)
	})
}

// judgeAnswer takes an answer the way of every answer.
func judgeAnswer(judge check, a composed, claim func(i int) string, cites func(i int) int) map[int]Finding {
	p := NewParser(len(a.sources))
	text, _ := join(append(p.Feed(a.write(claim, cites)), p.Close()...))
	found := map[int]Finding{}
	for _, cl := range Claims(text) {
		i := strings.Count(text[:cl.Sentence.Start], "\n")
		found[i] = judge(strings.TrimPrefix(cl.Text, "The answer: "), a.claims[i].question, a.sources[cl.Markers[0]-1])
	}
	return found
}

// doubtsNumber reports whether a finding holds a number against the claim.
func (f Finding) doubtsNumber() bool {
	return f.Verdict != Supported && (slices.ContainsFunc(f.InClaim, func(s string) bool { return isDigit(s[0]) }) || strings.ContainsAny(f.Why, "0123456789"))
}

// numbersStand reports whether the claim has numbers in digits and its passage
// has all of them, counting the same.
func numbersStand(c *Checker, x labelled) bool {
	s := c.read(normaliseClaim(x.claim))
	n := 0
	for _, t := range s.tokens {
		if !t.number() || !isDigit(t.text[0]) {
			continue
		}
		n++
		if !slices.ContainsFunc(x.passage.sentences, func(s sentence) bool {
			return slices.ContainsFunc(s.tokens, func(p token) bool { return p.kind == t.kind && p.unit == t.unit && p.value == t.value })
		}) {
			return false
		}
	}
	return n > 0
}

func atLeast(t *testing.T, what string, n, of int, bar float64) {
	t.Helper()
	share := float64(n) / float64(of)
	t.Logf("%-10s %d of %d = %.3f (bar %.2f)", what, n, of, share, bar)
	if share < bar || of == 0 {
		t.Errorf("%s %.3f, want %.2f", what, share, bar)
	}
}
