package intent

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/lang"
)

// Inventory is a question about the files themselves: how many, which, how large.
type Inventory struct {
	Filter string // as people search: type:pdf folder:"x" after:2026-01-01 before:2026-02-01
	Order  Order
	Most   int  // files asked for, with an order; 0 = one
	Count  bool // it asks for their number
	Size   bool // it asks for their bytes
	Failed bool // only those that could not be read
	Code   lang.Code
}

// Order puts files in a row.
type Order string

// The orders, each from its end.
const (
	AnyOrder Order = ""
	Largest  Order = "largest"
	Smallest Order = "smallest"
	Newest   Order = "newest"
	Oldest   Order = "oldest"
)

const mostListed = 100 // a larger number in a question is no number of files

// InventoryOf reads a question for one about the files themselves. Every word of
// it must belong to such a question, in one of the languages: a word of any other
// matter makes it a search.
func InventoryOf(question string, now time.Time) (Inventory, bool) {
	for _, code := range spoken(question) {
		if i, ok := inventoryIn(code, question, now); ok {
			i.Code = code
			return i, true
		}
	}
	return Inventory{}, false
}

// spoken are the languages to read a question in, the one it seems to be in first.
func spoken(question string) []lang.Code {
	codes := lang.Codes()
	if code := lang.Detect(question); code != lang.Unknown {
		codes = slices.Insert(slices.DeleteFunc(codes, func(c lang.Code) bool { return c == code }), 0, code)
	}
	return codes
}

// asked is a question about files as its words are read.
type asked struct {
	question string
	terms    []lang.Term
	has      map[string]bool
}

func readIn(code lang.Code, question string) asked {
	a := asked{question: question, terms: lang.Terms(code, question), has: map[string]bool{}}
	for _, t := range a.terms {
		a.has[t.Means] = true
		if strings.HasPrefix(t.Means, "type:") {
			a.has["type"] = true
		}
	}
	return a
}

// ofFiles reports whether a question speaks of files at all.
func (a asked) ofFiles() bool { return a.has["file"] || a.has["type"] }

// types are the filters that the kinds of file mean.
func (a asked) types() (filters []string) {
	for _, t := range a.terms {
		if strings.HasPrefix(t.Means, "type:") && !slices.Contains(filters, t.Means) {
			filters = append(filters, t.Means)
		}
	}
	return filters
}

func inventoryIn(code lang.Code, question string, now time.Time) (i Inventory, ok bool) {
	a := readIn(code, question)
	if !a.ofFiles() || a.has["mention"] || a.has["term"] || a.has["often"] || a.has["not"] || a.has["or"] || a.has["recorded"] {
		return i, false
	}
	filters := a.types()
	when, rest, ok := a.when(code, now)
	if !ok {
		return i, false
	}
	rest, i.Most = a.numberIn(code, rest)
	if len(rest) > 0 {
		folder, named := a.folder(rest)
		if !named {
			return i, false
		}
		filters = append(filters, `folder:"`+folder+`"`)
	}
	for _, o := range []Order{Largest, Smallest, Newest, Oldest} {
		if a.has[string(o)] {
			i.Order = o
		}
	}
	i.Count, i.Size, i.Failed = a.has["count"], a.has["size"], a.has["failed"]
	filters = append(filters, when...)
	i.Filter = strings.Join(filters, " ")
	some := i.Count || i.Size || i.Failed || i.Order != AnyOrder || len(when) > 0
	listed := a.has["list"] || a.has["show"] && (a.has["all"] || a.has["have"])
	return i, (some || listed) && (i.Most == 0 || i.Order != AnyOrder)
}

// folder is the name that the rest of a question gives to a folder.
func (a asked) folder(rest []lang.Term) (name string, ok bool) {
	if !a.has["folder"] {
		return "", false
	}
	name, ok = a.span(rest)
	return strings.ReplaceAll(name, `"`, ""), ok
}

