package cells

import (
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// looked is the one cell of a statement that a question names by the label of its row, whole,
// and by the year of its column. It is sure where nothing else of the question is left; with
// little left it may be meant where a figure is asked for and the label is no single word.
func (s *sheet) looked() (t Tally, ok bool) {
	years := s.asked.period.Years
	if s.what != lang.NoSum || s.than.how != "" || len(years) != 1 {
		return t, false
	}
	at := -1
	for i, head := range s.heads {
		if i > 0 && slices.Equal(yearsIn(head), years) {
			if at >= 0 {
				return t, false
			}
			at = i
		}
	}
	row, words, single := s.labelled()
	if at < 0 || !single {
		return t, false
	}
	value := -1
	for i := range row.Values {
		if headAt(row, i) == s.heads[at] {
			value = i
		}
	}
	if value < 0 {
		return t, false
	}
	for _, w := range words {
		s.words[w].open = false
	}
	_, said := timeIn(s.text, func(string) (int, bool) { return 0, false })
	s.close(said)
	s.account(s.heads[at])
	s.accountName()
	s.accountPlace()
	for i, w := range s.words {
		s.words[i].open = w.open && !lang.OfMoneyIn(s.code, "price", w.text)
	}
	left, kind := s.left(), lang.KindAsked(s.code, s.text)
	if left > 0 && (left > unaccounted || len(words) < 2 || kind != lang.Amount && kind != lang.Count) {
		return t, false
	}
	return Tally{Text: Said(row, value), Rows: []evidence.Row{row}, Sure: left == 0, Fits: len(s.words) - 2*left}, true
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
