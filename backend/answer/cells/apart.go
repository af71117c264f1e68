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
	s     *sheet
	at    int // column
	sheet int // which of the sheets
	left  int // words of the question that nothing accounts for
}

// Apart is by how much a figure of one sheet is from that of another, where each sheet is of one
// of the two years that a question names and both have the same row and the same head: price
// lists, accounts of each year. from is which sheet each of the rows stands in. ok is false
// where it is no such question, or which figures are meant is not plain.
func (a Asked) Apart(sheets []Sheet) (t Tally, from []int, ok bool) {
	code := lang.Spoken(a.Text)
	m, ok := a.matterOf(code)
	changed := lang.Changes(code, a.Text)
	if !ok || len(a.Period.Years) != 2 || m.what != lang.Difference && len(changed) == 0 {
		return t, nil, false
	}
	m.what = lang.NoSum
	var found [2]*of
	for i, sheet := range sheets {
		n := slices.Index(a.Period.Years, ownYear(sheet))
		if n < 0 || len(sheet.Rows) == 0 {
			continue
		}
		f, ok := newSheet(a, code, m, sheet.Rows, sheet.File).single(changed)
		switch f.sheet = i; {
		case !ok, found[n] != nil && found[n].left < f.left:
		case found[n] != nil && found[n].left == f.left && found[n].value != f.value:
			return t, nil, false
		default:
			found[n] = &f
		}
	}
	then, now := found[0], found[1]
	if then == nil || now == nil || !then.isLike(now) {
		return t, nil, false
	}
	left := max(then.left, now.left)
	t.Sure, t.Fits = left == 0, len(m.words)-2*left
	shown := func(f *of, n int) string { return f.text + " (" + strconv.Itoa(a.Period.Years[n]) + ")" }
	t.Text = now.s.write(now.value-then.value, max(now.digits, then.digits), now.at) + " = " + shown(now, 1) + " − " + shown(then, 0) + ": " + now.s.heads[now.at] + ", " + now.row.Label
	t.Rows = []evidence.Row{now.row, then.row}
	return t, []int{now.sheet, then.sheet}, left <= unaccounted
}

// isLike reports whether two figures stand in rows of one name under heads of one.
func (f *of) isLike(o *of) bool {
	plain := func(text string) string {
		return along.Words(times.YearNumber.ReplaceAllString(text, ""))
	}
	return plain(f.row.Label) == plain(o.row.Label) && plain(f.s.heads[f.at]) == plain(o.s.heads[o.at])
}

// single is the one figure of a table that a question names by cells and head. changed is where
// it says that something changes.
func (s *sheet) single(changed [][2]int) (f of, ok bool) {
	if s.isStatement() || !s.period() {
		return f, false
	}
	s.close(changed)
	s.filter()
	s.accountName()
	if len(s.rows) != 1 || len(s.only) == 0 {
		return f, false
	}
	c := s.chosen()
	if !c.found || c.words {
		return f, false
	}
	s.accountFor(c)
	f = of{s: s, at: c.at, left: s.left()}
	f.figureAt, ok = s.figureOf(s.cellAt(s.rows[0], c.at))
	f.row = s.rows[0]
	return f, ok && !s.partly
}

// ownYear is the year that a table is of: the only one in the name of its file, else the first
// above it; 0 for none.
func ownYear(sheet Sheet) int {
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
