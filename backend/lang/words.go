package lang

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// IsFunctionWord reports whether a word of a language carries no meaning of its
// own: articles, prepositions, pronouns and the like.
func IsFunctionWord(code Code, word string) bool {
	_, ok := code.value(function, word)
	return ok
}

// FunctionWords lists the words that carry no meaning of their own.
func FunctionWords(code Code) []string {
	return slices.Sorted(maps.Keys(tables()[code][function]))
}

// IsNegation reports whether a word says no, not, never or nobody.
func IsNegation(code Code, word string) bool {
	_, ok := code.value(negation, word)
	return ok
}

// Negations lists the words that say no in any language, in lower case.
func Negations() (all []string) {
	for _, code := range codes {
		all = slices.AppendSeq(all, maps.Keys(tables()[code][negation]))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// IsAbbreviation reports whether a word, with its full stop or without, is
// shortened, so that the stop ends no sentence.
func IsAbbreviation(code Code, word string) bool {
	_, ok := code.value(abbreviation, word)
	return ok
}

// Month reads the name of a month.
func Month(code Code, word string) (m time.Month, ok bool) {
	n, ok := code.integer(month, word)
	return time.Month(n), ok
}

// Weekday reads the name of a day of the week.
func Weekday(code Code, word string) (d time.Weekday, ok bool) {
	n, ok := code.integer(weekday, word)
	return time.Weekday(n % 7), ok
}

// Unit gives the symbol of a unit of measure: "km" for "kilometres".
func Unit(code Code, word string) (symbol string, ok bool) { return code.value(unit, word) }

func (c Code) integer(k kind, word string) (n int, ok bool) {
	value, ok := c.value(k, word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(value)
	return n, err == nil
}

// Phrase is what people say to each other without asking anything.
type Phrase string

// The phrases that have a table.
const (
	Greeting Phrase = "greeting"
	Goodbye  Phrase = "goodbye"
	Thanks   Phrase = "thanks"
	Yes      Phrase = "yes"
	No       Phrase = "no"
)

// Phrases lists the ways of saying a phrase in a language, in lower case and
// without punctuation.
func Phrases(code Code, p Phrase) []string {
	var all []string
	for form := range tables()[code][kind(p)] {
		all = append(all, form)
	}
	slices.Sort(all)
	return all
}

// transcribed are letters of a language as they are typed where the keyboard has none.
var transcribed = map[Code]*strings.Replacer{
	German:  strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss"),
	Swedish: strings.NewReplacer("å", "aa", "ä", "ae", "ö", "oe"),
	Turkish: strings.NewReplacer("ı", "i", "ş", "s", "ğ", "g", "ö", "oe", "ü", "ue"),
}

// IsTranscribed reports whether a word is another one, both in lower case, typed without the
// letters that only its language has: gebaeude for gebäude.
func IsTranscribed(code Code, word, written string) bool {
	letters, ok := transcribed[code]
	return ok && word != written && letters.Replace(word) == letters.Replace(written)
}
