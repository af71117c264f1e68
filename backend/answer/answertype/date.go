package answertype

import (
	"strings"

	"footnote/backend/pattern"
)

const (
	monthName = `(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)`
	dayNumber = `(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?`
	yearDigit = `(?:1\d{3}|20\d{2})`
)

var (
	// Longest first.
	dateText = pattern.New(`\b(?:` + strings.Join([]string{
		monthName + ` ` + dayNumber + `,? ` + yearDigit + `\b`,
		dayNumber + ` (?:of )?` + monthName + `,? ` + yearDigit + `\b`,
		monthName + `,? ` + yearDigit + `\b`,
		monthName + ` ` + dayNumber + `\b`,
		dayNumber + ` (?:of )?` + monthName + `\b`,
		`(?:(?:early|late|mid)[- ])?` + yearDigit + `s\b`,
		`\d{1,2}(?:st|nd|rd|th) century(?: (?:BC|AD)\b)?`,
		`\d{1,4} (?:BC|AD)\b`,
		yearDigit + `\b`,
	}, "|") + `)`)
	yearText = pattern.New(`\b` + yearDigit + `s?\b`)

	// Question types that come before "when": the first that fits counts.
	howMuchOrMany = pattern.New(`\bhow (?:much|expensive|costly|many|few|often|old|long|tall|far|high|deep|large|big|heavy|fast|wide|hot|cold)\b` +
		`|\bwhat (?:price|cost|percentage|percent|amount|sum|share|proportion|fraction|rate)\b` +
		`|\bwhat (?:was|is|were|are) the (?:\w+ ){0,3}(?:price|cost|percentage|amount|rate|revenue|income|budget|salary|temperature|population|height|length|weight|speed|distance|margin|value|number|total|size|capacity|average|median)\b` +
		`|\b(?:what|which) (?:number|age|temperature|height|length|size|distance|speed)\b|\bnumber of\b.*\?`)
	whenAsked = pattern.New(`\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time|season|era|period)\b|\bwhat \w+ (?:year|date|century)\b|\bhow recently\b`)
	yearAsked = pattern.New(`\b(?:what|which) year\b|\bwhat \w+ year\b`)
)

// AsksWhen reports whether a question wants a date or a time.
func AsksWhen(question string) bool {
	lower := strings.ToLower(question)
	return !howMuchOrMany.MatchString(lower) && whenAsked.MatchString(lower)
}

var timeOfDay = pattern.New(`\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?[ap]\.?m\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)`)

// OnlyDate is the only date of a sentence that the question does not have: the
// year alone where that is asked for. Empty when there are several.
func OnlyDate(question, text string) string {
	lower := strings.ToLower(question)
	var date string
	sentence := strings.Join(strings.Fields(text), " ")
	for _, d := range dateText.FindAllString(sentence, -1) {
		switch {
		case strings.Contains(lower, strings.ToLower(d)) || d == date:
		case date != "":
			return ""
		default:
			date = d
		}
	}
	if yearAsked.MatchString(lower) {
		if y := yearText.FindString(date); y != "" {
			return y
		}
	}
	return date
}

// HasDate reports whether a text has a date or a year.
func HasDate(text string) bool { return dateText.MatchString(text) }

// WithoutDates is a text without its dates and years.
func WithoutDates(text string) string { return dateText.ReplaceAllString(text, "") }

// HasTimeOfDay reports whether a text has a time of day, or a day in figures or by
// its name.
func HasTimeOfDay(text string) bool { return timeOfDay.MatchString(text) }

// dayAsked finds a day in a question.
var dayAsked = pattern.New(`(?i)\b(?:` + monthName + ` ` + dayNumber + `|` + dayNumber + ` (?:of )?` + monthName + `)\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}\.\d{1,2}\.\d{2,4}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b`)

// NamesDay reports whether a question names a day.
func NamesDay(question string) bool { return dayAsked.MatchString(question) }
