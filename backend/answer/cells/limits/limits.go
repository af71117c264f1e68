// Package limits reads what a question compares figures with: "over £500", "5000円以上".
package limits

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Limit is a figure that rows are to have more of, or less.
type Limit struct {
	How   string // lang.MoreThan and the like; empty where nothing is compared
	Value float64
	Text  string
	Said  [2]int // bytes of the question
}

// Holds reports whether a figure is as it is compared.
func (c Limit) Holds(value float64) bool {
	switch c.How {
	case lang.MoreThan:
		return value > c.Value
	case lang.LessThan:
		return value < c.Value
	case lang.AtLeast:
		return value >= c.Value
	}
	return value <= c.Value
}

// Signs are how a working shows what is compared.
var Signs = map[string]string{lang.MoreThan: "> ", lang.LessThan: "< ", lang.AtLeast: "≥ ", lang.AtMost: "≤ "}

var numberText = pattern.New(`\d(?:[\d.,'’]*\d)?`)

const besideFigure = 8 // characters between a figure and the words that compare with it

// Of is what a question compares figures with: "over £500", "5000円以上". Of several
// words that compare the longest counts: "no more than" is not "more than".
func Of(code lang.Code, text string) (best Limit) {
	figures, longest := numbers.Reader{Comma: lang.WritesComma(code)}, 0
	for how, all := range lang.Compares(code, text) {
		for _, words := range all {
			for _, number := range besides(text, words) {
				c := Limit{How: how, Text: text[number[0]:number[1]], Said: [2]int{min(words[0], number[0]), max(words[1], number[1])}}
				value, _, ok := figures.Read(c.Text)
				if c.Value = value; ok && !times.YearNumber.MatchString(c.Text) && words[1]-words[0] > longest {
					best, longest = c, words[1]-words[0]
				}
			}
		}
	}
	return best
}

// besides is the figure next to words: the one behind them, else the one before.
func besides(text string, words [2]int) (near [][2]int) {
	if all := numberText.FindAllStringIndex(text[:words[0]], -1); len(all) > 0 {
		if at := all[len(all)-1]; utf8.RuneCountInString(text[at[1]:words[0]]) <= besideFigure {
			near = append(near, [2]int(at))
		}
	}
	if at := numberText.FindStringIndex(text[words[1]:]); at != nil && utf8.RuneCountInString(text[words[1]:words[1]+at[0]]) <= besideFigure {
		near = [][2]int{{words[1] + at[0], words[1] + at[1]}}
	}
	return near
}

// Without blanks what compares: its words would say that the most is asked for.
func (c Limit) Without(text string) string {
	return text[:c.Said[0]] + strings.Repeat(" ", c.Said[1]-c.Said[0]) + text[c.Said[1]:]
}
