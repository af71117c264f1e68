package compute

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	dayPattern  = `(today|tomorrow|yesterday|now|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+,? \d{4}|[a-z]+ \d{1,2}(?:st|nd|rd|th)?,? \d{4}|christmas(?: \d{4})?|new year(?:'s day)?(?: \d{4})?)`
	spanPattern = `(\d{1,5}) (days?|weeks?|months?|years?|working days?|business days?)`
)

var (
	between = regexp.MustCompile(`(?i)^(?:.*?\b(days?|weeks?|months?|years?|working days?|business days?|long|time)\b)?.*?\b(?:between|from) ` + dayPattern + ` (?:and|to|until|till) ` + dayPattern + `\W*$`)
	minus   = regexp.MustCompile(`(?i)^\W*(?:what is |what's )?` + dayPattern + ` ?(?:-|−|minus) ?` + dayPattern + `\W*$`)
	until   = regexp.MustCompile(`(?i)^how (?:many (days?|weeks?|months?|years?|working days?|business days?)|(long)) .*?(until|till|to|since|before|after) ` + dayPattern + `\W*$`)
	shifted = regexp.MustCompile(`(?i)^(?:.*?\b)?` + spanPattern + ` (after|before|from|since|ago)(?: ` + dayPattern + `)?\W*$`)
	plus    = regexp.MustCompile(`(?i)^\W*(?:what is |what's )?` + dayPattern + ` ?(plus|\+|minus|-|−) ?` + spanPattern + `\W*$`)
	weekday = regexp.MustCompile(`(?i)^(?:what|which) (?:day|weekday)(?: of the week)? (?:is|was|will be|does|did) ` + dayPattern + `(?: fall on| be)?\W*$`)
	leap    = regexp.MustCompile(`(?i)^(?:is|was|will) (?:the year )?(\d{1,4})(?: be)? a leap year\W*$`)
)

// dates answers questions about dates; ok is false for everything else.
func dates(question string, now time.Time) (r Result, ok bool, err error) {
	q := strings.Join(strings.Fields(strings.NewReplacer("’", "'").Replace(question)), " ")
	switch {
	case leap.MatchString(q):
		m := leap.FindStringSubmatch(q)
		year, _ := strconv.Atoi(m[1])
		return Result{Output: fmt.Sprintf("%d %s a leap year", year, map[bool]string{true: "is", false: "is not"}[isLeap(year)])}, true, nil
	case weekday.MatchString(q):
		m := weekday.FindStringSubmatch(q)
		d, err := dayOf(m[1], now)
		return Result{Input: long(d), Output: d.Weekday().String()}, true, err
	case plus.MatchString(q):
		m := plus.FindStringSubmatch(q)
		return shift(m[1], m[3], m[4], m[2] == "plus" || m[2] == "+", now)
	case minus.MatchString(q):
		m := minus.FindStringSubmatch(q)
		return span("days", m[2], m[1], now)
	case between.MatchString(q):
		m := between.FindStringSubmatch(q)
		return span(m[1], m[2], m[3], now)
	case until.MatchString(q):
		m := until.FindStringSubmatch(q)
		if w := strings.ToLower(m[3]); w == "since" || w == "after" {
			return span(m[1]+m[2], m[4], "today", now)
		}
		return span(m[1]+m[2], "today", m[4], now)
	case shifted.MatchString(q):
		m := shifted.FindStringSubmatch(q)
		way, day := strings.ToLower(m[3]), m[4]
		if way == "ago" || day == "" {
			day = "today"
		}
		return shift(day, m[1], m[2], way != "before" && way != "ago", now)
	}
	return Result{}, false, nil
}

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

var (
	ordinal = regexp.MustCompile(`(?i)(\d)(st|nd|rd|th)\b`)
	holiday = regexp.MustCompile(`(?i)^(christmas|new year)\D*(\d{4})?$`)
)

