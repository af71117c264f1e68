package cells

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

const (
	unaccounted = 2 // words of the question that may be left where it is not sure
	firmFits    = 3 // words of it that are accounted for, less the others, where rows are plainly those that are meant
	showsMost   = 6 // figures of a long sum that are written out
)

var extremes = map[lang.Calculation]string{lang.Most: "answer-most", lang.Least: "answer-least"}

// workedOut counts the rows that the question names, or works out what it asks of their
// figures.
func (s *sheet) workedOut() (t Tally, ok bool) {
	if len(s.rows) == 0 {
		return t, false
	}
	if s.twofold {
		return s.countedAndAdded()
	}
	if s.what == lang.Difference && len(s.rows) == 1 {
		return s.between(t)
	}
	if s.what == lang.Most || s.what == lang.Least {
		if grouped, ok := s.byGroup(); ok {
			return grouped, true
		}
	}
	c := s.chosen()
	if s.than.How != "" && c.found {
		s.compared(c.at)
	}
	if len(s.rows) == 0 || s.than.How != "" && !c.found {
		return t, false
	}
	counted := c.many || c.named && s.firstIs(s.heads[c.at]) || c.found && !s.asksMoney() && (s.ofPeriods() || s.what == lang.Sum && c.at == s.countColumn()) // rows of months are not what is counted
	bare := c.found && s.ofPeriods() && lang.IsTotal(s.heads[c.at])                                                                                           // all there is of a time
	s.accountFor(c)
	t, conditions, ok := s.judged(c, bare)
	switch {
	case !ok:
		return t, false
	case c.words && c.at == 0 && lang.AsksForIn(s.code, s.Text) == lang.Person && !lang.NamesParty(s.heads[0]):
		return t, false // a thing is no answer to who
	case c.words:
		t.Text, t.Rows = s.cellAt(s.rows[0], c.at)+": "+s.saying(c.at), s.rows
		return t, conditions > 0
	}
	asks := lang.KindAsked(s.code, s.Text)
	spent := c.found && (s.asksMoney() && (s.what == lang.Sum || lang.OfMoneyIn(s.code, "price", s.words[0].text)) ||
		s.isMoney(c.at) && !s.unspaced && (s.owes || s.counts && s.amount))
	amount := c.found && s.amount && !s.isMoney(c.at) && len(s.only) > 0 // how much of something that is no money
	switch {
	case s.than.How != "" && ((s.lists || asks == lang.Choice) && s.what == lang.Sum || (s.counts || s.lists || asks == lang.Choice) && s.what == lang.NoSum), s.counts && (s.what == lang.NoSum || s.what == lang.Sum) && !counted && !spent && !amount:
		return s.counted(t)
	case s.what == lang.NoSum && asks == lang.Time && !t.periods:
		return s.when(t, conditions)
	}
	added := s.what == lang.Sum || s.what == lang.NoSum && (counted || spent || s.asksAmount()) // what was spent in May is the sum of it
	return s.figured(t, c.at, conditions, c.found, added)
}

// accountFor accounts for the heads of a column, of those that rows were chosen by and of what
// is counted, and for the place.
func (s *sheet) accountFor(c column) {
	if c.found {
		s.account(s.heads[c.at])
		money := s.isMoney(c.at) || c.named && inCurrency(s.rows[0].Section)
		for i, w := range s.words {
			s.words[i].open = w.open && !(money && w.cost)
		}
		if money && !s.isContrary(c.at) {
			s.close(lang.PlacesOf(s.code, lang.Spent, s.Text))
		}
	}
	if c.many {
		s.close(lang.PlacesOf(s.code, lang.Quantity, s.Text))
	}
	s.closeNumber()
	s.accountPlace()
	for at := range s.only {
		s.account(s.heads[at])
	}
	if s.dates >= 0 {
		s.account(s.heads[s.dates])
	}
	if s.counts || s.what == lang.Most || s.what == lang.Least {
		s.account(s.heads[s.naming(-1)]) // what is counted, or asked for
	}
}

