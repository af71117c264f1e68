package compute

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

func long(d time.Time) string { return d.Format("2 January 2006") }

func longest(d time.Time) string { return d.Weekday().String() + ", " + long(d) }

// span is the time between two days, in days unless another unit is asked for.
func span(unit string, a, b time.Time) Result {
	out := Result{Input: "from " + long(a) + " to " + long(b)}
	sign := ""
	if b.Before(a) {
		a, b, sign = b, a, "−"
	}
	days := daysBetween(a, b)
	switch unit {
	case "week":
		out.Output = count(days/7, "week") + rest(days%7, "day")
	case "month":
		years, months, left := calendar(a, b)
		out.Output = count(12*years+months, "month") + rest(left, "day")
	case "year", "long":
		years, months, left := calendar(a, b)
		out.Output = strings.TrimPrefix(rest(years, "year")+rest(months, "month")+rest(left, "day"), ", ")
		if years+months == 0 {
			out.Output = count(days, "day")
			break
		}
		out.Output += fmt.Sprintf(" (%s)", count(days, "day"))
	case "working day":
		out.Output, out.Note = count(working(a, b), "working day"), "Mondays to Fridays; holidays are not known"
	default:
		out.Output = count(days, "day")
	}
	out.Output = sign + out.Output
	return out
}

func daysBetween(a, b time.Time) int { return int(b.Sub(a).Hours() / 24) }

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
	return whole / 12, whole % 12, daysBetween(monthsOn(a, whole), b)
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
	days := daysBetween(a, b)
	n = days / 7 * 5
	for d := a.AddDate(0, 0, days/7*7); d.Before(b); d = d.AddDate(0, 0, 1) {
		if d.Weekday() != time.Saturday && d.Weekday() != time.Sunday {
			n++
		}
	}
	return n
}

// shift is a day so long after another, or before it where n is negative.
func shift(from time.Time, n int, unit string) Result {
	way, size := "after", n
	if n < 0 {
		way, size = "before", -n
	}
	to := from
	switch unit {
	case "week":
		to = from.AddDate(0, 0, 7*n)
	case "month":
		to = monthsOn(from, n)
	case "year":
		to = monthsOn(from, 12*n)
	case "working day":
		to = workingOn(from, n)
	default:
		to = from.AddDate(0, 0, n)
	}
	return Result{Input: count(size, unit) + " " + way + " " + long(from), Output: longest(to)}
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
