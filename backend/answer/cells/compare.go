package cells

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// comparison is a figure that rows are to have more of, or less.
type comparison struct {
	how   string // lang.MoreThan and the like; empty where nothing is compared
	value float64
	text  string
	said  [2]int // bytes of the question
}

// holds reports whether a figure is as it is compared.
func (c comparison) holds(value float64) bool {
	switch c.how {
	case lang.MoreThan:
		return value > c.value
	case lang.LessThan:
		return value < c.value
	case lang.AtLeast:
		return value >= c.value
	}
	return value <= c.value
}

var compareSigns = map[string]string{lang.MoreThan: "> ", lang.LessThan: "< ", lang.AtLeast: "≥ ", lang.AtMost: "≤ "}

var numberText = pattern.New(`\d(?:[\d.,'’]*\d)?`)

const besideFigure = 8 // characters between a figure and the words that compare with it

// comparedIn is what a question compares figures with: "over £500", "5000円以上". Of several
// words that compare the longest counts: "no more than" is not "more than".
func comparedIn(code lang.Code, text string) (best comparison) {
	figures, longest := reader{comma: lang.WritesComma(code)}, 0
	for how, all := range lang.Compares(code, text) {
		for _, words := range all {
			for _, number := range besides(text, words) {
				c := comparison{how: how, text: text[number[0]:number[1]], said: [2]int{min(words[0], number[0]), max(words[1], number[1])}}
				value, _, ok := figures.figure(c.text)
				if c.value = value; ok && !yearNumber.MatchString(c.text) && words[1]-words[0] > longest {
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

// without blanks what compares: its words would say that the most is asked for.
func (c comparison) without(text string) string {
	return text[:c.said[0]] + strings.Repeat(" ", c.said[1]-c.said[0]) + text[c.said[1]:]
}

// compared keeps the rows whose figure in a column is as the question compares it.
func (s *sheet) compared(at int) {
	s.only[at] = append(s.only[at], compareSigns[s.than.how]+s.than.text)
	s.keep(func(row evidence.Row) bool {
		f, ok := s.figureOf(s.cellAt(row, at))
		return ok && s.than.holds(f.value)
	})
}
