package cells

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// filterByPresence keeps the rows that have something in a column, where others have nothing
// and the question says that it wants those with what the head says: "with a tenant".
func (s *sheet) filterByPresence(at int) {
	if at == 0 || s.unspaced || len(s.only[at]) > 0 || s.isFigures(at) || lang.NamesPayment(s.heads[at]) {
		return
	}
	has := func(row evidence.Row) bool { return !s.lacks(row, at) }
	if n := len(s.rows) - len(slices.DeleteFunc(slices.Clone(s.rows), has)); n == 0 || n == len(s.rows) {
		return
	}
	named := s.with(s.heads[at])
	if len(named) == 0 {
		return
	}
	for _, w := range named {
		s.words[w].open = false
	}
	s.keep(has)
	s.only[at] = s.cells(at)
}

// with are the open words of the question that are a whole head, right behind what says to have
// it.
func (s *sheet) with(head string) (named []int) {
	all := wordsOf(head, false)
	for _, h := range all {
		at := s.openAt(h.text)
		if at < 0 || len(named) > 0 && at != named[len(named)-1]+1 {
			return nil
		}
		named = append(named, at)
	}
	if len(named) == 0 {
		return nil
	}
	before := ""
	for _, term := range lang.Terms(s.code, s.Text[:s.words[named[0]].at]) {
		if term.Means != lang.Filler {
			before = term.Means
		}
	}
	if before != "says" {
		return nil
	}
	return named
}

const shortCell = 3 // characters of a cell that is only named with its head

// filterBeside keeps the rows whose short cell the question has right behind the head of its
// column: "flat 9", "staircase B". Alone such a cell would be named by chance.
func (s *sheet) filterBeside(at int) {
	if s.unspaced || len(s.only[at]) > 0 {
		return
	}
	heads := wordsOf(s.heads[at], false)
	if len(heads) != 1 || utf8.RuneCountInString(heads[0].text) < keptOfWord {
		return
	}
	alike, all := s.alike(heads[0].text), wordsOf(s.Text, false)
	for i := 0; i+1 < len(all); i++ {
		name := all[i+1].text
		if utf8.RuneCountInString(name) > shortCell || !alike(all[i].text) {
			continue
		}
		cells := slices.DeleteFunc(s.cells(at), func(c string) bool { return !strings.EqualFold(c, name) })
		if len(cells) == 0 {
			continue
		}
		s.close([][2]int{{all[i].at, all[i+1].at + len(name)}})
		s.only[at] = cells
		s.keep(func(row evidence.Row) bool { return slices.Contains(cells, s.cellAt(row, at)) })
		return
	}
}

// closeRestated accounts for what the question says again, more clearly, behind "that is": who
// asks says himself what he means. What is asked for stands before it.
func (s *sheet) closeRestated() {
	if s.unspaced || len(s.words) == 0 {
		return
	}
	low := strings.ToLower(s.Text)
	if len(low) != len(s.Text) {
		return
	}
	for _, form := range s.code.Forms(lang.Namely) {
		if at := strings.Index(low, ", "+form+" "); at > s.words[0].at {
			s.close([][2]int{{s.words[0].at + len(s.words[0].text), at + len(", "+form)}})
			return
		}
	}
}

// closeNumber accounts for the number of the rows that are left, where the question has it
// before what they are, or says that so often was something: "the three staircases", "twice".
func (s *sheet) closeNumber() {
	for i := 0; i+1 < len(s.words); i++ {
		n, ok := lang.Number(s.code, strings.ToLower(s.words[i].text))
		if !ok || s.unspaced || len(s.rows) < 2 || int(n) != len(s.rows) {
			continue
		}
		next := s.words[i+1].text
		often := s.code.Has(lang.Times, strings.ToLower(next))
		if often || slices.ContainsFunc(wordsOf(s.heads[0], false), func(h word) bool { return s.alike(h.text)(next) }) {
			s.words[i].open, s.numbered = false, true
			s.words[i+1].open = s.words[i+1].open && !often
		}
	}
}

const longEnd = 3 // characters at the end of a cell that name it in part

// filterByEnd keeps the rows whose cell in one of some columns ends as the question has it, in a
// language that parts no words: 新工位 of 206室新工位.
func (s *sheet) filterByEnd(columns []int) {
	for _, at := range columns {
		if len(s.only[at]) > 0 {
			continue
		}
		for _, cell := range s.cells(at) {
			runes := []rune(cell)
			end := string(runes[max(0, len(runes)-longEnd):])
			place := strings.Index(s.Text, end)
			if len(runes) <= longEnd || place < 0 || 3*longEnd < len(runes) {
				continue
			}
			has := func(row evidence.Row) bool { return strings.HasSuffix(s.cellAt(row, at), end) }
			s.close([][2]int{{place, place + len(end)}})
			s.keep(has)
			s.only[at], s.partly = s.cells(at), true
			return
		}
	}
}
