package cells

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// asksShare reports whether a question asks what part one figure is of another: not how it
// changed, and not what it is in a currency.
func asksShare(code lang.Code, text string) bool {
	said := lang.CalculationsIn(code, text)
	return len(said[lang.Share]) > 0 && !(len(said[lang.Change]) > 0 && len(said[lang.Percent]) > 0) && !lang.OfMoneyIn(code, "currency", text)
}

const shareDigits = 1 // behind the point of a percentage

// added is what a column comes to over rows, and the rows that say so.
type added struct {
	value  float64
	digits int
	rows   []evidence.Row
}

// addedUp adds a column up over rows. Where they are all that a row of totals adds up, and it
// says the same, that row says it.
func (s *sheet) addedUp(rows []evidence.Row, at int) (a added, ok bool) {
	for _, row := range rows {
		if f, is := s.figureOf(s.cellAt(row, at)); is {
			a.value, a.digits = a.value+f.value, max(a.digits, f.digits)
			a.rows = append(a.rows, row)
		}
	}
	for _, total := range s.totals {
		if f, is := s.figureOf(s.cellAt(total, at)); is && len(rows) == len(s.whole) && isSame(f.value, a.value) {
			a.rows = []evidence.Row{total}
		}
	}
	return a, len(a.rows) > 0
}

func isSame(a, b float64) bool { return a-b < 0.005 && b-a < 0.005 }

// portion is what part of the whole the question asks for: one column of another, or of the
// rows of the table those that have what is named.
func (s *sheet) portion(all []evidence.Row) (t Tally, ok bool) {
	var part, whole added
	var names [2]string
	isPart := true
	switch p, w, columns := s.partAndWhole(); {
	case len(s.rows) == 0:
		return t, false
	case columns && len(s.only) == 0 && !(s.dates >= 0 && len(s.rows) < len(all) && s.isFirst(p)):
		isPart = s.isPartOf(p, w)
		part, _ = s.addedUp(s.rows, p)
		whole, ok = s.addedUp(s.rows, w)
		names = [2]string{s.heads[p], s.heads[w]}
		s.account(s.heads[p])
		s.account(s.heads[w])
	case len(s.only) > 0 || s.dates >= 0 && len(s.rows) < len(all):
		part, whole, names, ok = s.partOfRows(all)
	}
	if !ok || whole.value <= 0 || part.value < 0 || part.value > whole.value {
		return t, false
	}
	s.accountPlace()
	for at := range s.only {
		s.account(s.heads[at])
	}
	for i, w := range s.words {
		low := strings.ToLower(w.text)
		s.words[i].open = w.open && !s.code.Has(lang.Origin, low) && !lang.NamesAmount(low)
	}
	chosen := s.rows
	s.rows = all
	mixed := !s.counts && s.isMixed()
	s.rows = chosen
	left := s.left()
	t.Sure, t.Fits, t.periods = left == 0 && !s.partly && !mixed && isPart, len(s.words)-2*left, s.ofPeriods()
	if left > unaccounted || t.Fits <= 0 {
		return t, false
	}
	said := func(a added, name string) string {
		return strings.TrimSuffix(numbers.Written(s.code, a.value, a.digits)+" ("+name+")", " ()")
	}
	t.Text = numbers.Written(s.code, 100*part.value/whole.value, shareDigits) + " % = " + said(part, names[0]) + " ÷ " + said(whole, names[1])
	if len(s.only) == 0 && s.dates >= 0 {
		t.Text = strings.TrimSuffix(t.Text+": "+strings.Join(s.yearsSaid(), ", "), ": ")
	}
	for _, row := range slices.Concat(part.rows, whole.rows) {
		known := slices.ContainsFunc(t.Rows, func(o evidence.Row) bool { return isRow(o, row) })
		if !known && len(t.Rows) < mostTallied {
			t.Rows = append(t.Rows, row)
		}
	}
	return t, true
}

