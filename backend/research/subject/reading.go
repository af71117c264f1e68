package subject

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
)

// reading is what a source says of the matter, read whole once.
type reading struct {
	opens string         // how it begins below its title
	terms *regexp.Regexp // what it calls the matter; nil for nothing
	about bool           // the matter is what it is about
}

// A text is about what it names this often, and in this many words once.
const (
	fewestNamed = 5
	namedWithin = 250
)

// isOf reports whether a text is about the matter: its title names it, or the text does
// again and again, and more often than what else its title names.
func (m Matter) isOf(title, text string) bool {
	if len(m.names) == 0 || m.named(title) {
		return len(m.names) > 0
	}
	words := strings.FieldsFunc(strings.ToLower(text[:min(len(text), mostDefined)]), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' })
	count := map[string]int{}
	for _, word := range words {
		count[word]++
	}
	named := 0
	for _, name := range m.names {
		first, _, _ := strings.Cut(name, " ")
		named = max(named, count[first])
	}
	if named < fewestNamed || named*namedWithin < len(words) {
		return false
	}
	for _, word := range strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsUpper(first) && count[strings.ToLower(word)] > named {
			return false
		}
	}
	return true
}

// namesElse reports whether a sentence names anything that is not the matter: by its
// capital letters, and as no text has the word without one (Lita et al. 2003). Words of
// capitals alone are seldom anybody's name.
func (m Matter) namesElse(sentence string) bool {
	if !lang.Detect(sentence).NamesByCapitals() {
		return false
	}
	for i, word := range strings.Fields(sentence) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(word)
		first, _ := utf8.DecodeRuneInString(word)
		switch {
		case !unicode.IsUpper(first), word == strings.ToUpper(word), m.hasWord(lower), i == 0 && lang.IsFunctionWord(lang.English, word):
		case !strings.Contains(m.common, " "+lower):
			return true
		}
	}
	return false
}

// hasWord reports whether one of the names has a word.
func (m Matter) hasWord(lower string) bool {
	for _, name := range m.names {
		for word := range strings.FieldsSeq(name) {
			if word == lower {
				return true
			}
		}
	}
	return false
}
