package cells

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Sheet is a table of a file.
type Sheet struct {
	Rows []evidence.Row
	File string // its name or path
}

// of is a figure of a sheet, with where it stands.
type of struct {
	figureAt
	rows  []evidence.Row // that give it together: one, or those of a whole year
	s     *sheet
	at    int // column
	sheet int // which of the sheets
	left  int // words of the question that nothing accounts for
}

// Apart is by how much a figure of one year is from that of another: the same row under the same
// head in two sheets of a year each, or what a column comes to in each of the two years, in two
// sheets of one form or in one that has both. from is which sheet each of the rows stands in. ok
// is false where it is no such question, or which figures are meant is not plain.
func (a Asked) Apart(sheets []Sheet) (t Tally, from []int, ok bool) {
	years := a.yearsApart()
	if len(years) != 2 {
		return t, nil, false
	}
	then, now := a.pairOf(sheets, years)
	if then == nil {
		return t, nil, false
	}
	left := max(then.left, now.left)
	t.Sure, t.Fits = left == 0 && !then.s.isMixed() && !now.s.isMixed(), len(now.s.words)-2*left
	shown := func(f *of, n int) string { return f.text + " (" + strconv.Itoa(years[n]) + ")" }
	t.Text = now.s.write(now.value-then.value, max(now.digits, then.digits), now.at) + " = " + shown(now, 1) + " − " + shown(then, 0) + ": " + now.s.heads[now.at]
	if now.row.Label != "" {
		t.Text += ", " + now.row.Label
	}
	for _, f := range []*of{now, then} {
		for _, row := range f.rows[:min(len(f.rows), mostRows)] {
			t.Rows, from = append(t.Rows, row), append(from, f.sheet)
		}
	}
	return t, from, left <= unaccounted && t.Fits > 0
}

// yearsApart are the two years that a question holds against each other; none where it asks for
// no difference.
func (a Asked) yearsApart() []int {
	code := a.spoken
	years := slices.Clone(a.Period.Years)
	if len(years) == 1 && len(lang.PlacesOf(code, lang.YearBefore, a.Text)) > 0 {
		years = []int{years[0] - 1, years[0]}
	}
	what, _ := lang.Calculates(code, a.Text)
	asks := lang.KindAsked(code, a.Text)
	compares := len(lang.PlacesOf(code, lang.Comparing, a.Text)) > 0 && (asks == lang.Count || asks == lang.Amount || lang.AsksYesNo(code, a.Text))
	if what != lang.Difference && len(lang.Changes(code, a.Text)) == 0 && !compares {
		return nil
	}
	return years
}

// ofYear is a question for the figure of one year, without what it says of the other one and of
// the difference.
func (a Asked) ofYear(year, other int) Asked {
	code := a.spoken
	text := []byte(a.Text)
	blank := func(said [2]int) {
		for i := said[0]; i < said[1]; i++ {
			text[i] = ' '
		}
	}
	for _, class := range []lang.Class{lang.YearBefore, lang.Comparing} {
		for _, said := range lang.PlacesOf(code, class, a.Text) {
			blank(said)
		}
	}
	for _, said := range lang.Differences(code, a.Text) {
		blank(said)
	}
	if at := strings.Index(a.Text, strconv.Itoa(other)); at >= 0 {
		blank([2]int{at, at + len(strconv.Itoa(other))})
	}
	one := Asked{along.Read(a.Checker, string(text)), code}
	if len(one.Period.Years) == 0 { // the year before that one
		one.Text += " " + strconv.Itoa(year)
		one.Period.Years = []int{year}
	}
	return one
}

// pairOf are the two figures of one form that account for most of the question; nil where there
// are none, or others that differ otherwise.
func (a Asked) pairOf(sheets []Sheet, years []int) (then, now *of) {
	var of [2][]*of
	for n, year := range years {
		of[n] = a.ofYear(year, years[1-n]).figuresIn(sheets, year)
	}
	several := false
	for _, one := range of[0] {
		for _, other := range of[1] {
			switch least := max(one.left, other.left); {
			case !one.isLike(other), then != nil && least > max(then.left, now.left):
			case then == nil, least < max(then.left, now.left):
				then, now, several = one, other, false
			case other.value-one.value != now.value-then.value:
				several = true
			}
		}
	}
	if several {
		return nil, nil
	}
	return then, now
}

