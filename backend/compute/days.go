package compute

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"footnote/backend/pattern"
)

// day is a day that a text names.
type day struct {
	time  time.Time
	text  string
	year  bool // it was named
	fixed bool // by today: tomorrow, Friday
	bad   bool // there is no such day
}

func (d day) in(year int) time.Time {
	return time.Date(year, d.time.Month(), d.time.Day(), 0, 0, 0, 0, time.UTC)
}

func midnight(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

var (
	monthNumbers, monthWords = readMonths()
	dayNames, dayWords       = readNames("days")
	dayForms                 = pattern.New(`(^|[^\pL\d.,-])(?:` + strings.Join([]string{
		`(\d{4})-(\d{1,2})-(\d{1,2})`,
		`(?:the |le |el |den |dem |der )?(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?: of| de)? (` + monthWords + `)\.?(?:,? (?:de |del )?(\d{4}))?`,
		`(` + monthWords + `)\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`,
		`(\d{1,2})\.(\d{1,2})\.(\d{4})?`,
		`(?:next |this |the next |nächsten |am )?(` + dayWords + `)(?: (\d{4}))?`,
		`(` + monthWords + `)(?: (?:de |del )?(\d{4}))?`,
	}, "|") + `)($|[^\pL\d-]|,)`)
)

func readMonths() (map[string]time.Month, string) {
	numbers, words := map[string]time.Month{}, []string(nil)
	for n, names := range rows("months") {
		k, _ := strconv.Atoi(n)
		for w := range strings.FieldsSeq(names) {
			numbers[w] = time.Month(k)
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return numbers, strings.Join(words, "|")
}

// readNames reads a table of words by what they name: that of each word, and an
// expression that finds any of them, the longest first.
func readNames(table string) (map[string]string, string) {
	kinds, words := map[string]string{}, []string(nil)
	for kind, names := range rows(table) {
		for w := range strings.SplitSeq(names, "|") {
			kinds[w] = kind
			words = append(words, regexp.QuoteMeta(w))
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return kinds, strings.Join(words, "|")
}

// marked puts a mark in the place of each day that a text names: ‹0›, ‹1›, or ‹m›
// for a month alone.
func marked(q string, now time.Time) (form string, days []day) {
	for len(days) < 4 {
		m := dayForms.FindStringSubmatchIndex(q)
		if m == nil {
			return q, days
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return q[m[2*i]:m[2*i+1]]
		}
		d, mark := dayOf(group, now), fmt.Sprintf("‹%d›", len(days))
		if group(16) != "" {
			mark = "‹m›"
		}
		end := m[1] - len(group(18))
		d.text = strings.TrimSpace(q[m[3]:end])
		days = append(days, d)
		q = q[:m[3]] + mark + q[end:]
	}
	return q, days
}

// dayOf reads a match of dayForms.
func dayOf(group func(int) string, now time.Time) day {
	number := func(i int) int { n, _ := strconv.Atoi(group(i)); return n }
	switch {
	case group(2) != "":
		return dateOf(number(2), number(3), number(4), now)
	case group(5) != "":
		return dateOf(number(7), int(monthNumbers[group(6)]), number(5), now)
	case group(8) != "":
		return dateOf(number(10), int(monthNumbers[group(8)]), number(9), now)
	case group(11) != "":
		return dateOf(number(13), number(12), number(11), now)
	case group(16) != "":
		year := number(17)
		if year == 0 {
			year = now.Year()
		}
		return dateOf(year, int(monthNumbers[group(16)]), 1, now)
	}
	return namedDay(dayNames[group(14)], number(15), now)
}

// dateOf is a day of the calendar; without a year the next of its kind.
func dateOf(year, month, dayOfMonth int, now time.Time) day {
	d := day{year: year != 0}
	if year == 0 {
		year = now.Year()
	}
	d.time = time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
	d.bad = int(d.time.Month()) != month || d.time.Day() != dayOfMonth
	if !d.year && !d.bad && d.time.Before(midnight(now)) {
		d.time = monthsOn(d.time, 12)
	}
	return d
}

// namedDay is a day by its name: from today, of the week, or of every year.
func namedDay(kind string, year int, now time.Time) day {
	if month, dayOfMonth, ok := strings.Cut(kind, "-"); ok && month != "" {
		m, _ := strconv.Atoi(month)
		n, _ := strconv.Atoi(dayOfMonth)
		return dateOf(year, m, n, now)
	}
	today := midnight(now)
	if weekday, ok := strings.CutPrefix(kind, "w"); ok {
		n, _ := strconv.Atoi(weekday)
		return day{time: today.AddDate(0, 0, (n-int(today.Weekday())+6)%7+1), fixed: true}
	}
	n, _ := strconv.Atoi(kind)
	return day{time: today.AddDate(0, 0, n), fixed: true}
}
