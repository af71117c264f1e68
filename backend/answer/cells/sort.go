package cells

import (
	"slices"
	"strings"

	"footnote/backend/lang"
)

// sorts are what figures of money are of, as questions and heads say it in other words: "what
// did we spend" of a column "Expenses".
var sorts = []lang.Class{lang.Worth, lang.Spent, lang.Earned}

// ofSort is the one column whose head says what the question does of money: what went out, what
// came in, what things are worth. Of prices of one piece and of all of them it is the latter.
func (s *sheet) ofSort() (at int, class lang.Class, ok bool) {
	for _, class := range sorts {
		if len(lang.PlacesOf(s.code, class, s.Text)) == 0 {
			continue
		}
		var found []int
		for at, head := range s.heads {
			if at > 0 && s.isFigures(at) && !s.isRatio(at) && lang.SaysIn(class, head) && !s.isOfPiece(at) {
				found = append(found, at)
			}
		}
		if len(found) > 1 {
			found = slices.DeleteFunc(found, func(at int) bool { return !lang.IsTotal(s.heads[at]) })
		}
		if len(found) == 1 {
			return found[0], class, true
		}
	}
	return 0, "", false
}

// ofCounted is the one column that counts what the question does, in another word: how many people
// came, of a column of guests.
func (s *sheet) ofCounted() (at int, ok bool) {
	for _, class := range []lang.Class{lang.People, lang.Nights} {
		said := lang.PlacesOf(s.code, class, s.Text)
		if s.share || !s.counts && !s.amount || len(said) == 0 {
			continue
		}
		at = slices.IndexFunc(s.heads, func(head string) bool { return s.isCountOf(class, head) })
		if at < 0 || slices.ContainsFunc(s.heads[at+1:], func(head string) bool { return s.isCountOf(class, head) }) {
			continue
		}
		s.close(said)
		return at, true
	}
	return 0, false
}

func (s *sheet) isCountOf(class lang.Class, head string) bool {
	at := slices.Index(s.heads, head)
	return at > 0 && lang.SaysIn(class, head) && s.isFigures(at) && !s.isMoney(at) && !s.isOfPiece(at)
}

// isOfPiece reports whether the figures of a column are of one piece or one person each.
func (s *sheet) isOfPiece(at int) bool { return lang.SaysIn(lang.Piece, s.heads[at]) }

// ofEachPiece is the only column of figures of one piece, where the question asks for that.
func (s *sheet) ofEachPiece() (at int, ok bool) {
	said := lang.PlacesOf(s.code, lang.Piece, s.Text)
	if len(said) == 0 || len(s.rows) != 1 {
		return 0, false
	}
	at = slices.IndexFunc(s.heads, func(head string) bool { return lang.SaysIn(lang.Piece, head) })
	if at < 0 || !s.isFigures(at) || slices.ContainsFunc(s.heads[at+1:], func(head string) bool { return lang.SaysIn(lang.Piece, head) }) {
		return 0, false
	}
	s.close(said)
	return at, true
}

// isContrary reports whether the question asks what went out, and the sheet or the column tells
// what came in, or the other way round; or whether a bare total says neither.
func (s *sheet) isContrary(at int) bool {
	title, _, _ := strings.Cut(s.rows[0].Section, ", ")
	above := strings.Join([]string{s.heads[at], s.rows[0].Heading, title}, " ")
	says := func(class lang.Class, text string) bool { return len(lang.PlacesOf(s.code, class, text)) > 0 }
	in, out := says(lang.Earned, above), says(lang.Spent, above)
	came, went := says(lang.Earned, s.Text) || lang.BringsIn(s.code, s.Text), says(lang.Spent, s.Text)
	bare := lang.IsTotal(s.heads[at]) && s.ofPeriods() // a total of what, only the sheet tells
	return (in || bare) && !out && went && !came || (out || bare) && !in && came && !went
}

// isHalf reports whether the head of a column is of two things and the question names one of
// them: "Shop and fuel".
func (s *sheet) isHalf(at int) bool {
	all := wordsOf(s.heads[at], s.unspaced)
	joined := slices.ContainsFunc(all, func(w word) bool { return s.code.Has(lang.Joining, strings.ToLower(w.text)) })
	had := func(h word) bool {
		return slices.ContainsFunc(wordsOf(s.Text, false), func(w word) bool { return s.alike(h.text)(w.text) })
	}
	return joined && !s.unspaced && slices.ContainsFunc(all, func(w word) bool { return !s.code.Has(lang.Joining, strings.ToLower(w.text)) && !had(w) })
}

// sumOf is the column of totals that has what several others give together in every row; -1 for
// none.
func (s *sheet) sumOf(columns []int) int {
	for at, head := range s.heads {
		if lang.IsTotal(head) && !slices.Contains(columns, at) && s.addsUp(at, columns) {
			return at
		}
	}
	return -1
}

func (s *sheet) addsUp(at int, columns []int) bool {
	for _, row := range s.rows {
		whole, ok := s.figureOf(s.cellAt(row, at))
		sum := 0.0
		for _, part := range columns {
			f, _ := s.figureOf(s.cellAt(row, part))
			sum += f.value
		}
		if !ok || !isSame(sum, whole.value) {
			return false
		}
	}
	return len(columns) > 1
}

// closeSort accounts for the words that say of money what a head says, and for what is worth it:
// the number of things that are in stock.
func (s *sheet) closeSort(class lang.Class) {
	s.close(lang.PlacesOf(s.code, class, s.Text))
	if class != lang.Worth {
		return
	}
	for _, head := range s.heads {
		if lang.SaysIn(lang.Quantity, head) {
			s.account(head)
		}
	}
}
