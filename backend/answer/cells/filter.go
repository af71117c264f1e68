package cells

import (
	"path"
	"slices"
	"strings"

	"footnote/backend/answer/cells/along"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// filter keeps the rows that have the cells which the question names, in columns of few
// words first: a remark may have any word by chance.
func (s *sheet) filter() {
	if len(s.rows) == 0 {
		return
	}
	columns := make([]int, 0, len(s.heads))
	for at := range s.heads {
		if at != s.dates && len(s.only[at]) == 0 && !s.isFigures(at) {
			columns = append(columns, at)
		}
	}
	wordy := func(at int) bool {
		n, cells := 0, s.cells(at)
		for _, c := range cells {
			n += len(wordsOf(c, s.unspaced))
		}
		most := 3
		if s.unspaced {
			most = 8
		}
		return n > most*len(cells)
	}
	for at := range s.heads {
		if len(s.only[at]) == 0 {
			s.filterBySign(at)
		}
	}
	s.markPlace()
	longest := map[int]int{}
	for _, at := range columns {
		longest[at] = s.longestNamed(at)
	}
	slices.SortStableFunc(columns, func(a, b int) int { return longest[b] - longest[a] })
	for _, free := range []bool{false, true} {
		for _, at := range columns {
			if wordy(at) == free {
				s.filterBy(at, free)
			}
		}
	}
	if s.unspaced && s.lists && !s.counts && len(s.rows) > 0 {
		s.filterByEnd(columns)
	}
	if naming := s.naming(-1); wordy(naming) && len(s.rows) > 0 && (s.counts || s.what != lang.NoSum) {
		s.filterContaining(naming)
	}
}

// longestNamed is how many words the longest cell of a column has that stands in the question, where
// it is a name of several: "Guardwell Fire" is meant, and not all that is of fire.
func (s *sheet) longestNamed(at int) (most int) {
	low := " " + along.Words(s.Text) + " "
	for _, c := range s.cells(at) {
		c = along.Words(c)
		if n := strings.Count(c, " ") + 1; n > max(most, 1) && strings.Contains(low, " "+c+" ") {
			most = n
		}
	}
	return most
}

// filterContaining keeps the rows whose wordy cell in a column has all the open words of the
// question that some of its cells have: all that is said of buses.
func (s *sheet) filterContaining(at int) {
	if s.unspaced || len(s.only[at]) > 0 {
		return
	}
	has := func(cell string, w int) bool {
		return slices.ContainsFunc(wordsOf(cell, false), func(c word) bool { return s.alike(c.text)(s.words[w].text) })
	}
	cells, words := s.cells(at), []int{}
	for i, w := range s.words {
		n := 0
		for _, c := range cells {
			if w.open && !s.placed[i] && !s.inHeads(i) && len([]rune(w.text)) > keptOfWord && has(c, i) {
				n++
			}
		}
		if n > 0 && n < len(cells) {
			words = append(words, i)
		}
	}
	taken := slices.DeleteFunc(cells, func(c string) bool { return slices.ContainsFunc(words, func(w int) bool { return !has(c, w) }) })
	if len(words) == 0 || len(taken) == 0 {
		return
	}
	for _, w := range words {
		s.words[w].open = false
	}
	s.only[at], s.partly = taken, true
	s.keep(func(row evidence.Row) bool { return slices.Contains(taken, s.cellAt(row, at)) })
}

// filterBySign keeps the rows that have what the head of a column says, where its cells only
// say whether they do and the question names it.
func (s *sheet) filterBySign(at int) {
	yes, cells := []string{}, s.cells(at)
	for _, c := range cells {
		switch {
		case lang.IsYes(c):
			yes = append(yes, c)
		case !lang.IsNo(c) && strings.Trim(c, "-–— ") != "":
			return
		}
	}
	if at == 0 || len(yes) == 0 || s.hits(s.heads[at]) == 0 || len(yes) == len(cells) && len(s.column(at)) == len(s.rows) {
		return
	}
	s.account(s.heads[at])
	s.only[at] = yes
	s.keep(func(row evidence.Row) bool { return lang.IsYes(s.cellAt(row, at)) })
}

// filterBy keeps the rows whose cell in a column has what the question names of it: all of
// its words where a cell has them, else any.
func (s *sheet) filterBy(at int, whole bool) {
	cells := s.cells(at)
	hits := map[string][]int{} // words of the question by cell
	every := map[int]int{}     // in how many cells each is
	for _, c := range cells {
		found := slices.DeleteFunc(s.named(c, whole), func(w int) bool { return s.lists && s.sameStem(s.heads[at], s.words[w].text) }) // which device, of a column of devices
		if hits[c] = found; len(cells) > 1 {
			for _, w := range found {
				every[w]++
			}
		}
	}
	var taken []string
	most := 0
	for _, c := range cells {
		if !s.isWhole(c, hits[c]) && !slices.ContainsFunc(hits[c], func(w int) bool { return !s.placed[w] && !s.denying(w) }) {
			hits[c] = nil // what is named is the table: "how many servers" of an inventory of servers
		}
		hits[c] = slices.DeleteFunc(hits[c], func(w int) bool { return every[w] == len(cells) && len(cells) > 1 }) // it tells none apart
		most = max(most, len(hits[c]))
	}
	if most == 0 {
		return
	}
	if !s.ofOneName(cells, hits, most) {
		return
	}
	seen := map[int]bool{}
	for n := most; n > 0; n-- { // a cell with fewer words counts for those that none with more has, whole
		var these []string
		for _, c := range cells {
			if len(hits[c]) == n && (n == most || s.isWhole(c, hits[c])) && slices.ContainsFunc(hits[c], func(w int) bool { return !seen[w] }) {
				these = append(these, c)
			}
		}
		for _, c := range these {
			s.partly = s.partly || s.isPhrase(c) && !s.isWhole(c, hits[c])
			for _, w := range hits[c] {
				seen[w] = true
			}
		}
		taken = append(taken, these...)
	}
	s.only[at] = taken
	for w := range seen {
		s.words[w].open = false
	}
	for w := range every { // what all cells have is part of the name of those
		if every[w] == len(cells) {
			s.words[w].open = false
		}
	}
	s.keep(func(row evidence.Row) bool { return slices.Contains(taken, s.cellAt(row, at)) })
}

// isPhrase reports whether a cell says something rather than names it: it has words that only
// join others.
func (s *sheet) isPhrase(cell string) bool {
	return !s.unspaced && slices.ContainsFunc(wordsOf(cell, false), s.joins)
}

// markPlace marks the words of the question that stand in the name of the file or the
// headings of the table.
func (s *sheet) markPlace() {
	s.placed = make([]bool, len(s.words))
	if s.unspaced || len(s.rows) == 0 {
		return
	}
	for _, name := range wordsOf(strings.Join([]string{strings.TrimSuffix(s.name(), path.Ext(s.name())), s.rows[0].Heading, s.rows[0].Section}, " "), false) {
		alike := s.alike(name.text)
		for i, w := range s.words {
			s.placed[i] = s.placed[i] || alike(w.text)
		}
	}
}

// inHeads reports whether a head has a word of the question.
func (s *sheet) inHeads(at int) bool {
	return slices.ContainsFunc(s.heads, func(head string) bool {
		return slices.ContainsFunc(wordsOf(head, false), func(h word) bool { return s.alike(h.text)(s.words[at].text) })
	})
}

// denying reports whether a word of the question says no.
func (s *sheet) denying(at int) bool { return lang.Denies(s.code, s.words[at].text) }

// ofOneName reports whether the cells that have most of the question have it all, or the same
// words of it: "assets" of one and "shares" of another name neither.
func (s *sheet) ofOneName(cells []string, hits map[string][]int, most int) bool {
	var partly []int
	for _, c := range cells {
		if len(hits[c]) != most || s.isWhole(c, hits[c]) {
			continue
		}
		found := slices.Sorted(slices.Values(hits[c]))
		if partly != nil && !slices.Equal(partly, found) {
			return false
		}
		partly = found
	}
	return true
}
