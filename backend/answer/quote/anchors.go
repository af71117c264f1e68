package quote

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// anchors are the names and numbers of a question: what an answer is about, and
// what a sentence of another year, version or person lacks however much of the
// rest it has.
type anchors struct {
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
	thousands  = regexp.MustCompile(`^\d{1,3}(?:[.,]\d{3})+$`)
	yearInText = regexp.MustCompile(`\d+`)
)

func anchorsOf(question string) (a anchors) {
	for _, n := range namesIn(question) {
		a.names = append(a.names, nameStem(n))
	}
	a.numbers = numbersIn(question)
	return a
}

// nameStem is a name in lower case without what its cases may end in.
func nameStem(name string) string {
	runes := []rune(strings.ToLower(name))
	if cut := max(shortestCut, len(runes)-inflected); cut < len(runes) && !slices.ContainsFunc(runes, unicode.IsDigit) {
		runes = runes[:cut]
	}
	return string(runes)
}

// numbersIn are the numbers of a text as they are compared.
func numbersIn(text string) (numbers []string) {
	for _, n := range numberText.FindAllString(text, -1) {
		if thousands.MatchString(n) {
			n = strings.NewReplacer(",", "", ".", "").Replace(n)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// missingNames is the share of the names that a text does not have.
func (a anchors) missingNames(text string) float64 {
	return lacking(a.names, strings.ToLower(text))
}

// missingNumbers is the share of the numbers that a text does not have; a year
// within a period of the text counts as had. other reports that the text has
// another number of the same form in the place of one: a year, a version.
func (a anchors) missingNumbers(text string) (share float64, other bool) {
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

// endsAsSentence reports whether a text ends as sentences do: titles, buttons and
// lines of menus do not.
func endsAsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' || unicode.IsSpace(r)
	}))
	return unicode.Is(unicode.Sentence_Terminal, last) || last == ':' || last == '：'
}
