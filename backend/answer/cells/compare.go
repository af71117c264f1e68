package cells

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
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
	figures, longest := numbers.Reader{Comma: lang.WritesComma(code)}, 0
	for how, all := range lang.Compares(code, text) {
		for _, words := range all {
			for _, number := range besides(text, words) {
				c := comparison{how: how, text: text[number[0]:number[1]], said: [2]int{min(words[0], number[0]), max(words[1], number[1])}}
				value, _, ok := figures.Read(c.text)
				if c.value = value; ok && !times.YearNumber.MatchString(c.text) && words[1]-words[0] > longest {
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

// filterByColumns keeps the rows whose figure in one column is more or less than that in
// another, where the question compares with what a head says: "below the reorder level", "over
// budget". What is compared is the column that it names, else the only other one of the same
// sort.
func (s *sheet) filterByColumns() {
	if s.than.how != "" || s.what != lang.NoSum {
		return
	}
	for how, all := range lang.Compares(s.code, s.text) {
		for _, said := range all {
			limit := s.namedBeside(said)
			if limit < 0 {
				continue
			}
			of := s.comparable(limit)
			if of < 0 {
				continue
			}
			s.only[of] = []string{compareSigns[how] + s.heads[limit]}
			s.close([][2]int{said})
			s.account(s.heads[limit])
			s.account(s.heads[of])
			s.keep(func(row evidence.Row) bool {
				value, ok := s.figureOf(s.cellAt(row, of))
				than, is := s.figureOf(s.cellAt(row, limit))
				return ok && is && comparison{how: how, value: than.value}.holds(value.value)
			})
			s.counts = true
			return
		}
	}
}

const besideWords = 40 // bytes of a question from what compares to what it compares with

// namedBeside is the column of figures whose head has the words that stand behind what
// compares, or before it where a language has it so; -1 for none or several.
func (s *sheet) namedBeside(said [2]int) int {
	from, to := said[1], min(len(s.text), said[1]+besideWords)
	if s.unspaced {
		from, to = max(0, said[0]-besideWords), said[0]
	}
	at, nearest := -1, besideWords
	for i, head := range s.heads {
		if i == 0 || !s.isFigures(i) {
			continue
		}
		apart, n := besideWords, 0
		for _, h := range wordsOf(head, s.unspaced) {
			alike := s.alike(h.text)
			for _, w := range s.words {
				if w.open && from <= w.at && w.at < to && alike(w.text) {
					n++
					apart = min(apart, max(w.at-said[1], said[0]-w.at))
				}
			}
		}
		switch {
		case n == 0, s.unspaced && n < 2: // characters
		case apart < nearest:
			at, nearest = i, apart
		case apart == nearest:
			at = -1
		}
	}
	return at
}

// comparable is the column that is compared with another: the only one whose head the question
// names, else the only one; -1 for none. Money is compared with money.
func (s *sheet) comparable(limit int) int {
	var named, others []int
	for i, head := range s.heads {
		if i == 0 || i == limit || !s.isFigures(i) || s.isMoney(i) != s.isMoney(limit) || s.isRatio(i) != s.isRatio(limit) {
			continue
		}
		others = append(others, i)
		if s.hits(head) > 0 {
			named = append(named, i)
		}
	}
	switch {
	case len(named) == 1:
		return named[0]
	case len(others) == 1:
		return others[0]
	}
	return -1
}