// span is the text from the first to the last of some terms, when none but small
// words stand between them.
func (a asked) span(some []lang.Term) (text string, ok bool) {
	if len(some) == 0 {
		return "", false
	}
	start, end := some[0].Start, some[len(some)-1].End
	for _, t := range a.terms {
		between := t.Start >= start && t.End <= end
		if between && t.Means != lang.Content && t.Means != lang.Quoted && t.Means != lang.Filler && t.Means != "and" && t.Means != "or" {
			return "", false
		}
	}
	return a.question[a.whole(start):end], true
}

// whole is where the word begins that start stands in: of languages without
// spaces, a small word may have been cut off its head.
func (a asked) whole(start int) int {
	for i := len(a.terms) - 1; i >= 0; i-- {
		t := a.terms[i]
		if t.End == start && t.Means == lang.Filler && utf8.RuneCountInString(a.question[t.Start:t.End]) == 1 && a.question[t.Start] >= utf8.RuneSelf {
			start = t.Start
		}
	}
	return start
}

// numberIn takes a number of files out of what is left of a question.
func (a asked) numberIn(code lang.Code, rest []lang.Term) (left []lang.Term, most int) {
	for _, t := range rest {
		n, ok := lang.Number(code, a.question[t.Start:t.End])
		if ok && most == 0 && n > 0 && n <= mostListed {
			most = int(n)
			continue
		}
		left = append(left, t)
	}
	return left, most
}

// when reads the periods of a question: as filters, with the words of content
// that are left. ok is false for two of them.
func (a asked) when(code lang.Code, now time.Time) (filters []string, rest []lang.Term, ok bool) {
	var from, to time.Time
	year, month := 0, time.Month(0)
	for _, t := range a.terms {
		word := a.question[t.Start:t.End]
		if f, u, named := periodOf(t.Means, now); named {
			if !from.IsZero() {
				return nil, nil, false
			}
			from, to = f, u
			continue
		}
		if t.Means == lang.Quoted {
			rest = append(rest, t)
		}
		if t.Means != lang.Content {
			continue
		}
		if n, err := strconv.Atoi(word); err == nil && n >= 1970 && n <= now.Year()+1 && year == 0 {
			year = n
			continue
		}
		if m, named := lang.Month(code, word); named && month == 0 {
			month = m
			continue
		}
		rest = append(rest, t)
	}
	if year > 0 || month > 0 {
		if !from.IsZero() {
			return nil, nil, false
		}
		from, to = monthOf(year, month, now)
	}
	if from.IsZero() {
		return nil, rest, true
	}
	return []string{"after:" + from.Format(time.DateOnly), "before:" + to.Format(time.DateOnly)}, rest, true
}

// monthOf is a month, or a year where none is named. A month without a year is
// the last one that has begun.
func monthOf(year int, month time.Month, now time.Time) (from, to time.Time) {
	if month == 0 {
		return day(year, 1, 1), day(year+1, 1, 1)
	}
	if year == 0 {
		if year = now.Year(); month > now.Month() {
			year--
		}
	}
	return day(year, month, 1), day(year, month+1, 1)
}

func day(year int, month time.Month, n int) time.Time {
	return time.Date(year, month, n, 0, 0, 0, 0, time.UTC)
}

// periodOf is the first day of a named period, and the one after it.
func periodOf(name string, now time.Time) (from, to time.Time, ok bool) {
	today := day(now.Year(), now.Month(), now.Day())
	week := today.AddDate(0, 0, -(int(today.Weekday())+6)%7) // Monday
	switch name {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	case "this-week":
		return week, week.AddDate(0, 0, 7), true
	case "last-week":
		return week.AddDate(0, 0, -7), week, true
	case "this-month":
		return day(now.Year(), now.Month(), 1), day(now.Year(), now.Month()+1, 1), true
	case "last-month":
		return day(now.Year(), now.Month()-1, 1), day(now.Year(), now.Month(), 1), true
	case "this-year":
		return day(now.Year(), 1, 1), day(now.Year()+1, 1, 1), true
	case "last-year":
		return day(now.Year()-1, 1, 1), day(now.Year(), 1, 1), true
	}
	return from, to, false
}
