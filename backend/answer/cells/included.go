package cells

import (
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

const mostStates = 12 // different cells of a column that tells what has become of rows

// closeCounted takes what the question says of rows that are to be counted as well, or not:
// "cancelled ones included" chooses none, "without the cancelled ones" leaves those out. Only
// cells of a column of few are meant so: "VAT included" says what a price is.
func (s *sheet) closeCounted() {
	if s.unspaced {
		return
	}
	leaves := lang.PlacesOf(s.code, lang.Excluding, s.Text)
	for _, said := range leaves {
		s.closeBeside(said, true)
	}
	for _, said := range lang.PlacesOf(s.code, lang.Including, s.Text) {
		if !within(leaves, said[0]) { // "not counting"
			s.closeBeside(said, false)
		}
	}
}

// closeBeside accounts for the words beside those that include or leave out, where they are a
// cell: those behind them, else those before.
func (s *sheet) closeBeside(said [2]int, leaves bool) {
	for _, clause := range s.clausesBeside(said) {
		for at := range s.heads {
			if cells := s.cells(at); at == s.naming(-1) || len(cells) > mostStates || s.isFigures(at) {
				continue
			}
			cell, words := s.cellIn(at, clause)
			if cell == "" {
				continue
			}
			s.close([][2]int{said})
			for _, w := range words {
				s.words[w].open = false
			}
			s.settled = append(s.settled, at)
			if leaves {
				s.only[at] = []string{"≠ " + cell}
				s.keep(func(row evidence.Row) bool { return s.cellAt(row, at) != cell })
			}
			return
		}
	}
}

const besideCounted = 24 // bytes of the question between what includes or leaves out and what that is, with it

// clausesBeside are the stretches of the question right behind a place of it and, where nothing
// stands there, right before it, up to a comma.
func (s *sheet) clausesBeside(said [2]int) [][2]int {
	behind := s.Text[said[1]:min(len(s.Text), said[1]+besideCounted)]
	if at := strings.IndexAny(behind, ",;?!()"); at >= 0 {
		behind = behind[:at]
	}
	if strings.TrimSpace(behind) != "" {
		return [][2]int{{said[1], said[1] + len(behind)}}
	}
	start := max(0, said[0]-besideCounted)
	start += strings.LastIndexAny(s.Text[start:said[0]], ",;()") + 1
	return [][2]int{{start, said[0]}}
}

// cellIn is the cell of a column that a stretch of the question has whole, and which words are.
func (s *sheet) cellIn(at int, clause [2]int) (cell string, words []int) {
	for _, c := range s.cells(at) {
		found := s.named(c, true)
		outside := func(w int) bool { return s.words[w].at < clause[0] || s.words[w].at >= clause[1] }
		if len(found) > len(words) && !slices.ContainsFunc(found, outside) {
			cell, words = c, found
		}
	}
	return cell, words
}