// judged says how sure it is that the rows that are left are meant, by how many conditions they
// were chosen; ok is false where too little is accounted for.
func (s *sheet) judged(c column, bare bool) (t Tally, conditions int, ok bool) {
	conditions = len(s.only)
	if s.dates >= 0 || len(s.among) > 0 {
		conditions++
	}
	if t.periods = s.ofPeriods(); t.periods && c.named {
		conditions++ // a column and a month make a cell
	}
	left := s.left()
	whole := left == 0 && s.what != lang.NoSum && s.dates >= 0 && slices.Contains(s.placed, true) // all invoices of March
	t.Sure, t.Fits = left == 0 && (c.named || bare || whole || len(s.only) > 0 || len(s.settled) > 0) && !s.partly, len(s.words)-2*left
	t.Sure = t.Sure && !s.isOfNow() && !(s.vague && c.found && s.isMoney(c.at) && !s.saysMoney())
	t.Sure = t.Sure && !(c.found && (s.isContrary(c.at) || s.isHalf(c.at)))
	if conditions >= 2 && t.Fits >= firmFits {
		t.firm = append([]string{}, slices.Concat(slices.Collect(maps.Values(s.only))...)...)
	}
	if along.Named(s.Text, s.rows[0].Heading) { // of several sheets the one that is named
		t.Fits++
	}
	events := s.counts && s.what == lang.NoSum && s.dates >= 0 && !t.periods && left <= 1 // what happened on days: by what name, no cell tells
	of := len(s.only)+len(s.settled) > 0 || events && t.Fits >= firmFits || whole || (c.named || bare) && (s.dates >= 0 || s.timely || s.numbered)
	enough := left <= unaccounted && t.Fits > 0 && !(s.isOfEach() && !(t.periods && s.than.How != "")) && (conditions > 0 || len(s.settled) > 0 || c.named && s.what != lang.NoSum)
	return t, conditions, enough && (t.Sure || of && (c.named || !s.isLooked()))
}

// ofPeriods reports whether rows are named by the time that is asked for and are no single
// days: months, years.
func (s *sheet) ofPeriods() bool {
	return s.dates >= 0 && s.dates == s.naming(-1) && !slices.ContainsFunc(s.rows, func(row evidence.Row) bool {
		p, _ := times.In(s.cellAt(row, s.dates), times.AnyMonth)
		return p.Days != 0
	})
}

// figured works out what the question asks of the figures of a column.
func (s *sheet) figured(t Tally, at, conditions int, found, added bool) (Tally, bool) {
	all, ok := s.taken(at)
	if !found || !ok || s.what == lang.NoSum && lang.AsksForIn(s.code, s.Text) == lang.Person { // no figure says who
		return t, false
	}
	t.Sure = t.Sure && !((added || s.what == lang.Average || s.amount) && s.isMixed())
	switch {
	case len(all) == 1 && (t.Sure || conditions > 1) && (s.what == lang.NoSum || s.what == lang.Sum):
		t.Sure = t.Sure && (s.what == lang.NoSum || s.ofPeriods() && lang.IsTotal(s.heads[at])) // a sum has more than one
		t.Text = all[0].text + ": " + s.saying(at)
	case len(all) < 2:
		return t, false
	case added, s.what == lang.Average:
		t.Sure = t.Sure && (s.what != lang.NoSum || s.firstIs(s.heads[at]) || s.dates >= 0) && !s.isOfPiece(at) && !(s.counts && s.what == lang.NoSum && at == s.countColumn())
		if some := slices.DeleteFunc(slices.Clone(all), func(f figureAt) bool { return f.value == 0 }); s.what != lang.Average && len(all) > mostTallied && len(some) > 0 {
			all = some // nothing adds nothing
		}
		t.Text = s.total(all, at)
	case s.what == lang.Difference && len(all) == 2:
		slices.SortStableFunc(all, func(a, b figureAt) int { return cmp.Compare(b.value, a.value) })
		t.Text = s.write(all[0].value-all[1].value, max(all[0].digits, all[1].digits), at) + " = " + s.shown(all[0]) + " − " + s.shown(all[1]) + ": " + s.saying(at)
	case s.what == lang.Most || s.what == lang.Least:
		best, single := extremeOf(all, s.what)
		if !single {
			return t, false
		}
		t.Text = s.shown(best) + ": " + s.code.Say(extremes[s.what], len(all)) + ", " + s.saying(at)
		all = []figureAt{best}
	default:
		return t, false
	}
	for _, f := range all[:min(len(all), mostTallied)] {
		t.Rows = append(t.Rows, f.row)
	}
	return t, true
}

func (s *sheet) write(value float64, digits int, at int) string {
	if digits > 0 && (inCurrency(s.heads[at]) || s.isMoney(at) || lang.SaysIn(lang.Worth, s.heads[at])) {
		digits = max(digits, numbers.Cents)
	}
	return numbers.Written(s.code, value, digits)
}

