package cells

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

var (
	isoDate    = pattern.New(`\b(?:19|20)\d\d[-/.](\d{1,2})(?:[-/.](\d{1,2}))?\b`)
	dayFirst   = pattern.New(`\b(\d{1,2})(?:[./](\d{1,2})[./](?:(?:19|20)\d\d|\d\d)|-(\d{1,2})-(?:19|20)\d\d)\b`)
	monthByNo  = pattern.New(`(\d{1,2}|十[一二]?|[一二三四五六七八九])月(?:(\d{1,2})[日号號])?`)
	quarterOf  = pattern.New(`([1-4一二三四]) ?季度|第 ?([1-4一二三四]) ?四半期`)
	yearSuffix = pattern.New(`(?:19|20)\d\d ?年度?`)
)

const chineseDigits = "一二三四五六七八九十"

// monthNumber reads the number of a month: "4", "四", "十二".
func monthNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	n := 0
	for _, r := range text {
		digit := utf8.RuneCountInString(chineseDigits[:strings.IndexRune(chineseDigits, r)]) + 1
		n += digit
	}
	return n
}

// timeIn is what a text says of years, months, days and quarters, and where, as bytes of it.
// Only a word of month is taken for one where it could be another word.
func timeIn(text string, month func(word string) (int, bool)) (p Period, said [][2]int) {
	p.Years = yearsIn(text)
	add := func(m int, at []int) {
		if m >= 1 && m <= 12 {
			p.months |= 1 << m
			said = append(said, [2]int{at[0], at[1]})
		}
	}
	day := func(digits string) {
		if d, err := strconv.Atoi(digits); err == nil && d >= 1 && d <= 31 {
			p.days |= 1 << d
		}
	}
	for _, re := range []*pattern.Regexp{yearNumber, fiscalYear, yearSuffix, eraYear} {
		for _, at := range re.FindAllStringIndex(text, -1) {
			said = append(said, [2]int{at[0], at[1]})
		}
	}
	for _, re := range []*pattern.Regexp{isoDate, monthByNo} {
		for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
			add(monthNumber(text[at[2]:at[3]]), at)
			day(text[max(at[4], 0):max(at[5], 0)])
		}
	}
	for _, at := range dayFirst.FindAllStringSubmatchIndex(text, -1) {
		d, m := text[at[2]:at[3]], text[max(at[4], at[6]):max(at[5], at[7])]
		if monthNumber(m) > 12 {
			d, m = m, d
		}
		add(monthNumber(m), at)
		day(d)
	}
	words := wordsOf(text, false)
	last, named := -1, 0
	for i, w := range words {
		if m, ok := month(w.text); ok {
			add(m, []int{w.at, w.at + len(w.text)})
			if last >= 0 && isRange(text[words[last].at+len(words[last].text):w.at]) {
				for between := named + 1; between < m; between++ {
					p.months |= 1 << between
				}
			}
			last, named = i, m
			if beside := dayBeside(words, i); beside >= 0 {
				b := words[beside]
				day(digitsOf(b.text))
				said = append(said, [2]int{b.at, b.at + len(b.text)})
			}
		}
	}
	quarter := func(q int, at []int) {
		for m := 3*q - 2; m <= 3*q; m++ {
			add(m, at)
		}
	}
	for _, at := range quarterOf.FindAllStringSubmatchIndex(text, -1) {
		quarter(monthNumber(text[max(at[2], at[4]):max(at[3], at[5])]), at)
	}
	for _, at := range quarterText.FindAllStringIndex(text, -1) {
		if q := PeriodOf(text[at[0]:at[1]]).quarters; q != 0 {
			for n := 1; n <= 4; n++ {
				if q&(1<<n) != 0 {
					quarter(n, at)
				}
			}
		}
	}
	return p, said
}

// isRange reports whether what stands between two months says that all between them are meant:
// "January to March" and not "January and March".
func isRange(between string) bool {
	words := wordsOf(yearNumber.ReplaceAllString(between, ""), false)
	if len(words) == 0 {
		return strings.ContainsAny(between, "-–—")
	}
	return len(words) == 1 && !lang.IsIn(lang.Joining, strings.ToLower(words[0].text))
}

// dayBeside is the word that numbers a day of the month at a place: "13 March", "March 3rd",
// "13 de marzo"; -1 for none.
func dayBeside(words []word, month int) int {
	for _, at := range []int{month - 1, month - 2, month + 1} {
		if at < 0 || at >= len(words) {
			continue
		}
		w := words[at].text
		if d, err := strconv.Atoi(digitsOf(w)); err == nil && d <= 31 && len(w)-len(digitsOf(w)) <= 2 {
			return at
		}
		if at == month-1 && utf8.RuneCountInString(w) > 2 { // of another number
			return -1
		}
	}
	return -1
}

func digitsOf(word string) string {
	return word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
}

