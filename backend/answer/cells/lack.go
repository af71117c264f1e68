package cells

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// filterOwed keeps the rows that are still to be paid, where the question wants those: a cell
// says so, or there is none under the head that tells of payments.
func (s *sheet) filterOwed() {
	said := lang.Owes(s.code, s.Text)
	if len(said) == 0 || !s.counts && !s.lists && s.what == lang.NoSum && !s.asksAmount() && lang.AsksForIn(s.code, s.Text) != lang.Person {
		return
	}
	first := s.words[0]
	s.owes = lang.KindAsked(s.code, s.Text) == lang.Amount || slices.ContainsFunc(said, func(at [2]int) bool { return at[0] <= first.at && first.at < at[1] }) // how much we owe, and not how many are unpaid
	for at, head := range s.heads {
		if at > 0 && s.isFigures(at) && slices.ContainsFunc(wordsOf(head, false), func(w word) bool { return lang.IsOwed(w.text) }) {
			s.among = append(s.among, at)
			s.close(said)
			return
		}
		owed := func(row evidence.Row) bool { return lang.IsOwed(s.cellAt(row, at)) }
		lacks := lang.NamesPayment(head)
		if at == 0 || !lacks && !slices.ContainsFunc(s.rows, owed) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(s.rows), func(row evidence.Row) bool { return !owed(row) && !(lacks && s.lacks(row, at)) })
		if len(kept) == 0 || len(kept) == len(s.rows) {
			continue
		}
		s.rows, s.only[at] = kept, []string{cmp.Or(s.cellAt(kept[0], at), "–")}
		s.close(said)
		s.account(head)
		return
	}
}

// filterByLack keeps the rows that have nothing in a column, where others have something and
// the question denies what its head says: "unpaid", "not yet paid" of a head "Paid on".
func (s *sheet) filterByLack(at int) {
	n := 0
	for _, row := range s.rows {
		if s.lacks(row, at) {
			n++
		}
	}
	if at == 0 || n == 0 || n == len(s.rows) {
		return
	}
	denied := s.deniedOf(s.heads[at])
	if len(denied) == 0 {
		return
	}
	for _, w := range denied {
		s.words[w].open = false
	}
	s.only[at] = []string{"–"}
	s.keep(func(row evidence.Row) bool { return s.lacks(row, at) })
}

// lacks reports whether a row has nothing in a column, or a no.
func (s *sheet) lacks(row evidence.Row, at int) bool {
	cell := strings.Trim(s.cellAt(row, at), "-–— ")
	return cell == "" || lang.IsNo(cell)
}

const saidBefore = 3 // words between a no and what it denies, with it

// deniedOf are the open words of the question that deny a head: its opposite by its
// beginning, or a form of it with a no before it.
func (s *sheet) deniedOf(head string) []int {
	for i, w := range s.words {
		if !w.open {
			continue
		}
		if s.unspaced {
			if i+1 < len(s.words) && s.code.Has(lang.Negating, w.text) && strings.Contains(head, s.words[i+1].text) {
				return []int{i, i + 1}
			}
			continue
		}
		for _, of := range wordsOf(head, false) {
			if utf8.RuneCountInString(of.text) <= keptOfWord {
				continue
			}
			alike := s.alike(of.text)
			if s.opposite(w.text, alike) {
				return []int{i}
			}
			if denied := s.deniesBefore(i); len(denied) > 0 && alike(w.text) {
				return append(denied, i)
			}
		}
	}
	return nil
}

// deniesBefore are the open words that say no, shortly before one.
func (s *sheet) deniesBefore(at int) (words []int) {
	for i := max(0, at-saidBefore); i < at; i++ {
		if s.words[i].open && s.denying(i) {
			words = append(words, i)
		}
	}
	return words
}

// opposite reports whether a word is another one behind what makes it its opposite.
func (s *sheet) opposite(word string, alike func(string) bool) bool {
	low := strings.ToLower(word)
	return slices.ContainsFunc(s.code.Forms(lang.Negating), func(before string) bool {
		rest, ok := strings.CutPrefix(low, before)
		return ok && alike(strings.TrimPrefix(rest, "-"))
	})
}