// taken are the figures of the rows in a column; ok is false where many of its cells are none.
func (s *sheet) taken(at int) (all []figureAt, ok bool) {
	cells := 0
	for _, row := range s.rows {
		cell := s.cellAt(row, at)
		if strings.Trim(cell, "-–— ") != "" {
			cells++
		}
		if f, is := s.figureOf(cell); is {
			f.row = row
			all = append(all, f)
		}
	}
	return all, len(all) > 0 && 5*len(all) >= 4*cells
}

// counted is the number of the rows that are left, with what names each.
func (s *sheet) counted(t Tally) (Tally, bool) {
	names := make([]string, 0, mostTallied)
	naming := s.naming(-1)
	if len(s.rows) == 1 && s.isOneOfItsName() {
		return t, false // it is nothing to count
	}
	for _, row := range s.rows {
		if name := s.cellAt(row, naming); name != "" && len(names) < mostTallied {
			names = append(names, name)
		}
	}
	if len(s.rows) > mostTallied {
		names = append(names, "…")
	}
	t.Text = strconv.Itoa(len(s.rows)) + " – " + s.heads[naming] + ": " + along.List(names)
	if said := s.saying(naming); said != s.heads[naming] {
		t.Text += " (" + strings.TrimPrefix(said, s.heads[naming]+", ") + ")"
	}
	t.Rows = s.rows[:min(len(s.rows), mostTallied)]
	return t, true
}

// isOneOfItsName reports whether rows were chosen by a column alone whose cells nearly all differ.
func (s *sheet) isOneOfItsName() bool {
	if len(s.only) != 1 {
		return false
	}
	for at := range s.only {
		n, differ := 0, map[string]bool{}
		for _, row := range s.whole {
			if cell := s.cellAt(row, at); cell != "" {
				n++
				differ[cell] = true
			}
		}
		return !s.isFigures(at) && (at == s.naming(-1) || 10*len(differ) >= 9*n)
	}
	return false
}

// naming is the column whose cells tell the rows apart best: the label's, or the first that
// differs in most rows; of several the one whose head the question has.
func (s *sheet) naming(but int) int {
	differ := func(at int) int { return len(s.cells(at)) }
	has := func(at int) bool { return s.unspaced && strings.Contains(s.Text, s.heads[at]) }
	numbers := func(at int) bool { return slices.Contains(s.ids, at) && !(has(at) && s.isLettered(at)) }
	best := 0
	for at := range s.heads {
		if at == but || numbers(at) || s.isFigures(at) {
			continue
		}
		if differ(at) > differ(best) || numbers(best) || differ(at) == differ(best) && has(at) && !has(best) {
			best = at
		}
	}
	return best
}

// isLettered reports whether the cells of a column are more than numbers: 9班.
func (s *sheet) isLettered(at int) bool {
	return !slices.ContainsFunc(s.cells(at), func(c string) bool { return !strings.ContainsFunc(c, unicode.IsLetter) })
}

// shown is a figure with what names its row.
func (s *sheet) shown(f figureAt) string {
	if name := s.cellAt(f.row, s.naming(-1)); name != "" && name != f.text {
		return f.text + " (" + name + ")"
	}
	return f.text
}

// total adds figures up, or says what they are on average.
func (s *sheet) total(all []figureAt, at int) string {
	value, digits, terms := 0.0, 0, []string{}
	for _, f := range all {
		value, digits = value+f.value, max(digits, f.digits)
		terms = append(terms, s.shown(f))
	}
	if len(terms) > mostTallied {
		terms = append(terms[:showsMost:showsMost], "… ("+strconv.Itoa(len(all))+")")
	}
	added := strings.Join(terms, " + ")
	if s.what == lang.Average {
		return s.write(value/float64(len(all)), digits+2, at) + " = (" + added + ") ÷ " + strconv.Itoa(len(all)) + ": " + s.saying(at)
	}
	return s.write(value, digits, at) + " = " + added + ": " + s.saying(at)
}

// extremeOf is the largest or smallest figure; single is false where several are it.
func extremeOf(all []figureAt, what lang.Calculation) (best figureAt, single bool) {
	sign := 1.0
	if what == lang.Least {
		sign = -1
	}
	best = slices.MaxFunc(all, func(a, b figureAt) int { return cmp.Compare(sign*a.value, sign*b.value) })
	n := 0
	for _, f := range all {
		if f.value == best.value {
			n++
		}
	}
	return best, n == 1
}

