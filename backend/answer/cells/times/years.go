package times

import (
	"cmp"
	"slices"
	"strconv"

	"footnote/backend/pattern"
)

// YearNumber is a year as four digits.
var YearNumber = pattern.New(`\b(?:19|20)\d\d\b`)

var fiscalYear = pattern.New(`(?i)\bf(?:y|iscal(?: year)?)? ?(?:20)?(\d\d)\b`)

// eras are the years before the first of each Japanese era: 令和6年 is 2024.
var eras = map[string]int{"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}

var eraYear = pattern.New(`(明治|大正|昭和|平成|令和) ?(元|\d{1,2})年`)

// Years are the years that a text names, fiscal ones ("FY18") and those of eras as whole
// numbers, in order.
func Years(text string) []int { return slices.Sorted(slices.Values(YearsAsSaid(text))) }

// OfNone reports whether a text is of none of the years that a question names.
func OfNone(question, text string) bool {
	asked, said := Years(question), Years(text)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(year int) bool { return slices.Contains(said, year) })
}

// YearsAsSaid are these years as they follow one another in the text.
func YearsAsSaid(text string) (years []int) {
	at := map[int]int{}
	add := func(year, place int) {
		if seen, known := at[year]; !known || place < seen {
			at[year] = place
		}
	}
	for _, m := range YearNumber.FindAllStringIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[0]:m[1]]) // digits by the pattern
		add(n, m[0])
	}
	for _, m := range fiscalYear.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		add(2000+n, m[0])
	}
	for _, m := range eraYear.FindAllStringSubmatchIndex(text, -1) {
		n, err := strconv.Atoi(text[m[4]:m[5]])
		if err != nil {
			n = 1 // 元, the first one
		}
		add(eras[text[m[2]:m[3]]]+n, m[0])
	}
	for year := range at {
		years = append(years, year)
	}
	slices.SortFunc(years, func(a, b int) int { return cmp.Or(at[a]-at[b], a-b) })
	return years
}

// ShareYear reports whether two lists have a year in common.
func ShareYear(a, b []int) bool {
	return slices.ContainsFunc(a, func(y int) bool { return slices.Contains(b, y) })
}
