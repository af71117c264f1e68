package cells

import (
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/cells/along"
	"footnote/backend/lang"
)

const mostRows = 4 // rows that are quoted for a list

// listed names the different cells of the one column without figures whose head the question
// names, and how many rows have each.
func (s *sheet) listed() (t Tally, ok bool) {
	if !s.counts && !s.lists || !s.counts && !s.namesFile || s.what != lang.NoSum || len(s.rows) == 0 { // "What did they order?" wants no list of cells
		return t, false
	}
	column := -1
	for at, head := range s.heads {
		named := wordsOf(head, s.unspaced)
		if len(named) == 0 || slices.ContainsFunc(named, func(h word) bool { return s.openAt(h.text) < 0 }) {
			continue
		}
		if column >= 0 || s.isFigures(at) || at == s.dates || len(s.only[at]) > 0 {
			return t, false
		}
		column = at
	}
	if column < 0 {
		return t, false
	}
	s.account(s.heads[column])
	s.accountPlace()
	if s.left() > 0 {
		return t, false
	}
	t = s.tally(column)
	return t, len(t.Rows) > 0
}

// tally names the different cells of a column and how many rows have each.
func (s *sheet) tally(at int) Tally {
	t := Tally{Sure: true}
	times := map[string]int{}
	var cells []string
	for _, row := range s.rows {
		cell := s.cellAt(row, at)
		if cell == "" {
			continue
		}
		if times[cell]++; times[cell] == 1 {
			cells = append(cells, cell)
			t.Rows = append(t.Rows, row)
		}
	}
	named := make([]string, 0, mostTallied)
	for _, cell := range cells[:min(len(cells), mostTallied)] {
		if times[cell] > 1 {
			cell += " (" + strconv.Itoa(times[cell]) + ")"
		}
		named = append(named, cell)
	}
	if len(cells) > mostTallied {
		named = append(named, "…")
	}
	if len(cells) == 0 {
		return t
	}
	t.Rows = t.Rows[:min(len(t.Rows), mostRows)]
	t.Text = s.heads[at] + ": " + along.List(named)
	if s.counts {
		t.Text = strconv.Itoa(len(cells)) + " – " + t.Text
	}
	return t
}

// chosenList names who or what has the cells that the question names: the people of the rows
// where who is asked, the cells of the column that is named behind "which". It is only given
// where nothing of the question is left: that a row has one cell says nothing of what else was
// done.
func (s *sheet) chosenList() (t Tally, ok bool) {
	column := s.listColumn()
	if s.what != lang.NoSum || s.counts || s.amount || s.partly && !s.unspaced || s.than.How != "" || len(s.only) == 0 && !s.ofDay || len(s.rows) == 0 || column < 0 {
		return t, false
	}
	s.accountPlace()
	s.accountNouns()
	left := s.left()
	if left > 1 || left > 0 && (!s.ofDay || s.lists) {
		return t, false
	}
	t = s.tally(column)
	t.Sure = !s.partly && left == 0
	if said := s.saying(column); said != s.heads[column] {
		t.Text += " (" + strings.TrimPrefix(said, s.heads[column]+", ") + ")"
	}
	t.Fits = len(s.words)
	return t, len(t.Rows) > 0
}

// asksThings reports whether it is asked for things or items, and accounts for the word.
func (s *sheet) asksThings() bool {
	low, between := strings.ToLower(s.Text), " "
	if s.unspaced {
		between = ""
	}
	for _, asks := range s.code.AskForms() {
		for _, thing := range s.code.Forms(lang.Things) {
			if at := strings.Index(low, asks+between+thing+between); at >= 0 && len(low) == len(s.Text) {
				s.close([][2]int{{at, at + len(asks+between+thing)}})
				return true
			}
		}
	}
	return false
}

// teaches reports whether what asks to be told, in a language that parts no words, is no end of
// the question and so the verb of it: 誰がヨガを教えていますか.
func (s *sheet) teaches() bool {
	told := false
	for _, term := range lang.Terms(s.code, s.Text) {
		if told && s.unspaced && term.Means == "have" {
			return true
		}
		_, asks := s.code.AskForm(s.Text[term.Start:term.End])
		told = told || term.Means == "show" && !asks
	}
	return false
}

// accountNouns accounts for the heads of what rows were chosen by, said as they stand there: the
// course of swimming. Another form may be a verb, and who paid in cash is not whom it was paid to.
func (s *sheet) accountNouns() {
	for at := range s.only {
		for _, h := range wordsOf(s.heads[at], false) {
			for i, w := range s.words {
				s.words[i].open = w.open && !s.sameStem(h.text, w.text)
			}
		}
	}
}

// partyOfDay is the only column of people of the rows of a day that the question names; -1 for
// none.
func (s *sheet) partyOfDay() int {
	at := -1
	for i, head := range s.heads {
		if !lang.NamesParty(head) || s.isFigures(i) {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	if !s.ofDay {
		return -1
	}
	return at
}

// listColumn is the column of what is asked for; -1 for none. Who has done something is the
// person that a row is of, by its head: whom something was paid to did not pay.
func (s *sheet) listColumn() int {
	if lang.AsksForIn(s.code, s.Text) == lang.Person {
		if s.teaches() {
			return -1
		}
		if lang.NamesParty(s.heads[0]) {
			return 0
		}
		return s.partyOfDay()
	}
	if !s.lists {
		return -1
	}
	if s.asksThings() && len(s.only[0]) == 0 && !s.isFigures(0) && !lang.NamesParty(s.heads[0]) {
		return 0
	}
	return slices.IndexFunc(s.heads, func(head string) bool {
		at := slices.Index(s.heads, head)
		if head == "" || at == s.dates || s.isFigures(at) || len(s.only[at]) > 0 {
			return false
		}
		if s.unspaced {
			return slices.ContainsFunc(s.code.AskForms(), func(asks string) bool { return strings.Contains(s.Text, asks+head) })
		}
		return slices.ContainsFunc(wordsOf(head, false), func(w word) bool { return len(s.words) > 0 && s.alike(w.text)(s.words[0].text) })
	})
}
