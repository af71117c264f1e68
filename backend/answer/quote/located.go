package quote

import (
	"strings"

	"footnote/backend/answer/quote/anchors"
)

// located tells which words of a question name the file that each passage is of:
// "Apple", "Q3", "10-Q" and "report" of "Apple's Q3 10-Q report". A passage has such
// a word wherever in its file it stands. What all passages have tells none of them
// apart, and counts no more than words that only ask.
func (q Query) located(passages []Passage) Query {
	q.ofFile = make([][]float64, len(passages))
	shared := make([]bool, len(q.terms))
	for i := range shared {
		shared[i] = true
	}
	known := map[string][]float64{}
	for i, p := range passages {
		of, ok := known[p.Of]
		if !ok {
			of = q.found(q.checker.Terms(strings.Join(anchors.NamingFile(q.text, p.Of), " ")), nil)
			known[p.Of] = of
		}
		q.ofFile[i] = of
		for k, f := range of {
			shared[k] = shared[k] && f == 1
		}
	}
	left := 0
	asking := map[string]bool{}
	for k, t := range q.terms {
		if asking[t.Stem] = shared[k] || q.asking[t.Stem]; !asking[t.Stem] {
			left++
		}
	}
	if left > 0 && len(passages) > 0 {
		q.asking = asking
	}
	return q
}

// fileOf is what the file of a passage has of the question's words.
func (q Query) fileOf(passage int) reach {
	if passage >= len(q.ofFile) {
		return reach{}
	}
	return reach{stems: q.ofFile[passage], forms: q.ofFile[passage]}
}
