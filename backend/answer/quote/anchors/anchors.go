// Package anchors finds the names and numbers of a question and what a text lacks of them.
package anchors

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/pattern"
)

// Anchors are the names and numbers of a question: what an answer is about, and
// what a sentence of another year, version or person lacks however much of the
// rest it has.
type Anchors struct {
	names   []string // in lower case, less the end that is inflected
	numbers []string // as written, without separators of thousands
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
	a.numbers = numbersIn(question)
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

// MissingNumbers is the share of the numbers that a text does not have; a year
// within a period of the text counts as had. other reports that the text has
// another number of the same form in the place of one: a year, a version.
func (a Anchors) MissingNumbers(text string) (share float64, other bool) {
	if len(a.numbers) == 0 {
		return 0, false
	}
	has, missing := numbersIn(text), 0
	for _, n := range a.numbers {
		if slices.Contains(has, n) || withinPeriod(n, text) {
			continue
		}
		missing++
		other = other || slices.ContainsFunc(has, func(h string) bool { return sameForm(n, h) })
	}
	return float64(missing) / float64(len(a.numbers)), other
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