// partAndWhole are the columns of a part and of the whole: the two that the question names, of
// which the larger is the whole, or the one that it names and the only one of totals.
func (s *sheet) partAndWhole() (part, whole int, ok bool) {
	var named, totals []int
	most := 0
	for at, head := range s.heads {
		if at == 0 || !s.isFigures(at) || s.isRatio(at) {
			continue
		}
		if lang.IsTotal(head) {
			totals = append(totals, at)
			continue
		}
		switch n := s.hits(head); {
		case s.isNamed(head):
			named = append(named, at)
		case n > 0 && n >= most && len(named) == 0:
			most, part = n, at
		}
	}
	total := func(at int) float64 { a, _ := s.addedUp(s.rows, at); return a.value }
	switch {
	case len(named) == 2:
		if total(named[0]) > total(named[1]) {
			slices.Reverse(named)
		}
		return named[0], named[1], true
	case len(named) == 1 && len(totals) == 1:
		return named[0], totals[0], true
	case len(named) == 0 && most > 0 && len(totals) == 1 && s.isBest(part, most):
		return part, totals[0], true
	}
	return 0, 0, false
}

// isFirst reports whether the first matter of the question is what the head of a column says: it
// is the whole, of which the rows of a time are a part.
func (s *sheet) isFirst(at int) bool {
	first := slices.IndexFunc(s.words, func(w word) bool { return w.open && !w.asks })
	return first >= 0 && slices.ContainsFunc(wordsOf(s.heads[at], false), func(h word) bool { return s.alike(h.text)(s.words[first].text) })
}

const mostParts = 10 // columns of figures of which some may add up to another

// isPartOf reports whether one column and some others give another in every row.
func (s *sheet) isPartOf(part, whole int) bool {
	var others []int
	for at := range s.heads {
		if at > 0 && at != part && at != whole && s.isFigures(at) {
			others = append(others, at)
		}
	}
	if len(others) > mostParts {
		return false
	}
	for some := 1; some < 1<<len(others); some++ {
		columns := []int{part}
		for i, at := range others {
			if some&(1<<i) != 0 {
				columns = append(columns, at)
			}
		}
		if s.addsUp(whole, columns) {
			return true
		}
	}
	return false
}

// isBest reports whether no other column without totals has as much of the question as one.
func (s *sheet) isBest(of, most int) bool {
	for at, head := range s.heads {
		if at > 0 && at != of && s.isFigures(at) && !lang.IsTotal(head) && s.hits(head) >= most {
			return false
		}
	}
	return true
}

// partOfRows is what the rows that have what the question names are of all: by the column that
// it names, else by their number.
func (s *sheet) partOfRows(all []evidence.Row) (part, whole added, names [2]string, ok bool) {
	if len(s.only[s.naming(-1)]) > 0 && len(s.totals) == 0 { // what is named may be of another sort than the rest
		return part, whole, names, false
	}
	c := s.chosen()
	if !c.found || c.words || !c.named && !lang.IsTotal(s.heads[c.at]) {
		if s.asksMoney() || s.ofPeriods() {
			return part, whole, names, false
		}
		s.account(s.heads[0])
		number := func(rows []evidence.Row) added { return added{value: float64(len(rows)), rows: rows} }
		return number(s.rows), number(all), [2]string{s.chosenBy()}, true
	}
	s.account(s.heads[c.at])
	part, ok = s.addedUp(s.rows, c.at)
	whole, _ = s.addedUp(all, c.at)
	return part, whole, [2]string{s.chosenBy(), s.heads[c.at]}, ok
}

// chosenBy is what the rows that are left were chosen by: cells, or what names them.
func (s *sheet) chosenBy() string {
	if by := s.conditions(); len(s.only) > 0 {
		return strings.Join(by, ", ")
	}
	var names []string
	for _, row := range s.rows {
		names = append(names, s.cellAt(row, s.naming(-1)))
	}
	return strings.Join(names, ", ")
}

// ofYear are the rows of the year that the question names, of all its months.
func (s *sheet) ofYear(all []evidence.Row, years []int) []evidence.Row {
	if s.dates < 0 || len(years) == 0 {
		return all
	}
	of := *s
	of.rows = all
	kept, ok := of.ofTime(s.dates, times.Period{Years: years}, s.place())
	if !ok {
		return all
	}
	return kept
}
