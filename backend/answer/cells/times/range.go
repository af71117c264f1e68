package times

import (
	"math/bits"
	"strings"

	"footnote/backend/lang"
)

// between are the months between two of a year, a bit each.
func between(from, to int) (months uint16) {
	for m := from + 1; m < to; m++ {
		months |= 1 << m
	}
	return months
}

// spans takes the months from one to another into a period, or the days from one of a month to
// another of it.
func (p *Period) spans(from, to int, days uint32, day int) {
	switch {
	case from > to, from != to && (days != 0 || day != 0):
		p.Crosses = true
	case from == to:
		for d := bits.Len32(days); d < day; d++ {
			p.Days |= 1 << d
		}
	}
	p.Between |= between(from, to)
}

// joinsRange reports whether what stands between two months says that all between them are
// meant: "January to March" and not "January and March". Which word says so depends on the
// language that the months are of: "a" is "to" in Spanish and "and" in Polish.
func joinsRange(first, middle, second string) bool {
	words := wordsOf(YearNumber.ReplaceAllString(middle, ""))
	if len(words) == 0 {
		return strings.ContainsAny(middle, "-–—~〜～")
	}
	if len(words) > 3 { // to the 10th of
		return false
	}
	joint := strings.ToLower(words[0].text)
	if until(first, joint, second) {
		return true
	}
	return len(words) == 1 && !lang.IsIn(lang.Joining, joint)
}

// isUntil reports whether a text between two numbered months says that all between them are
// meant: 4月から6月.
func isUntil(middle string) bool {
	middle = strings.TrimSpace(YearNumber.ReplaceAllString(middle, ""))
	if middle == "" || len([]rune(middle)) > 2 {
		return false
	}
	return strings.ContainsAny(middle, "-–—~〜～") || lang.IsIn(lang.Until, middle)
}

// until reports whether a word says "until" in a language in which two others are months.
func until(first, word, second string) bool {
	for _, code := range lang.Codes() {
		_, one := lang.Month(code, strings.ToLower(first))
		_, other := lang.Month(code, strings.ToLower(second))
		if one && other && code.Has(lang.Until, word) {
			return true
		}
	}
	return false
}

// Spans reports whether a text names a range of months: "June to August".
func Spans(text string) bool {
	p, _ := In(text, AnyMonth)
	return p.Between != 0 || p.Crosses
}

// Framed are the months between two that a word for "between" stands before: "between June and
// August". Of what differs it is the two. ok is false where there is no such range.
func Framed(code lang.Code, text string, month func(word string) (int, bool)) (months uint16, ok bool) {
	words := wordsOf(text)
	for i, w := range words {
		if !code.Has(lang.Between, strings.ToLower(w.text)) {
			continue
		}
		var found []int
		for _, of := range words[i+1 : min(len(words), i+7)] {
			if m, ok := month(of.text); ok {
				found = append(found, m)
			}
		}
		if len(found) == 2 {
			months, ok = months|between(found[0], found[1]), true
		}
	}
	return months, ok
}

// MonthIn is the month that a word of a question names in its language. A word that could be
// another one as well ("may", "to march") is a month where a number or a range of months stands
// beside it.
func MonthIn(code lang.Code, text string) func(word string) (int, bool) {
	words := wordsOf(text)
	beside := func(i, step int) string {
		if i += step; i < 0 || i >= len(words) {
			return ""
		}
		return strings.ToLower(words[i].text)
	}
	isMonth := func(word string) bool { _, ok := lang.Month(code, word); return ok }
	sure := map[string]bool{}
	for i, w := range words {
		for _, step := range []int{-1, 1} {
			next := beside(i, step)
			if next != "" && (IsNumber(next) || code.Has(lang.Until, next) && isMonth(beside(i, 2*step))) {
				sure[w.text] = true
			}
		}
	}
	return func(word string) (int, bool) {
		low := strings.ToLower(word)
		if low == word && code.Has(lang.OtherWord, low) && !sure[word] {
			return 0, false
		}
		m, ok := lang.Month(code, low)
		return int(m), ok && len([]rune(low)) > 2
	}
}
