package answertype

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// inFigures are dates that any language writes so: 30.06.2024, 6/30/2024, 2024-06-30.
const inFigures = `\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d`

const yearDigit = `(?:1\d{3}|20\d{2})`

// dates are how the dates of a language are written.
type dates struct {
	any *pattern.Regexp // the longest forms first
	day *pattern.Regexp // with a day and a month
}

var datesIn = sync.OnceValue(func() map[lang.Code]dates {
	all := map[lang.Code]dates{}
	for _, code := range lang.Codes() {
		any, day := spelledDates(code)
		if len(code.Dated("year")) > 0 {
			any, day = markedDates(code)
		}
		all[code] = dates{pattern.New(`(?i)` + inFigures + `|` + any), pattern.New(`(?i)` + day + `|\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}/\d{1,2}/\d{2,4}`)}
	}
	return all
})

// oneOf is a pattern for any of some words between others; empty where there are none.
func oneOf(words []string, before, behind string) string {
	if len(words) == 0 {
		return ""
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return `(?:` + before + `(?:` + strings.Join(quoted, "|") + `)` + behind + `)`
}

func maybe(part string) string {
	if part == "" {
		return ""
	}
	return part + "?"
}

// markedDates are dates whose numbers have what they count behind them.
func markedDates(code lang.Code) (any, day string) {
	number := func(digits, says string) string { return `\d{` + digits + `} ?` + oneOf(code.Dated(says), "", "") }
	month, of := number("1,2", "month"), number("1,2", "day")
	day = month + ` ?` + of
	return number("4", "year") + `(?: ?` + month + `(?: ?` + of + `)?)?|` + day, day
}

// spelledDates are dates with the names of months.
func spelledDates(code lang.Code) (any, day string) {
	ordinal := maybe(oneOf(code.Dated("ordinal"), "", ""))
	month := oneOf(code.Months(), "", `\.?`)
	number := `(?:[12]\d|3[01]|0?[1-9])` + ordinal
	of := maybe(oneOf(code.Dated("of"), "", " "))
	day = `(?:` + month + ` ` + number + `|` + number + ` ` + of + month + `)`
	forms := []string{
		day + `,? ` + of + yearDigit, month + `,? ` + of + yearDigit, day,
		`\d{1,2}` + ordinal + ` ` + oneOf(code.Telling(lang.Time), "", "") + maybe(oneOf(code.Dated("era"), " ", "")),
	}
	if era := oneOf(code.Dated("era"), "", ""); era != "" {
		forms = append(forms, `\d{1,4} `+era)
	}
	return strings.Join(append(forms, yearDigit+maybe(oneOf(code.Dated("decade"), "", ""))), "|"), day
}

// datesOf are the dates of a text.
func datesOf(text string) (all []string) {
	for _, at := range datesIn()[lang.Spoken(text)].any.FindAllStringIndex(text, -1) {
		if standsAlone(text, at) {
			all = append(all, text[at[0]:at[1]])
		}
	}
	return all
}

// standsAlone reports whether no word or number goes on at an end of a part of a text.
func standsAlone(text string, at []int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
	behind, _ := utf8.DecodeRuneInString(text[at[1]:])
	goesOn := func(inside, outside rune) bool {
		return unicode.IsDigit(outside) || unicode.IsLetter(outside) && !unicode.Is(unicode.Han, inside) && !unicode.Is(unicode.Han, outside) && !unicode.Is(unicode.Hiragana, outside) && !unicode.Is(unicode.Hangul, outside)
	}
	last, _ := utf8.DecodeLastRuneInString(text[:at[1]])
	return !goesOn(last, before) && !goesOn(last, behind)
}

// AsksWhen reports whether a question wants a date or a time.
func AsksWhen(question string) bool {
	return lang.KindAsked(lang.Spoken(question), question) == lang.Time
}

var (
	yearText  = pattern.New(yearDigit)
	timeOfDay = pattern.New(`\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b`)
)

// OnlyDate is the only date of a sentence that the question does not have: the
// year alone where that is asked for. Empty when there are several.
func OnlyDate(question, text string) string {
	lower := strings.ToLower(question)
	var date string
	for _, d := range datesOf(strings.Join(strings.Fields(text), " ")) {
		switch {
		case strings.Contains(lower, strings.ToLower(d)) || d == date:
		case date != "":
			return ""
		default:
			date = d
		}
	}
	if lang.AsksYear(lang.Spoken(question), question) {
		if y := yearText.FindString(date); y != "" {
			return y
		}
	}
	return date
}

// HasDate reports whether a text has a date or a year.
func HasDate(text string) bool { return len(datesOf(text)) > 0 }

// DatesAt is where a text has dates and years, as bytes of it.
func DatesAt(text string) [][]int {
	return datesIn()[lang.Spoken(text)].any.FindAllStringIndex(text, -1)
}

// WithoutDates is a text without its dates and years.
func WithoutDates(text string) string {
	return datesIn()[lang.Spoken(text)].any.ReplaceAllString(text, "")
}

// HasTimeOfDay reports whether a text has a time of day, or a day in figures or by
// its name.
func HasTimeOfDay(text string) bool {
	code := lang.Spoken(text)
	return timeOfDay.MatchString(text) || slices.ContainsFunc(words(text), func(w string) bool {
		_, ok := lang.Weekday(code, strings.TrimSuffix(w, "s"))
		return ok && len(w) > 3
	})
}

// NamesDay reports whether a question names a day.
func NamesDay(question string) bool {
	return datesIn()[lang.Spoken(question)].day.MatchString(question)
}

// words are those of a text, in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
}
