// Package anchors finds the names and numbers of a question and what a text lacks of them.
package anchors

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/answer/cells/times"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Anchors are the names and numbers of a question: what an answer is about, and
// what a sentence of another year, version or person lacks however much of the
// rest it has.
type Anchors struct {
	names   []string // in lower case, less the end that is inflected
	numbers []string // as written, without separators of thousands
	code    lang.Code
	months  uint16 // as times.Period has them
}

const (
	inflected   = 2 // runes that a name may end in otherwise
	shortestCut = 4 // and how much of it is kept

	earliestYear, latestYear = 1000, 2199
	rangeRunes               = 32 // between the years of a period: " – ", " until the end of April "
)

var (
	thousands  = pattern.New(`^\d{1,3}(?:[.,]\d{3})+$`)
	yearInText = pattern.New(`\d+`)
)

// Of are the anchors of a question.
func Of(question string) (a Anchors) {
	for _, n := range NamesIn(question) {
		a.names = append(a.names, NameStem(n))
	}
	a.numbers, a.code = numbersIn(question), lang.Spoken(question)
	a.months = a.monthsIn(question)
	return a
}

// NameStem is a name in lower case without what its cases may end in.
func NameStem(name string) string {
	runes := []rune(strings.ToLower(name))
	if cut := max(shortestCut, len(runes)-inflected); cut < len(runes) && !slices.ContainsFunc(runes, unicode.IsDigit) {
		runes = runes[:cut]
	}
	return string(runes)
}

// numbersIn are the numbers of a text as they are compared.
func numbersIn(text string) (numbers []string) {
	for _, n := range NumberText.FindAllString(text, -1) {
		if thousands.MatchString(n) {
			n = strings.NewReplacer(",", "", ".", "").Replace(n)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// MissingNames is the share of the names that a text does not have.
func (a Anchors) MissingNames(text string) float64 {
	return Lacking(a.names, strings.ToLower(text))
}

// MissingNumbers is the share of the numbers and months that a text does not have, all
// months as one; a year within a period of the text counts as had. other reports that
// the text has another of the same form in the place of one: a year, a month, a version.
func (a Anchors) MissingNumbers(text string) (share float64, other bool) {
	all := float64(len(a.numbers))
	missing := 0.0
	if a.months != 0 {
		has := a.monthsIn(text)
		all, missing = all+1, float64(bits.OnesCount16(a.months&^has))/float64(bits.OnesCount16(a.months))
		other = has != 0 && has&a.months == 0
	}
	if all == 0 {
		return 0, false
	}
	has := numbersIn(text)
	for _, n := range a.numbers {
		if slices.Contains(has, n) || withinPeriod(n, text) {
			continue
		}
		missing++
		other = other || slices.ContainsFunc(has, func(h string) bool { return sameForm(n, h) })
	}
	return missing / all, other
}

// alsoWords are names of months that are other words as well, but for their capital.
var alsoWords = map[string]bool{"may": true, "march": true, "mar": true, "mars": true, "set": true, "dec": true}

// monthsIn are the months of a text as the language of the question names them.
func (a Anchors) monthsIn(text string) uint16 {
	p, _ := times.In(text, func(word string) (int, bool) {
		low := strings.ToLower(word)
		if alsoWords[low] && low == word && a.code != lang.French && a.code != lang.Swedish {
			return 0, false
		}
		m, ok := lang.Month(a.code, low)
		return int(m), ok
	})
	return p.Months
}

// sameForm reports whether two numbers are both years, or both versions.
func sameForm(a, b string) bool {
	if _, ok := yearOf(a); ok {
		_, ok = yearOf(b)
		return ok
	}
	return strings.Contains(a, ".") && strings.Contains(b, ".")
}

func yearOf(number string) (year int, ok bool) {
	year, err := strconv.Atoi(number)
	return year, err == nil && len(number) == 4 && year >= earliestYear && year <= latestYear
}

// withinPeriod reports whether a number is a year between two that stand close
// together in a text, the earlier one first.
func withinPeriod(number, text string) bool {
	asked, ok := yearOf(number)
	if !ok {
		return false
	}
	from, end := 0, -1
	for _, at := range yearInText.FindAllStringIndex(text, -1) {
		year, ok := yearOf(text[at[0]:at[1]])
		if !ok {
			continue
		}
		if end >= 0 && from <= asked && asked <= year && utf8.RuneCountInString(text[end:at[0]]) <= rangeRunes {
			return true
		}
		from, end = year, at[1]
	}
	return false
}

// NumberText finds numbers as they are written.
var NumberText = pattern.New(`\d+(?:[.,]\d+)*`)

// codeName is a word that names something by code: "--keep", "SEC-2",
// "rank.floor", "max_pages", "thread::spawn".
var codeName = pattern.New(`^--?\pL[\pL\pN-]*$|^[\pL\pN]+(?:[._/]|::|-\pN)[\pL\pN._/:-]*[\pL\pN]$`)

// NamesIn are the words of a question with a capital, but for the first, and those
// that name something by code.
func NamesIn(question string) (names []string) {
	for i, written := range strings.Fields(question) {
		w := strings.TrimFunc(written, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if c := strings.Trim(written, "?!,;:.\"'`()«»„“”"); codeName.MatchString(c) && strings.ContainsFunc(c, unicode.IsLetter) {
			names = append(names, c)
		} else if i > 0 && answertype.Capitalised(w) {
			names = append(names, w)
		}
	}
	return names
}

// Lacking is the share of parts that a text in lower case does not have.
func Lacking(parts []string, text string) float64 {
	if len(parts) == 0 {
		return 0
	}
	n := 0
	for _, p := range parts {
		if !strings.Contains(text, strings.ToLower(p)) {
			n++
		}
	}
	return float64(n) / float64(len(parts))
}
