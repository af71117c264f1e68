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
	sign  float64 // 1 for more, -1 for less; 0 where nothing is compared
	value float64
	text  string
	said  [2]int // bytes of the question
}

var numberText = pattern.New(`\d(?:[\d.,'’]*\d)?`)

const besideFigure = 8 // characters between a figure and the words that compare with it

// comparedIn is what a question compares figures with: "over £500", "5000円以上".
func comparedIn(code lang.Code, text string) comparison {
	figures := reader{comma: lang.WritesComma(code)}
	read := func(sign float64, words, number [2]int) (c comparison, ok bool) {
		c = comparison{sign: sign, text: text[number[0]:number[1]], said: [2]int{min(words[0], number[0]), max(words[1], number[1])}}
		c.value, _, ok = figures.figure(c.text)
		return c, ok && utf8.RuneCountInString(text[min(words[1], number[1]):max(words[0], number[0])]) <= besideFigure
	}
	more, less := lang.Compares(code, text)
	for i, words := range append(more, less...) {
		sign := 1.0
		if i >= len(more) {
			sign = -1
		}
		if at := numberText.FindStringIndex(text[words[1]:]); at != nil {
			if c, ok := read(sign, words, [2]int{words[1] + at[0], words[1] + at[1]}); ok {
				return c
			}
		}
		if all := numberText.FindAllStringIndex(text[:words[0]], -1); len(all) > 0 {
			if c, ok := read(sign, words, [2]int(all[len(all)-1])); ok {
				return c
			}
		}
	}
	return comparison{}
}

// without blanks what compares: its words would say that the most is asked for.
func (c comparison) without(text string) string {
	return text[:c.said[0]] + strings.Repeat(" ", c.said[1]-c.said[0]) + text[c.said[1]:]
}

// compared keeps the rows whose figure in a column is as the question compares it.
func (s *sheet) compared(at int) {
	sign := map[float64]string{1: "> ", -1: "< "}[s.than.sign]
	s.only[at] = append(s.only[at], sign+s.than.text)
	s.keep(func(row evidence.Row) bool {
		f, ok := s.figureOf(s.cellAt(row, at))
		return ok && s.than.sign*(f.value-s.than.value) > 0
	})
}