func dayOf(text string, now time.Time) (time.Time, error) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	switch strings.ToLower(text) {
	case "today", "now":
		return today, nil
	case "tomorrow":
		return today.AddDate(0, 0, 1), nil
	case "yesterday":
		return today.AddDate(0, 0, -1), nil
	}
	if m := holiday.FindStringSubmatch(text); m != nil {
		month, day := time.December, 25
		if strings.EqualFold(m[1], "new year") {
			month, day = time.January, 1
		}
		if year, err := strconv.Atoi(m[2]); err == nil {
			return time.Date(year, month, day, 0, 0, 0, 0, time.UTC), nil
		}
		d := time.Date(now.Year(), month, day, 0, 0, 0, 0, time.UTC)
		if d.Before(today) {
			d = d.AddDate(1, 0, 0)
		}
		return d, nil
	}
	plain := strings.Join(strings.Fields(strings.NewReplacer(",", " ", " of ", " ").Replace(ordinal.ReplaceAllString(text, "$1"))), " ")
	for _, layout := range []string{"2006-1-2", "2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006"} {
		if d, err := time.Parse(layout, title(plain)); err == nil {
			return d, nil
		}
	}
	return time.Time{}, refuse("“" + text + "” is no date.")
}

func title(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

func long(d time.Time) string { return d.Format("2 January 2006") }

// span is the time between two dates, in days unless another unit is asked for.
func span(unit, from, to string, now time.Time) (Result, bool, error) {
	a, err := dayOf(from, now)
	if err != nil {
		return Result{}, true, err
	}
	b, err := dayOf(to, now)
	if err != nil {
		return Result{}, true, err
	}
	sign := ""
	if b.Before(a) {
		a, b, sign = b, a, "−"
	}
	days := int(b.Sub(a).Hours() / 24)
	out := Result{Input: "from " + long(a) + " to " + long(b)}
	switch unit = strings.TrimSuffix(strings.ToLower(unit), "s"); unit {
	case "week":
		out.Output = count(days/7, "week") + rest(days%7, "day")
	case "month", "year", "long", "time":
		years, months, left := calendar(a, b)
		if unit == "month" {
			out.Output = count(12*years+months, "month") + rest(left, "day")
			break
		}
		out.Output = strings.TrimPrefix(rest(years, "year")+rest(months, "month")+rest(left, "day"), ", ")
		if out.Output == "" {
			out.Output = "0 days"
		}
		out.Output += fmt.Sprintf(" (%s)", count(days, "day"))
	case "working day", "business day":
		out.Output = count(working(a, b), "working day")
	default:
		out.Output = count(days, "day")
	}
	out.Output = sign + out.Output
	return out, true, nil
}

func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return grouped(strconv.Itoa(n)) + " " + unit
}

func rest(n int, unit string) string {
	if n == 0 {
		return ""
	}
	return ", " + count(n, unit)
}

// calendar counts whole years, months and days between two dates.
func calendar(a, b time.Time) (years, months, days int) {
	whole := (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())
	if monthsOn(a, whole).After(b) {
		whole--
	}
	return whole / 12, whole % 12, int(b.Sub(monthsOn(a, whole)).Hours() / 24)
}

// monthsOn is the same day so many months on; the last one where that month is
// too short.
func monthsOn(d time.Time, n int) time.Time {
	first := time.Date(d.Year(), d.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(d.Day(), last)-1)
}

// working counts Mondays to Fridays from a up to the day before b.
func working(a, b time.Time) (n int) {
	days := int(b.Sub(a).Hours() / 24)
	n = days / 7 * 5
	for d := a.AddDate(0, 0, days/7*7); d.Before(b); d = d.AddDate(0, 0, 1) {
		if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			n++
		}
	}
	return n
}

// shift is a date so long after or before another.
func shift(day, n, unit string, after bool, now time.Time) (Result, bool, error) {
	from, err := dayOf(day, now)
	if err != nil {
		return Result{}, true, err
	}
	k, err := strconv.Atoi(n)
	if err != nil {
		return Result{}, true, refuse("“" + n + "” is no number of days.")
	}
	way := "after"
	if !after {
		k, way = -k, "before"
	}
	var to time.Time
	switch strings.TrimSuffix(strings.ToLower(unit), "s") {
	case "week":
		to = from.AddDate(0, 0, 7*k)
	case "month":
		to = monthsOn(from, k)
	case "year":
		to = monthsOn(from, 12*k)
	case "working day", "business day":
		to = workingOn(from, k)
	default:
		to = from.AddDate(0, 0, k)
	}
	return Result{Input: n + " " + unit + " " + way + " " + long(from), Output: to.Weekday().String() + ", " + long(to)}, true, nil
}

func workingOn(d time.Time, n int) time.Time {
	step := 1
	if n < 0 {
		step, n = -1, -n
	}
	for n > 0 {
		d = d.AddDate(0, 0, step)
		if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			n--
		}
	}
	return d
}
