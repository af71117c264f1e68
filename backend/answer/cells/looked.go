package cells

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// looked is the one cell of a statement that a question names by the label of its row, whole,
// and by the year of its column; of several years what they give together, or differ by. It is
// sure where nothing else of the question is left; with little left one cell may be meant where
// a figure is asked for and the label is no single word.
func (s *sheet) looked() (t Tally, ok bool) {
	changed := lang.Changes(s.code, s.Text)
	if s.what == lang.NoSum && len(changed) > 0 && len(s.Asked.Period.Years) == 2 {
		s.what = lang.Difference
	}
	row, words, single := s.labelled()
	if !single || s.than.How != "" {
		return t, false
	}
	all, at, ok := s.ofYears(row)
	if !ok {
		return t, false
	}
	for _, w := range words {
		s.words[w].open = false
	}
	_, said := times.In(s.Text, func(string) (int, bool) { return 0, false })
	s.close(append(said, changed...))
	s.accountName()
	s.accountPlace()
	for i, w := range s.words {
		s.words[i].open = w.open && !lang.OfMoneyIn(s.code, lang.Price, w.text) && !(isProposed(w.text) && isProposed(headAt(row, at)))
	}
	left, kind := s.left(), lang.KindAsked(s.code, s.Text)
	t = Tally{Rows: []evidence.Row{row}, Sure: left == 0 && s.asProposed(headAt(row, at)), Fits: len(s.words) - 2*left}
	switch {
	case left > 0 && (len(all) > 1 || left > unaccounted || len(words) < 2 || kind != lang.Amount && kind != lang.Count):
		return t, false
	case s.what == lang.NoSum:
		t.Text = along.Said(row, at)
	default:
		write := func(value float64, digits int) string { return numbers.Written(s.code, value, digits) }
		t.Text = along.Figures(write, s.what, all) + ": " + strings.TrimPrefix(along.SectionOf(row)+" – "+row.Label, " – ") + along.ScaleOf(row)
	}
	return t, t.Text != ""
}

// ofYears are the figures of a row under the years that the question names, each with its year:
// one of one, several of a sum, two of a difference. at is the value of the last.
func (s *sheet) ofYears(row evidence.Row) (all []along.Cell, at int, ok bool) {
	years := s.Years(s.what == lang.Sum || s.what == lang.Average)
	for _, year := range years {
		found := -1
		for i := range row.Values {
			if slices.Equal(times.Years(headAt(row, i)), []int{year}) && (len(years) > 1 || s.asProposed(headAt(row, i)) || !s.isOneOfYear(row, year)) {
				if found >= 0 {
					return nil, 0, false
				}
				found = i
			}
		}
		if found < 0 {
			return nil, 0, false
		}
		f, isFigure := s.figureOf(strings.TrimSpace(row.Values[found]))
		if !isFigure {
			return nil, 0, false
		}
		all, at = append(all, along.Cell{Text: f.text, Value: f.value, Digits: f.digits, Year: year}), found
	}
	slices.SortFunc(all, func(a, b along.Cell) int { return a.Year - b.Year })
	switch s.what {
	case lang.NoSum:
		return all, at, len(all) == 1
	case lang.Difference:
		return all, at, len(all) == 2
	}
	return all, at, len(all) > 1 && (s.what == lang.Sum || s.what == lang.Average)
}

// labelled is the row whose label the question has whole, the longest of several, and which of
// its words that are; single is false for none and where two are as long.
func (s *sheet) labelled() (row evidence.Row, words []int, single bool) {
	for _, r := range s.rows {
		found := s.named(r.Label, true)
		switch {
		case len(found) > len(words):
			row, words, single = r, found, true
		case len(found) == len(words):
			single = false
		}
	}
	return row, words, single && len(words) > 0
}

// isProposed reports whether a text says, in any language, that its figures may still change:
// budget, forecast.
func isProposed(text string) bool {
	return slices.ContainsFunc(lang.Codes(), func(code lang.Code) bool { return lang.OfMoneyIn(code, lang.Proposed, text) })
}

// asProposed reports whether a head says of its figures that they may still change where the
// question does, and does not where it does not.
func (s *sheet) asProposed(head string) bool {
	return isProposed(head) == lang.OfMoneyIn(s.code, lang.Proposed, s.Text)
}

// isOneOfYear reports whether several columns of a row are of a year.
func (s *sheet) isOneOfYear(row evidence.Row, year int) bool {
	n := 0
	for i := range row.Values {
		if slices.Equal(times.Years(headAt(row, i)), []int{year}) {
			n++
		}
	}
	return n > 1
}
