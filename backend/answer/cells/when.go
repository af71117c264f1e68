package cells

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// period keeps the rows of the time that the question names. ok is false where the table is
// of another time.
func (s *sheet) period() (ok bool) {
	asked, said := s.timeAsked()
	if len(asked.Years) == 0 && asked.Months == 0 && !s.thisYear || len(s.rows) == 0 {
		return true
	}
	asked.Years = s.Years(s.what == lang.Sum || s.what == lang.Average)
	if asked.Crosses || asked.Between != 0 && len(asked.Years) > 1 { // from June of one year to May of the next
		return false
	}
	if s.thisYear {
		year := s.lastYear()
		if year == 0 {
			return false
		}
		asked.Years = []int{year}
	}
	s.keep(func(row evidence.Row) bool { // of a section of another year
		of := times.Years(row.Section)
		return len(of) == 0 || len(asked.Years) == 0 || times.ShareYear(of, asked.Years)
	})
	if len(s.rows) == 0 {
		return false
	}
	place := s.place()
	if len(place.Years) > 0 && len(asked.Years) > 0 && !times.ShareYear(place.Years, asked.Years) {
		return false
	}
	if asked.Months != 0 && asked.Days == 0 && place.Months == asked.Months && !s.listsMonths() { // the table is of that time, as it counts it
		s.close(said)
		s.timely = true
		return true
	}
	if len(asked.Years) > 0 && (len(place.Years) > 1 || len(place.Years) == 0 && asked.Months != 0) {
		if s.keepYears(asked.Years) {
			asked.Years = nil
		}
	}
	for at := range s.heads {
		if kept, ok := s.ofTime(at, asked, place); ok {
			s.rows, s.dates, s.ofDay = kept, at, asked.Days != 0
			s.close(said)
			return len(kept) > 0
		}
	}
	s.among = s.headsOf(asked)
	if asked.Between != 0 && len(s.among) == 0 { // nothing tells which rows are of them
		return false
	}
	if len(place.Years) > 0 && asked.Months == 0 || len(s.among) > 0 {
		s.close(said)
		s.timely = true
	}
	return true
}

// timeAsked is the time that the question names, and where, as bytes of it.
func (s *sheet) timeAsked() (asked times.Period, said [][2]int) {
	month := times.MonthIn(s.code, s.Text)
	asked, said = times.In(s.Text, month)
	parts, where := lang.MonthsOf(s.code, s.Text)
	asked.Months, said = asked.Months|parts, append(said, where...)
	if s.what == lang.Difference { // of the first and the last
		asked.Months &^= asked.Between
	} else if framed, ok := times.Framed(s.code, s.Text, month); ok {
		asked.Months, asked.Crosses = asked.Months|framed, asked.Crosses || asked.Days != 0
	}
	return asked, append(said, s.besideYear()...)
}

// besideYear is where the question says that a number is a year: "the year 2024".
func (s *sheet) besideYear() (said [][2]int) {
	for i := 0; i+1 < len(s.words); i++ {
		if _, isUnit := lang.Unit(s.code, strings.ToLower(s.words[i].text)); isUnit && times.YearNumber.MatchString(s.words[i+1].text) {
			said = append(said, [2]int{s.words[i].at, s.words[i].at + len(s.words[i].text)})
		}
	}
	return said
}

// listsMonths reports whether rows are named by months: a note above them that names one is no
// time of theirs.
func (s *sheet) listsMonths() bool {
	var seen uint16
	for _, row := range s.rows {
		p, _ := times.In(row.Label, times.AnyMonth)
		if p.Months == 0 || p.Days != 0 {
			return false
		}
		seen |= p.Months
	}
	return bits.OnesCount16(seen) > 1
}

// place is the time that the whole table is of: the name of a sheet says it more closely than
// that of its file.
func (s *sheet) place() times.Period {
	place, _ := times.In(strings.Join([]string{times.SpacedOut(s.folder()), s.rows[0].Heading, s.rows[0].Section}, " "), times.AnyMonth)
	if own := times.Years(lastPart(s.rows[0].Heading)); len(own) == 1 {
		place.Years = own
	}
	return place
}

// lastPart is the last of headings that stand below one another.
func lastPart(heading string) string {
	return heading[strings.LastIndex(heading, ">")+1:]
}