// asksAmount reports whether a question asks how much.
func (s *sheet) asksAmount() bool {
	_, _, ofSort := s.ofSort()
	return s.amount || s.asksMoney() || ofSort
}

// byGroup is what has most or least of something over several rows each: the customer, where
// a head says that the cells of a column are customers. Without a column of figures that is
// named, rows are counted.
func (s *sheet) byGroup() (t Tally, ok bool) {
	of := -1
	for at, head := range s.heads {
		if s.isFigures(at) || at == s.dates || s.hits(head) == 0 || len(s.cells(at)) == len(s.rows) {
			continue
		}
		if of >= 0 {
			return t, false
		}
		of = at
	}
	if of < 0 {
		return t, false
	}
	s.account(s.heads[of])
	at, _, found := s.target()
	if found {
		s.account(s.heads[at])
	}
	s.accountPlace()
	sums, first := map[string]float64{}, map[string]evidence.Row{}
	digits := 0
	for _, row := range s.rows {
		name, f := s.cellAt(row, of), figureAt{value: 1}
		if found {
			if f, ok = s.figureOf(s.cellAt(row, at)); !ok {
				continue
			}
		}
		if _, known := first[name]; !known {
			first[name] = row
		}
		sums[name], digits = sums[name]+f.value, max(digits, f.digits)
	}
	var all []figureAt
	for _, name := range s.cells(of) {
		if row, known := first[name]; known {
			all = append(all, figureAt{text: name, value: sums[name], row: row})
		}
	}
	if len(all) < 2 || s.left() > unaccounted {
		return t, false
	}
	best, single := extremeOf(all, s.what)
	if !single {
		return t, false
	}
	t.Sure, t.Fits = s.left() == 0, len(s.words)-2*s.left()
	t.Text = numbers.Written(s.code, best.value, digits) + " (" + best.text + "): " + s.code.Say(extremes[s.what], len(all))
	if found {
		t.Text += ", " + s.saying(at)
	}
	for _, row := range s.rows {
		if s.cellAt(row, of) == best.text && len(t.Rows) < mostTallied {
			t.Rows = append(t.Rows, row)
		}
	}
	return t, t.Fits > 0
}

// firstIs reports whether the first matter of a question is what a head says: it is what is
// counted.
func (s *sheet) firstIs(head string) bool {
	if !s.counts || len(s.words) == 0 {
		return false
	}
	if s.unspaced {
		return s.hits(head) > 0
	}
	return slices.ContainsFunc(wordsOf(head, false), func(w word) bool { return s.alike(w.text)(s.words[0].text) })
}

// when is the date of the one row that is left, where it has only one.
func (s *sheet) when(t Tally, conditions int) (Tally, bool) {
	if len(s.rows) != 1 || !t.Sure && conditions < 2 {
		return t, false
	}
	at := -1
	for i := range s.heads {
		cell := s.cellAt(s.rows[0], i)
		p, _ := times.In(cell, times.AnyMonth)
		if p.Months == 0 || utf8.RuneCountInString(cell) > longestDate {
			continue
		}
		if at >= 0 {
			return t, false
		}
		at = i
	}
	if at < 0 {
		return t, false
	}
	t.Text, t.Rows = s.cellAt(s.rows[0], at)+": "+s.saying(at), s.rows
	return t, true
}

// between is the difference of the two cells of the one row whose heads the question names.
func (s *sheet) between(t Tally) (Tally, bool) {
	var all []figureAt
	var names []string
	for i, head := range s.heads {
		f, ok := s.figureOf(s.cellAt(s.rows[0], i))
		if i == 0 || !ok || s.hits(head) == 0 {
			continue
		}
		all, names = append(all, f), append(names, head)
		s.account(head)
	}
	s.accountPlace()
	if len(all) != 2 || len(s.only) == 0 || s.left() > unaccounted {
		return t, false
	}
	if all[0].value < all[1].value {
		slices.Reverse(all)
		slices.Reverse(names)
	}
	t.Sure, t.Fits = s.left() == 0, len(s.words)-2*s.left()
	t.Text = numbers.Written(s.code, all[0].value-all[1].value, max(all[0].digits, all[1].digits)) + " = " + all[0].text + " (" + names[0] + ") − " + all[1].text + " (" + names[1] + "): " + s.cellAt(s.rows[0], 0)
	t.Rows = s.rows
	return t, true
}
