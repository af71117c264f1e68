package quote

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/lang"
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

// What stands beside a name names the file with it: in the question, and where the
// file says so ("quarterly report on Form 10-Q").
const (
	besideInQuestion = 2 // words
	besideInFile     = 8
)

// namingFile are the names and numbers of a question that what a file says of
// itself has, with the words beside them that stand beside them there as well: an
// opening may be a table of contents, which has words of everything.
func namingFile(question, of string) (naming []string) {
	if of == "" {
		return nil
	}
	at := map[string][]int{}
	for i, w := range fileWords(of) {
		at[strings.ToLower(w)] = append(at[strings.ToLower(w)], i)
	}
	words := fileWords(question)
	places := func(i int) []int { return at[strings.ToLower(words[i])] }
	nounsHave := lang.Spoken(question).Has(lang.Styles, "nouns-capital")
	var names []int
	for i, w := range words {
		if len(places(i)) > 0 && (i > 0 && isName(w, nounsHave) || strings.ContainsFunc(w, unicode.IsDigit)) {
			names = append(names, i)
		}
	}
	for i, w := range words {
		if slices.ContainsFunc(names, func(name int) bool {
			return max(i-name, name-i) <= besideInQuestion && nearAny(places(i), places(name))
		}) {
			naming = append(naming, w)
		}
	}
	return naming
}

// isName reports whether a word within a question is a name by its capital; where
// nouns have one as well, by another behind it ("LilyPond").
func isName(word string, nounsHave bool) bool {
	if nounsHave {
		_, size := utf8.DecodeRuneInString(word)
		return strings.ContainsFunc(word[size:], unicode.IsUpper)
	}
	return answertype.Capitalised(word)
}

// nearAny reports whether a place of one word is beside one of another in a file.
func nearAny(places, others []int) bool {
	return slices.ContainsFunc(places, func(p int) bool {
		return slices.ContainsFunc(others, func(o int) bool { return max(p-o, o-p) <= besideInFile })
	})
}

func fileWords(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		words[i] = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}
