package lang

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Calculation is what a question wants done with figures.
type Calculation string

// The calculations. Where a question has words of several, the first of these counts.
const (
	Difference Calculation = "difference"
	Average    Calculation = "average"
	Least      Calculation = "least"
	Most       Calculation = "most"
	Sum        Calculation = "sum"
	NoSum      Calculation = ""
)

// Calculates tells what a question of a language wants done with figures, and where its
// words say so, as bytes of it.
func Calculates(c Code, question string) (what Calculation, said [][2]int) {
	low := strings.ReplaceAll(lower(question), "’", "'")
	if len(low) != len(question) {
		low = question
	}
	found := map[Calculation][][2]int{}
	for form, value := range tables()[c][calc] {
		for at := 0; ; {
			i := strings.Index(low[at:], form)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(form)
			if c.wordsEnd(low, start, end) {
				found[Calculation(value)] = append(found[Calculation(value)], [2]int{start, end})
			}
			at = end
		}
	}
	for _, what := range []Calculation{Difference, Average, Least, Most, Sum} {
		if len(found[what]) > 0 {
			for _, places := range found {
				said = append(said, places...)
			}
			return what, said
		}
	}
	return NoSum, nil
}

// wordsEnd reports whether a part of a text is whole words. Korean puts particles behind
// them; Chinese and Japanese part none.
func (c Code) wordsEnd(text string, start, end int) bool {
	if c == Chinese || c == Japanese {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !isPartOfWord(before) && (c == Korean || !isPartOfWord(after))
}

func isPartOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

// IsTotal reports whether the label of a row says, in any language, that it adds up
// others: it opens or ends with such a word.
func IsTotal(label string) bool {
	w := strings.Join(words(label), " ")
	return w != "" && slices.ContainsFunc(totalsOfAll(), func(form string) bool {
		rest, opens := strings.CutPrefix(w, form)
		before, ends := strings.CutSuffix(w, form)
		r, _ := utf8.DecodeRuneInString(form)
		if unicode.In(r, unicode.Han, unicode.Hangul) {
			return w == form || (opens || ends) && utf8.RuneCountInString(form) > 1
		}
		return opens && (rest == "" || rest[0] == ' ') || ends && strings.HasSuffix(before, " ")
	})
}

var totalsOfAll = sync.OnceValue(func() []string {
	var of []map[string]string
	for _, code := range codes {
		of = append(of, tables()[code][totals])
	}
	return longestFirst(of...)
})

// MonthOf is the month that a word names in any language, in lower case.
func MonthOf(word string) (month int, ok bool) {
	month, ok = monthsOfAll()[word]
	return month, ok
}

var monthsOfAll = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, code := range codes {
		for form, value := range tables()[code][month] {
			n, known := 0, true
			for _, r := range value {
				n, known = n*10+int(r-'0'), known && r >= '0' && r <= '9'
			}
			if _, there := all[form]; known && !there {
				all[form] = n
			}
		}
	}
	return all
})

// IsYes reports whether a cell says yes in any language, or has a mark.
func IsYes(cell string) bool {
	return isMarkOf(kind(Yes), cell) || slices.Contains([]string{"x", "✓", "✔", "+", "○"}, lower(cell))
}

// IsNo reports whether a cell says no in any language.
func IsNo(cell string) bool { return isMarkOf(kind(No), cell) }

func isMarkOf(k kind, cell string) bool {
	word := k.key(cell)
	return word != "" && slices.ContainsFunc(codes, func(c Code) bool { _, ok := tables()[c][k][word]; return ok })
}

// NamesAmount reports whether a word, in lower case, names an amount in any language: sum,
// Betrag, montant.
func NamesAmount(word string) bool {
	return slices.ContainsFunc(codes, func(c Code) bool { return tables()[c][askNoun][word] == string(Amount) })
}
