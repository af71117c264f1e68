package cells

import (
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/forms"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// figureOf reads a cell, each text once.
func (s *sheet) figureOf(cell string) (figureAt, bool) {
	f, known := s.read[cell]
	if !known {
		if value, digits, ok := s.figures.Read(cell); ok {
			f = &figureAt{text: cell, value: value, digits: digits}
		}
		s.read[cell] = f
	}
	if f == nil {
		return figureAt{text: cell}, false
	}
	return *f, true
}

// figureAt is a figure of a row.
type figureAt struct {
	text   string
	value  float64
	digits int
	row    evidence.Row
}

// isFigures reports whether a column has figures that can be added up: no dates, no years,
// no numbers that only tell rows apart.
func (s *sheet) isFigures(at int) bool {
	if at == s.dates || slices.Contains(s.ids, at) {
		return false
	}
	n, figures, years := 0, 0, 0
	for _, f := range s.column(at) {
		n++
		if f != nil {
			figures++
			if f.value >= 1900 && f.value < 2100 && f.digits == 0 {
				years++
			}
		}
	}
	return n > 0 && 5*figures >= 4*n && years < n
}

// column has the figures of the cells of a column that are not empty, nil for what is none.
func (s *sheet) column(at int) (all []*figureAt) {
	for _, row := range s.rows {
		cell := s.cellAt(row, at)
		if strings.Trim(cell, "-–— ") == "" {
			continue
		}
		if f, ok := s.figureOf(cell); ok {
			all = append(all, &f)
			continue
		}
		all = append(all, nil)
	}
	return all
}

// idColumns are the columns whose numbers only count rows.
func (s *sheet) idColumns() (ids []int) {
	for at, head := range s.heads {
		n, rising, last := 0, 0, 0.0
		for _, f := range s.column(at) {
			n++
			if f != nil && f.digits == 0 && f.value > last && f.value <= last+2 {
				rising++
			}
			if f != nil {
				last = f.value
			}
		}
		if along.IsOrder(head) || n > 2 && rising >= n-1 {
			ids = append(ids, at)
		}
	}
	return ids
}

// target is the column of figures that is asked for: the one whose head the question names
// most of, of several years the one that is asked for or the last; else the only one of money
// where money is asked for, the one of totals, or the only one.
func (s *sheet) target() (at int, named, ok bool) {
	asks := lang.AsksForIn(s.code, s.Text)
	if (s.what == lang.Most || s.what == lang.Least) && (asks == lang.Choice || asks == lang.Time) {
		first := s.words[0].open // which year: that is to be told, and no figure
		s.words[0].open = false
		at, named, ok = s.columnAsked()
		if s.words[0].open = first; named || asks == lang.Time {
			return at, named, ok
		}
	}
	return s.columnAsked()
}

func (s *sheet) columnAsked() (at int, named, ok bool) {
	var figures, money, totals, best []int
	most, extreme := 1, s.what == lang.Most || s.what == lang.Least
	for i, head := range s.heads {
		if i == 0 || len(s.among) > 0 && !slices.Contains(s.among, i) || !s.isFigures(i) || !extreme && s.isRatio(i) && s.what != lang.NoSum && s.what != lang.Average {
			continue
		}
		figures = append(figures, i)
		if s.isMoney(i) {
			money = append(money, i)
		}
		if lang.IsTotal(head) {
			totals = append(totals, i)
		}
		switch n := s.hits(head); {
		case n > most:
			most, best = n, []int{i}
		case n == most:
			best = append(best, i)
		}
	}
	if at, ok := s.ofEachPiece(); ok {
		return at, true, true
	}
	if at, class, ok := s.ofSort(); ok && !slices.ContainsFunc(best, s.isMoney) {
		s.closeSort(class)
		return at, true, true
	}
	if len(best) > 1 {
		best = s.ofOneTime(best)
	}
	if whole := slices.DeleteFunc(slices.Clone(best), func(at int) bool { return !s.isNamed(s.heads[at]) || s.asksMoney() && !s.isMoney(at) }); len(whole) == 1 {
		best = whole // nights, and not the price of a night
	}
	if at := s.sumOf(best); len(best) > 1 && at >= 0 {
		for _, of := range best {
			s.account(s.heads[of])
		}
		s.close(lang.PlacesOf(s.code, lang.Including, s.Text))
		return at, true, true
	}
	if !extreme {
		figures = slices.DeleteFunc(figures, s.isRatio)
	}
	asksMoney := s.asksMoney()
	if len(money) > 1 {
		money = s.ofPrice(money)
	}
	switch {
	case len(best) == 1:
		return best[0], true, true
	case len(best) > 1:
		return 0, false, false
	case asksMoney && len(money) == 1:
		at = money[0]
	case len(totals) == 1:
		at = totals[0]
	case len(figures) == 1 && !asksMoney && (!s.isMoney(figures[0]) || s.isLooked() || s.what != lang.NoSum || s.than.How != "" || !s.unspaced && s.amount):
		at = figures[0]
	case (s.amount || s.what == lang.Sum) && !s.counts && len(money) == 1 && (len(s.only) > 0 || s.dates >= 0):
		at = money[0]
	default:
		return 0, false, false
	}
	return at, false, true
}

// isNamed reports whether the question has every word of a head. What says that all is added up
// names a column of totals as well.
func (s *sheet) isNamed(head string) bool {
	return !slices.ContainsFunc(wordsOf(head, s.unspaced), func(h word) bool {
		return s.openAt(h.text) < 0 && !(lang.IsTotal(h.text) && slices.ContainsFunc(s.words, func(w word) bool { return s.alike(h.text)(w.text) }))
	})
}

// isLooked reports whether a question is a search that asks nothing, and names one row by its
// time and a cell.
func (s *sheet) isLooked() bool {
	return len(s.rows) == 1 && len(s.only) > 0 && s.dates >= 0 && lang.AsksForIn(s.code, s.Text) == lang.AsksNothing
}

// ofPrice are, of several columns of money, those of prices where what something costs is asked,
// and the others where sums are: prices of one piece each add up to nothing.
func (s *sheet) ofPrice(money []int) []int {
	one := s.what == lang.NoSum && !s.owes && !lang.BringsIn(s.code, s.Text)
	if len(s.only) > 0 && len(s.rows) > 1 && len(lang.Paid(s.code, s.Text)) > 0 { // by all of them
		one = false
	}
	return slices.DeleteFunc(slices.Clone(money), func(at int) bool { return lang.OfMoneyIn(s.code, "price", s.heads[at]) != one })
}

// isRatio reports whether the figures of a column are shares or degrees: they add up to
// nothing.
func (s *sheet) isRatio(at int) bool {
	return strings.ContainsAny(s.heads[at], "%°") || slices.ContainsFunc(s.column(at), func(f *figureAt) bool { return f != nil && strings.Contains(f.text, "%") })
}

func (s *sheet) asksMoney() bool {
	return s.owes || lang.OfMoneyIn(s.code, lang.Price, s.Text) || lang.OfMoneyIn(s.code, "currency", s.Text) || lang.BringsIn(s.code, s.Text)
}

// ofOneTime takes, of columns that differ by their year, the one that is asked for, or the
// last.
func (s *sheet) ofOneTime(columns []int) []int {
	year := func(at int) int {
		if years := times.Years(s.heads[at]); len(years) == 1 {
			return years[0]
		}
		return 0
	}
	if asked := times.Years(s.Text); len(asked) == 1 {
		columns = slices.DeleteFunc(slices.Clone(columns), func(at int) bool { return year(at) != 0 && year(at) != asked[0] })
	}
	without := func(at int) string { return times.YearNumber.ReplaceAllString(s.heads[at], "") }
	for _, at := range columns {
		if year(at) == 0 || without(at) != without(columns[0]) {
			return columns
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []int{slices.MaxFunc(columns, func(a, b int) int { return year(a) - year(b) })}
}

// hits is how many open words of the question a head has.
func (s *sheet) hits(head string) (n int) {
	if s.unspaced {
		head = strings.FieldsFunc(head+" ", func(r rune) bool { return strings.ContainsRune("(（[", r) })[0]
		name := strings.TrimSpace(head)
		if utf8.RuneCountInString(name) > 1 && strings.Contains(s.Text, name) {
			return utf8.RuneCountInString(name)
		}
		if of, counts := lang.CutTail(s.code, lang.CountTail, name); counts && utf8.RuneCountInString(of) > 1 && strings.Contains(s.Text, of) { // 世帯数: 世帯の数, 何世帯
			return utf8.RuneCountInString(of)
		}
		return 0
	}
	for _, w := range wordsOf(head, false) {
		switch at := s.openAt(w.text); {
		case utf8.RuneCountInString(w.text) < 2 || at < 0 || s.amount && s.words[at].asks: // quanto is no quantità
		case s.sameStem(w.text, s.words[at].text):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isMoney reports whether the figures of a column are money: its head says so, or most of
// its cells do.
func (s *sheet) isMoney(at int) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(s.heads[at], "（", "("), "(")
	_, paid := lang.CutTail(s.code, lang.MoneyTail, strings.TrimSpace(head))
	if paid || inCurrency(s.heads[at]) ||
		slices.ContainsFunc(wordsOf(head, false), func(w word) bool {
			return lang.NamesAmount(strings.ToLower(w.text)) || lang.NamesAmount(string(forms.Plain(w.text)))
		}) {
		return true
	}
	n, all := 0, s.column(at)
	for _, f := range all {
		if f != nil && inCurrency(f.text) {
			n++
		}
	}
	return 2*n > len(all)
}

// inCurrency reports whether a head says that its figures are money.
func inCurrency(head string) bool {
	return strings.ContainsAny(head, "€£$¥₽₴₺₹円元") || slices.ContainsFunc(wordsOf(head, false), func(w word) bool { return lang.IsCurrency(strings.ToLower(w.text)) })
}

// column is one that a question asks for.
type column struct {
	at    int
	named bool // by words of the question
	words bool // its cells are no figures
	found bool
	many  bool // it says how many there are of what a row is of
}

// chosen is the column that is asked for: of figures, of counts, or of words where one row is
// left.
func (s *sheet) chosen() (c column) {
	c.at, c.named, c.found = s.target()
	if c.named {
		return c
	}
	if at, ok := s.ofCounted(); ok {
		return column{at: at, named: true, found: true, many: true}
	}
	if counting := s.countColumn(); s.counts && counting >= 0 && (s.what == lang.Sum || s.what == lang.NoSum && s.countsThings()) {
		return column{at: counting, named: true, found: true, many: true}
	}
	if s.what == lang.NoSum && !s.counts && !s.asksAmount() && len(s.rows) == 1 {
		if told := s.toldColumn(); told >= 0 {
			return column{at: told, named: true, words: true, found: true}
		}
	}
	return c
}

// countsThings reports whether the question counts what a cell names, the only one that chose the
// rows: how many of that there are, and not how many rows.
func (s *sheet) countsThings() bool {
	if len(s.only) != 1 || len(s.words) == 0 {
		return false
	}
	for at, cells := range s.only {
		if at == s.naming(-1) || slices.ContainsFunc(cells, func(c string) bool {
			return slices.ContainsFunc(wordsOf(c, s.unspaced), func(w word) bool { return s.alike(w.text)(s.words[0].text) })
		}) {
			return true
		}
	}
	return false
}

// countColumn is the column of figures whose head says that it counts; -1 for none.
func (s *sheet) countColumn() int {
	return slices.IndexFunc(s.heads, func(head string) bool {
		terms := lang.Terms(s.code, head)
		return len(terms) == 1 && terms[0].Means == "count" || lang.IsQuantity(head)
	})
}

// toldColumn is the one column of words whose head the question names, of those that no row
// was chosen by; -1 for none. The row that is left has a cell there.
func (s *sheet) toldColumn() (at int) {
	at, most := -1, 0
	for i, head := range s.heads {
		n := s.hits(head)
		if i == s.dates || len(s.only[i]) > 0 || n < most || n == 0 || s.cellAt(s.rows[0], i) == "" {
			continue
		}
		if at = i; n == most {
			at = -1
		}
		most = n
	}
	return at
}