// figuresIn are the figures that the sheets of a year have for a question, one of each.
func (a Asked) figuresIn(sheets []Sheet, year int) (found []*of) {
	m, ok := a.matterOf(a.spoken)
	if !ok {
		return nil
	}
	m.what, m.amount = lang.NoSum, !m.counts
	for i, sheet := range sheets {
		if own := ownYear(sheet); len(sheet.Rows) == 0 || own != year && own != 0 && !sheet.lists(year) {
			continue
		}
		if f, ok := newSheet(a, a.spoken, m, sheet.Rows, sheet.File).single(); ok {
			f.sheet = i
			found = append(found, &f)
		}
	}
	return found
}

// lists reports whether a row of a table has a year for a cell.
func (s Sheet) lists(year int) bool {
	cell := strconv.Itoa(year)
	return slices.ContainsFunc(s.Rows, func(row evidence.Row) bool { return row.Label == cell || slices.Contains(row.Values, cell) })
}

// isLike reports whether two figures stand in rows of one name under heads of one, in tables of
// one form, and are not of the same rows.
func (f *of) isLike(o *of) bool {
	plain := func(text string) string { return along.Words(times.YearNumber.ReplaceAllString(text, "")) }
	if f.sheet == o.sheet && isRow(f.rows[0], o.rows[0]) {
		return false
	}
	whole := len(f.s.only) == 0
	return plain(f.row.Label) == plain(o.row.Label) && plain(f.s.heads[f.at]) == plain(o.s.heads[o.at]) &&
		(!whole || plain(strings.Join(f.s.heads, " ")) == plain(strings.Join(o.s.heads, " ")))
}

func isRow(a, b evidence.Row) bool {
	return a.At == b.At && a.Label == b.Label && slices.Equal(a.Values, b.Values)
}

// single is the one figure of a table that a question names by cells and head, or what a column
// that it names comes to.
func (s *sheet) single() (f of, ok bool) {
	if s.isStatement() || !s.period() {
		return f, false
	}
	s.filter()
	s.accountName()
	if len(s.rows) == 0 {
		return f, false
	}
	c := s.chosen()
	if !c.found || c.words {
		return f, false
	}
	s.accountFor(c)
	f = of{s: s, at: c.at, left: s.left()}
	if len(s.rows) == 1 && len(s.only) > 0 {
		f.figureAt, ok = s.figureOf(s.cellAt(s.rows[0], c.at))
		f.row, f.rows = s.rows[0], s.rows
		return f, ok && !s.partly
	}
	if !c.named && !lang.IsTotal(s.heads[c.at]) || f.left > 0 || s.dates < 0 && !s.timely || s.isRatio(c.at) {
		return f, false
	}
	sum, ok := s.addedUp(s.rows, c.at)
	f.value, f.digits, f.rows = sum.value, sum.digits, sum.rows
	f.text = s.write(sum.value, sum.digits, c.at)
	return f, ok && !s.partly
}

// ownYear is the year that a table is of: the only one in its own heading, else in the name of
// its file, else the first above it; 0 for none.
func ownYear(sheet Sheet) int {
	if len(sheet.Rows) > 0 {
		if years := times.Years(lastPart(sheet.Rows[0].Heading)); len(years) == 1 {
			return years[0]
		}
	}
	name := path.Base(strings.ReplaceAll(sheet.File, `\`, "/"))
	if years := times.Years(name); len(years) == 1 {
		return years[0]
	}
	if len(sheet.Rows) > 0 {
		if years := times.YearsAsSaid(sheet.Rows[0].Heading + " " + sheet.Rows[0].Section); len(years) > 0 {
			return years[0]
		}
	}
	return 0
}
