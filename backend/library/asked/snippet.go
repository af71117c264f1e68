package asked

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/plain"
	"footnote/backend/rank"
)

// snippetRunes is about how long a snippet is.
const snippetRunes = 180

// Snippet cuts the part of a text with the most of the asked words, at word
// borders, in one line in which blocks are parted by dots, and marks the words. Words compare by their beginnings,
// so that endings do not matter.
func Snippet(text string, asked Marking) (string, [][2]int) {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, plain.Parted(text)))
	all := asked.in(runes)
	start, end := window(runes, all)
	marks := [][2]int{}
	for _, m := range all {
		if m[0] >= start && m[1] <= end {
			marks = append(marks, [2]int{m[0] - start, m[1] - start})
		}
	}
	return strings.TrimRight(string(runes[start:end]), " ·"), marks
}

// Marking is what a snippet marks: words by their beginnings, and phrases whole.
type Marking struct {
	stems   []stem
	phrases []rank.Phrase
}

// stem is what a marked word begins with, or, whole, is.
type stem struct {
	text  string
	whole bool
}

func (a Search) Marking() Marking {
	m := Marking{phrases: a.phrases}
	if len(a.phrases) == 0 || len(a.Words) > 0 {
		words := wordsOf(a.Words)
		for i, word := range words {
			m.stems = append(m.stems, stem{text: stemOf(word), whole: !(a.growing && i == len(words)-1) && tiny(word)})
		}
	}
	return m
}

// tiny tells whether a word is so short that most words that begin with it are
// other words: one or two letters of a script that has small and great ones.
func tiny(word string) bool {
	return utf8.RuneCountInString(word) < 3 && strings.IndexFunc(word, unicode.IsLower) >= 0
}

// in gives the marks of a text in order; phrases come before the words in them.
func (m Marking) in(runes []rune) (marks [][2]int) {
	text := string(runes)
	for _, p := range m.phrases {
		for _, at := range p.Places(text) {
			start := utf8.RuneCountInString(text[:at.Start])
			marks = append(marks, [2]int{start, start + utf8.RuneCountInString(text[at.Start:at.End])})
		}
	}
	whole := len(marks)
	for _, w := range wordSpans(runes) {
		inPhrase := slices.ContainsFunc(marks[:whole], func(m [2]int) bool { return m[0] <= w[0] && w[1] <= m[1] })
		if !inPhrase && m.marks(runes[w[0]:w[1]]) {
			marks = append(marks, w)
		}
	}
	slices.SortFunc(marks, func(a, b [2]int) int { return a[0] - b[0] })
	return marks
}

// window chooses the stretch with the most marks, beginning a little before the
// first of them.
func window(runes []rune, marks [][2]int) (start, end int) {
	best := 0
	for i := range marks {
		n := 0
		for n+i < len(marks) && marks[i+n][1]-marks[i][0] <= snippetRunes-30 {
			n++
		}
		if n > best {
			best, start = n, max(0, marks[i][0]-30)
		}
	}
	for start > 0 && start < len(runes) && runes[start-1] != ' ' {
		start--
	}
	end = min(len(runes), start+snippetRunes)
	for end < len(runes) && end > start+snippetRunes/2 && runes[end] != ' ' {
		end--
	}
	return start, end
}

func wordSpans(runes []rune) (spans [][2]int) {
	start := -1
	for i := 0; i <= len(runes); i++ {
		inside := i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]) || unicode.IsMark(runes[i]))
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			spans = append(spans, [2]int{start, i})
			start = -1
		}
	}
	return spans
}

// wordsOf are the words of a query that a search goes by; when all are so common
// that it goes by none, all of them.
func wordsOf(query string) (words []string) {
	runes := []rune(strings.ToLower(query))
	var all []string
	for _, w := range wordSpans(runes) {
		word := string(runes[w[0]:w[1]])
		if all = append(all, word); len(rank.Terms(word)) > 0 && !asking[word] {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// asking are words that open questions; marking them says nothing.
var asking = map[string]bool{"who": true, "what": true, "when": true, "where": true, "why": true, "how": true, "which": true, "is": true, "are": true, "was": true, "were": true, "do": true, "does": true, "did": true, "its": true}

// stemOf is what a marked word begins with: the first five letters of an asked
// word, or all of a shorter one. The stems of the index are about that long.
func stemOf(word string) string {
	if r := []rune(word); len(r) > 5 {
		return string(r[:max(5, len(r)-3)])
	}
	return word
}

// marks tells whether a word is marked by a stem. Most differ in the first letter.
func (m Marking) marks(word []rune) bool {
	first := unicode.ToLower(word[0])
	lower := ""
	for _, stem := range m.stems {
		if r, _ := utf8.DecodeRuneInString(stem.text); r != first {
			continue
		}
		if lower == "" {
			lower = strings.ToLower(string(word))
		}
		if lower == stem.text || !stem.whole && strings.HasPrefix(lower, stem.text) {
			return true
		}
	}
	return false
}
