package cells

import (
	"footnote/backend/answer/cells/limits"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// compared keeps the rows whose figure in a column is as the question compares it.
func (s *sheet) compared(at int) {
	s.only[at] = append(s.only[at], limits.Signs[s.than.How]+s.than.Text)
	s.keep(func(row evidence.Row) bool {
		f, ok := s.figureOf(s.cellAt(row, at))
		return ok && s.than.Holds(f.value)
	})
}

// filterByColumns keeps the rows whose figure in one column is more or less than that in
// another, where the question compares with what a head says: "below the reorder level", "over
// budget". What is compared is the column that it names, else the only other one of the same
// sort.
func (s *sheet) filterByColumns() {
	if s.than.How != "" || s.what != lang.NoSum {
		return
	}
	for how, all := range lang.Compares(s.code, s.Text) {
		for _, said := range all {
			limit := s.namedBeside(said)
			if limit < 0 {
				continue
			}
			of := s.comparable(limit)
			if of < 0 {
				continue
			}
			s.only[of] = []string{limits.Signs[how] + s.heads[limit]}
			s.close([][2]int{said})
			s.account(s.heads[limit])
			s.account(s.heads[of])
			s.keep(func(row evidence.Row) bool {
				value, ok := s.figureOf(s.cellAt(row, of))
				than, is := s.figureOf(s.cellAt(row, limit))
				return ok && is && limits.Limit{How: how, Value: than.value}.Holds(value.value)
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
	from, to := said[1], min(len(s.Text), said[1]+besideWords)
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
