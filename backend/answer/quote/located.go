package quote

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/answertype"
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
			of = q.found(q.checker.Terms(strings.Join(namingFile(q.text, p.Of), " ")), nil)
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

// namingFile are the names and numbers of a question that what a file says of
// itself has, with the words beside them that it has as well.
func namingFile(question, of string) (naming []string) {
	if of == "" {
		return nil
	}
	have := map[string]bool{}
	for _, w := range fileWords(of) {
		have[strings.ToLower(w)] = true
	}
	words := fileWords(question)
	said := func(i int) bool { return i >= 0 && i < len(words) && have[strings.ToLower(words[i])] }
	names := make([]bool, len(words))
	for i, w := range words {
		names[i] = said(i) && (i > 0 && answertype.Capitalised(w) || strings.ContainsFunc(w, unicode.IsDigit))
	}
	for range 2 { // "latest 10-Q report"
		for i := range words {
			names[i] = names[i] || said(i) && (i > 0 && names[i-1] || i+1 < len(words) && names[i+1])
		}
	}
	for i, w := range words {
		if names[i] {
			naming = append(naming, w)
		}
	}
	return naming
}

func fileWords(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		words[i] = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