// period keeps the rows of the time that the question names. ok is false where the table is
// of another time.
func (s *sheet) period() (ok bool) {
	asked, said := timeIn(s.text, func(word string) (int, bool) {
		low := strings.ToLower(word)
		if s.code == lang.English && low == word { // to march, may
			return 0, false
		}
		m, ok := lang.Month(s.code, low)
		return int(m), ok && utf8.RuneCountInString(low) > 2
	})
	parts, where := lang.MonthsOf(s.code, s.text)
	asked.months, said = asked.months|parts, append(said, where...)
	if len(asked.Years) == 0 && asked.months == 0 && !s.thisYear || len(s.rows) == 0 {
		return true
	}
	asked.Years = s.years(s.what == lang.Sum || s.what == lang.Average)
	if s.thisYear {
		year := s.lastYear()
		if year == 0 {
			return false
		}
		asked.Years = []int{year}
	}
	s.keep(func(row evidence.Row) bool { // of a section of another year
		of := yearsIn(row.Section)
		return len(of) == 0 || len(asked.Years) == 0 || shareYear(of, asked.Years)
	})
	if len(s.rows) == 0 {
		return false
	}
	place, _ := timeIn(strings.Join([]string{spacedOut(s.file), s.rows[0].Heading, s.rows[0].Section}, " "), anyMonth)
	if len(place.Years) > 0 && len(asked.Years) > 0 && !shareYear(place.Years, asked.Years) {
		return false
	}
	if asked.months != 0 && asked.days == 0 && place.months == asked.months { // the table is of that time, as it counts it
		s.close(said)
		s.timely = true
		return true
	}
	for at := range s.heads {
		if kept, ok := s.ofTime(at, asked, place); ok {
			s.rows, s.dates = kept, at
			s.close(said)
			return len(kept) > 0
		}
	}
	s.among = s.headsOf(asked)
	if len(place.Years) > 0 && asked.months == 0 || len(s.among) > 0 {
		s.close(said)
		s.timely = true
	}
	return true
}

// spacedOut parts letters and digits, which names of files run together: "4oct2024".
func spacedOut(name string) string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsLetter(r) && unicode.IsDigit(last) && r < unicode.MaxLatin1 || unicode.IsDigit(r) && unicode.IsLetter(last) && last < unicode.MaxLatin1 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// headsOf are the columns whose heads name the months that are asked for.
func (s *sheet) headsOf(asked Period) (columns []int) {
	for at, head := range s.heads {
		p, _ := timeIn(head, anyMonth)
		if p.months&asked.months != 0 && (len(p.Years) == 0 || len(asked.Years) == 0 || shareYear(p.Years, asked.Years)) {
			columns = append(columns, at)
		}
	}
	return columns
}

func shareYear(a, b []int) bool {
	return slices.ContainsFunc(a, func(y int) bool { return slices.Contains(b, y) })
}

// ofTime are the rows whose cell in a column is of the time that is asked for; ok is false
// where the column does not tell the time so finely.
func (s *sheet) ofTime(at int, asked, place Period) (kept []evidence.Row, ok bool) {
	told, n := 0, 0
	for _, row := range s.rows {
		cell := s.cellAt(row, at)
		if cell == "" {
			continue
		}
		if n++; n > tried && told == 0 {
			return nil, false
		}
		p, _ := timeIn(cell, anyMonth)
		if _, isFigure := s.figureOf(cell); isFigure && len(p.Years) == 0 && p.months == 0 || utf8.RuneCountInString(cell) > longestDate {
			continue
		}
		if len(asked.Years) > 0 && len(p.Years) == 0 && len(place.Years) == 0 || asked.months != 0 && p.months == 0 || asked.days != 0 && p.days == 0 {
			continue
		}
		if len(p.Years) == 0 && p.months == 0 || len(place.Years) == 1 && p.months == 0 { // a year of something else: the table has its own
			continue
		}
		told++
		if (len(asked.Years) == 0 || len(p.Years) == 0 || shareYear(p.Years, asked.Years)) && (asked.months == 0 || p.months&asked.months != 0) && (asked.days == 0 || p.days&asked.days != 0) {
			kept = append(kept, row)
		}
	}
	return kept, n > 0 && 5*told >= 4*n
}

const (
	longestDate = 24 // characters
	tried       = 20 // cells of a column without a time, after which it has none
)

func anyMonth(word string) (int, bool) { return lang.MonthOf(strings.ToLower(word)) }

// close accounts for words of the question by their places.
func (s *sheet) close(said [][2]int) {
	for i, w := range s.words {
		if slices.ContainsFunc(said, func(at [2]int) bool { return at[0] <= w.at && w.at < at[1] }) {
			s.words[i].open = false
		}
	}
}

// lastYear is the last year that the days of a table are of, else the year of the table; 0 for
// none. What is said of this year is meant of it: files tell of no later one.
func (s *sheet) lastYear() (last int) {
	for at := range s.heads {
		for _, cell := range s.cells(at) {
			if p, _ := timeIn(cell, anyMonth); p.months != 0 && len(p.Years) > 0 && utf8.RuneCountInString(cell) <= longestDate {
				last = max(last, p.Years[len(p.Years)-1])
			}
		}
	}
	if last == 0 && len(s.whole) > 0 {
		last = ownYear(Sheet{Rows: s.whole, File: s.file})
	}
	return last
}
