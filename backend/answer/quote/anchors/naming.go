package anchors

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/lang"
)

// What stands beside a name names the file with it: in the question, and where the
// file says so ("quarterly report on Form 10-Q").
const (
	besideInQuestion = 2 // words
	besideInFile     = 8
)

// NamingFile are the names and numbers of a question that what a file says of
// itself has, with the words beside them that stand beside them there as well: an
// opening may be a table of contents, which has words of everything.
func NamingFile(question, of string) (naming []string) {
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
		if len(places(i)) > 0 && (i > 0 && isNameWithin(w, nounsHave) || strings.ContainsFunc(w, unicode.IsDigit)) {
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

// isNameWithin reports whether a word within a question is a name by its capital; where
// nouns have one as well, by another behind it ("LilyPond").
func isNameWithin(word string, nounsHave bool) bool {
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
