package lang

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Code names a language, by ISO 639-1. The empty one is unknown.
type Code string

// The languages that have a table. Chinese covers both ways of writing.
const (
	Unknown    Code = ""
	English    Code = "en"
	German     Code = "de"
	French     Code = "fr"
	Spanish    Code = "es"
	Italian    Code = "it"
	Portuguese Code = "pt"
	Dutch      Code = "nl"
	Polish     Code = "pl"
	Swedish    Code = "sv"
	Russian    Code = "ru"
	Ukrainian  Code = "uk"
	Turkish    Code = "tr"
	Arabic     Code = "ar"
	Hindi      Code = "hi"
	Chinese    Code = "zh"
	Japanese   Code = "ja"
	Korean     Code = "ko"
)

var codes = []Code{
	English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish,
	Russian, Ukrainian, Turkish, Arabic, Hindi, Chinese, Japanese, Korean,
}

// Codes lists the languages that have a table.
func Codes() []Code { return append([]Code(nil), codes...) }

// Known reports whether a language has a table.
func (c Code) Known() bool { return tables()[c] != nil }

// kind is what the words of a line are.
type kind string

const (
	function     kind = "function"
	ask          kind = "ask"
	cause        kind = "cause"
	symbol       kind = "symbol"
	negation     kind = "negation"
	month        kind = "month"
	weekday      kind = "weekday"
	number       kind = "number"
	joint        kind = "joint"
	unit         kind = "unit"
	abbreviation kind = "abbreviation"
	library      kind = "library"
	meaningAsked kind = "meaning"
	defining     kind = "defining"
	naming       kind = "naming"
	sortNoun     kind = "sort" // what a name may stand beside: "the option --keep"
	askNoun      kind = "asknoun"
	money        kind = "money"
	tells        kind = "tells"
	dated        kind = "dated"
	cue          kind = "cue"
	calc         kind = "calc" // what is to be done with figures: a sum, an average
	age          kind = "age"  // which of several versions of a text
	yearPart     kind = "yearpart"
	owed         kind = "owed"    // of sums: that they are still to be paid, or have been
	compare      kind = "compare" // of figures: more or less than another
	sought       kind = "sought"  // what a question wants to be told that has a form: a time of day
	totals       kind = "totals"  // labels of rows that add up others
	say          kind = "say"     // texts of the product, by key
	inForm       kind = "form"    // read as a kind for each class
)

var kinds = map[kind]bool{
	function: true, ask: true, cause: true, symbol: true, negation: true, month: true, weekday: true, number: true, joint: true, unit: true, abbreviation: true, library: true, meaningAsked: true, defining: true, naming: true, sortNoun: true, inForm: true, summary: true, whole: true, askNoun: true, money: true, tells: true, dated: true, cue: true, calc: true, age: true, yearPart: true, owed: true, compare: true, sought: true, totals: true, say: true,
	kind(Greeting): true, kind(Goodbye): true, kind(Thanks): true, kind(Yes): true, kind(No): true,
}

// table holds the words of one language: the value of each word in lower case,
// by kind.
type table map[kind]map[string]string

//go:embed tables/*.tsv
var files embed.FS

// tables reads all of them, once. They are part of the program: one that cannot
// be read is a mistake in it, which the tests find.
var tables = sync.OnceValue(func() map[Code]table {
	all := map[Code]table{}
	for _, code := range codes {
		text, err := files.ReadFile("tables/" + string(code) + ".tsv")
		if err != nil {
			panic(err)
		}
		if all[code], err = parse(string(text)); err != nil {
			panic(fmt.Errorf("words of %s: %w", code, err))
		}
	}
	return all
})

func parse(text string) (table, error) {
	t := table{}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 || !kinds[kind(fields[0])] {
			return nil, fmt.Errorf("no line of a table: %q", line)
		}
		k := kind(fields[0])
		if k == inForm { // a word may have several parts in the form of a question
			k = Class(fields[1]).kind()
		}
		if t[k] == nil {
			t[k] = map[string]string{}
		}
		if k == say {
			t[k][fields[1]] = fields[2]
			continue
		}
		for word := range strings.SplitSeq(fields[2], "|") {
			if word = k.key(word); word == "" {
				return nil, fmt.Errorf("a word without letters: %q", line)
			}
			if _, there := t[k][word]; !there {
				t[k][word] = fields[1]
			}
		}
	}
	return t, nil
}

// key is the form under which a word is kept: a symbol such as "%" has no letters.
func (k kind) key(word string) string {
	switch k {
	case abbreviation:
		return strings.TrimSuffix(strings.ToLower(word), ".")
	case meaningAsked, defining, naming, summary, dated, cue, calc, age, yearPart, owed, compare, sought: // their apostrophes and signs count
		return strings.ToLower(word)
	}
	if k.isForm() {
		return lower(word)
	}
	return key(word)
}

func (k kind) isForm() bool { return strings.HasPrefix(string(k), "form:") }

// value gives what a word stands for in a language.
func (c Code) value(k kind, word string) (value string, ok bool) {
	value, ok = tables()[c][k][k.key(word)]
	return value, ok
}

// key is a text in lower case as its words only, with one space between them.
func key(text string) string {
	if isPlainWord(text) {
		return text
	}
	return strings.Join(words(text), " ")
}

// isPlainWord reports whether a text is one word of ASCII in lower case: its own key.
func isPlainWord(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// words splits a text at all that is no letter, mark or number.
func words(text string) []string { return wordsIn(lower(text)) }

// wordsIn splits what is in lower case already.
func wordsIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		if r < utf8.RuneSelf {
			return !isASCIILetter(r) && (r < '0' || r > '9')
		}
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r)
	})
}

// lower is lower case with the Turkish capital of i as a plain one.
func lower(text string) string {
	return strings.ToLower(strings.ReplaceAll(text, "İ", "i"))
}