// headsOf are the columns whose heads name the months that are asked for.
func (s *sheet) headsOf(asked times.Period) (columns []int) {
	for at, head := range s.heads {
		p, _ := times.In(head, times.AnyMonth)
		if p.Months&asked.Months != 0 && (len(p.Years) == 0 || len(asked.Years) == 0 || times.ShareYear(p.Years, asked.Years)) {
			columns = append(columns, at)
		}
	}
	return columns
}

// ofTime are the rows whose cell in a column is of the time that is asked for; ok is false
// where the column does not tell the time so finely.
func (s *sheet) ofTime(at int, asked, place times.Period) (kept []evidence.Row, ok bool) {
	told, n := 0, 0
	for _, row := range s.rows {
		cell := s.cellAt(row, at)
		if cell == "" {
			continue
		}
		if n++; n > tried && told == 0 {
			return nil, false
		}
		p, _ := times.In(cell, times.AnyMonth)
		if _, isFigure := s.figureOf(cell); isFigure && len(p.Years) == 0 && p.Months == 0 || utf8.RuneCountInString(cell) > longestDate {
			continue
		}
		if len(asked.Years) > 0 && len(p.Years) == 0 && len(place.Years) == 0 || asked.Months != 0 && p.Months == 0 || asked.Days != 0 && p.Days == 0 {
			continue
		}
		if len(p.Years) == 0 && p.Months == 0 || len(place.Years) == 1 && p.Months == 0 { // a year of something else: the table has its own
			continue
		}
		told++
		if (len(asked.Years) == 0 || len(p.Years) == 0 || times.ShareYear(p.Years, asked.Years)) && (asked.Months == 0 || p.Months&asked.Months != 0) && (asked.Days == 0 || p.Days&asked.Days != 0) {
			kept = append(kept, row)
		}
	}
	return kept, n > 0 && 5*told >= 4*n
}

const (
	longestDate = 24 // characters
	tried       = 20 // cells of a column without a time, after which it has none
)

// keepYears keeps the rows of years where each row has its year in a column of its own; ok is false
// where none has.
func (s *sheet) keepYears(asked []int) (ok bool) {
	for at := range s.heads {
		told, n := 0, 0
		kept := slices.DeleteFunc(slices.Clone(s.rows), func(row evidence.Row) bool {
			cell := s.cellAt(row, at)
			of := times.Years(cell)
			if cell == "" {
				of = times.Years(row.Label)
			} else if n++; len(of) == 1 && strings.TrimSpace(cell) == strconv.Itoa(of[0]) {
				told++
			}
			return !times.ShareYear(of, asked)
		})
		if n > 1 && told == n && len(kept) > 0 {
			s.rows = kept
			return true
		}
	}
	return false
}

// close accounts for words of the question by their places.
func (s *sheet) close(said [][2]int) {
	for i, w := range s.words {
		if slices.ContainsFunc(said, func(at [2]int) bool { return at[0] <= w.at && w.at < at[1] }) {
			s.words[i].open = false
		}
	}
}

// isOfLater reports whether a question is of this year, and another sheet tells of a later one
// than a sheet does.
func (a Asked) isOfLater(sheet Sheet, all []Sheet) bool {
	code := a.spoken
	m, _ := a.matterOf(code)
	last := func(s Sheet) int {
		if len(s.Rows) == 0 {
			return 0
		}
		return newSheet(a, code, m, s.Rows, s.File).lastYear()
	}
	return m.thisYear && slices.ContainsFunc(all, func(s Sheet) bool { return last(s) > last(sheet) })
}

// lastYear is the last year that the days of a table are of, else the year of the table; 0 for
// none. What is said of this year is meant of it: files tell of no later one.
func (s *sheet) lastYear() (last int) {
	for at := range s.heads {
		for _, cell := range s.cells(at) {
			if p, _ := times.In(cell, times.AnyMonth); p.Months != 0 && len(p.Years) > 0 && utf8.RuneCountInString(cell) <= longestDate {
				last = max(last, p.Years[len(p.Years)-1])
			}
		}
	}
	if last == 0 && len(s.whole) > 0 {
		last = ownYear(Sheet{Rows: s.whole, File: s.file})
	}
	return last
}
