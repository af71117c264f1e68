package compute

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"footnote/backend/pattern"
)

// asking is a way to ask about dates: what it asks for and how it is put.
type asking struct {
	kind string
	form *pattern.Regexp
}

var (
	spanNames, spanWords = readNames("spans")
	askings              = readAskings()
)

func readAskings() (out []asking) {
	for kind, form := range rows("dates") {
		form = strings.NewReplacer("{unit}", "("+spanWords+")", "{n}", `(\d{1,5})`, "<1>", "(‹0›)", "<2>", "(‹1›)", "<month>", "(‹m›)").Replace(form)
		out = append(out, asking{kind, pattern.New(`^(?:` + form + `)$`)})
	}
	return out
}

// dates answers questions about dates; ok is false for everything else. The error
// is of a day that does not exist.
func dates(question string, now time.Time) (r Result, ok bool, err error) {
	q := strings.ToLower(strings.Join(strings.Fields(signs.Replace(question)), " "))
	q = strings.Trim(q, "?!. ")
	if asked, ok := direct(q, now); ok {
		return asked, true, nil
	}
	form, days := marked(q, now)
	form = politely.ReplaceAllString(numbers(form), "")
	for _, a := range askings {
		if m := a.form.FindStringSubmatch(form); m != nil {
			return a.answer(fieldsOf(m), days, now)
		}
	}
	return Result{}, false, nil
}

var politely = pattern.New(`^(?:please|can you tell me|could you tell me|tell me|calculate|do you know|exactly)[, ]+`)

// numbers writes the number words before units of time in digits.
func numbers(form string) string {
	words := strings.Fields(form)
	for i := 0; i+1 < len(words); i++ {
		if n, ok := compound(words[i], 0); ok && spanNames[words[i+1]] != "" && n < 100000 {
			words[i] = strconv.FormatInt(n, 10)
		}
	}
	return strings.Join(words, " ")
}

// direct answers what needs no date but that of today.
func direct(q string, now time.Time) (Result, bool) {
	for _, a := range askings {
		m := a.form.FindStringSubmatch(q)
		if m == nil {
			continue
		}
		switch year := fieldsOf(m); a.kind {
		case "today":
			return Result{Output: longest(now)}, true
		case "time":
			return Result{Output: now.Format("15:04")}, true
		case "week":
			_, week := now.ISOWeek()
			return Result{Output: fmt.Sprintf("Week %d of %d", week, now.Year())}, true
		case "leap":
			n, _ := strconv.Atoi(year[0])
			return Result{Output: fmt.Sprintf("%d %s a leap year", n, map[bool]string{true: "is", false: "is not"}[isLeap(n)])}, true
		case "yeardays":
			n, _ := strconv.Atoi(year[0])
			return Result{Input: year[0], Output: count(map[bool]int{true: 366, false: 365}[isLeap(n)], "day")}, true
		}
	}
	return Result{}, false
}

// fieldsOf are the groups of a match that took something.
func fieldsOf(match []string) (out []string) {
	for _, m := range match[1:] {
		if m != "" {
			out = append(out, m)
		}
	}
	return append(out, "", "", "")
}

func (a asking) answer(fields []string, days []day, now time.Time) (Result, bool, error) {
	at := func(i int) time.Time {
		if i < len(days) {
			return days[i].time
		}
		return midnight(now)
	}
	for _, d := range days {
		if d.bad {
			return Result{}, true, refuse("“" + d.text + "” is no date.")
		}
	}
	unit, n := "", 0
	for _, f := range fields {
		if name := spanNames[f]; name != "" {
			unit = name
		}
		if k, err := strconv.Atoi(f); err == nil {
			n = k
		}
	}
	switch a.kind {
	case "weekday":
		return Result{Input: long(at(0)), Output: at(0).Weekday().String()}, true, nil
	case "monthdays":
		last := monthsOn(at(0), 1).AddDate(0, 0, -1)
		return Result{Input: last.Format("January 2006"), Output: count(last.Day(), "day")}, true, nil
	case "until":
		return span(unit, midnight(now), at(0)), true, nil
	case "since":
		return span(unit, lastYear(days, 0, now), midnight(now)), true, nil
	case "between":
		from, to := inOrder(days)
		return span(unit, from, to), true, nil
	case "minus":
		if !days[0].year && !days[0].fixed || !days[1].year && !days[1].fixed { // "3 May - 5 June" is a time, not a sum
			return Result{}, false, nil
		}
		return span("day", at(1), at(0)), true, nil
	case "plus":
		return shift(at(0), n, unit), true, nil
	case "less":
		return shift(at(0), -n, unit), true, nil
	case "ahead":
		return shift(midnight(now), n, unit), true, nil
	case "behind":
		return shift(midnight(now), -n, unit), true, nil
	}
	return Result{}, false, nil
}

// lastYear is a day that was: one without a year is the last of its kind.
func lastYear(days []day, i int, now time.Time) time.Time {
	d := days[i].time
	if !days[i].year && d.After(midnight(now)) {
		return monthsOn(d, -12)
	}
	return d
}

// inOrder gives two days; one without a year takes that of the other, and the
// second is the next after the first.
func inOrder(days []day) (from, to time.Time) {
	a, b := days[0], days[1]
	switch {
	case !a.year && b.year:
		a.time = a.in(b.time.Year())
		if a.time.After(b.time) {
			a.time = a.in(b.time.Year() - 1)
		}
	case a.year && !b.year:
		b.time = b.in(a.time.Year())
		if b.time.Before(a.time) {
			b.time = b.in(a.time.Year() + 1)
		}
	case !a.year && !b.year && b.time.Before(a.time) && !a.fixed && !b.fixed:
		a.time = a.in(b.time.Year())
		if a.time.After(b.time) {
			b.time = b.in(b.time.Year() + 1)
		}
	}
	return a.time, b.time
}
