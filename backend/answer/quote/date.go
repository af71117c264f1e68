package quote

import (
	"regexp"
	"strings"
)

// The only short answer is a date: numbers, names and places are right too
// seldom to stand alone.

const (
	monthName = `(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)`
	dayNumber = `(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?`
	yearDigit = `(?:1\d{3}|20\d{2})`
)

var (
	// Longest first.
	dateText = regexp.MustCompile(`\b(?:` + strings.Join([]string{
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
	yearText = regexp.MustCompile(`\b` + yearDigit + `s?\b`)

	// Question types that come before "when": the first that fits counts.
	howMuchOrMany = regexp.MustCompile(`\bhow (?:much|expensive|costly|many|few|often|old|long|tall|far|high|deep|large|big|heavy|fast|wide|hot|cold)\b` +
		`|\bwhat (?:price|cost|percentage|percent|amount|sum|share|proportion|fraction|rate)\b` +
		`|\bwhat (?:was|is|were|are) the (?:\w+ ){0,3}(?:price|cost|percentage|amount|rate|revenue|income|budget|salary|temperature|population|height|length|weight|speed|distance|margin|value|number|total|size|capacity|average|median)\b` +
		`|\b(?:what|which) (?:number|age|temperature|height|length|size|distance|speed)\b|\bnumber of\b.*\?`)
	whenAsked = regexp.MustCompile(`\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time|season|era|period)\b|\bwhat \w+ (?:year|date|century)\b|\bhow recently\b`)
	yearAsked = regexp.MustCompile(`\b(?:what|which) year\b|\bwhat \w+ year\b`)
)

// leadOfShort is how far ahead of the next the best sentence must be for its
// date to stand alone.
const leadOfShort = 0.05

// asksWhen reports whether a question wants a date or a time.
func asksWhen(question string) bool {
	lower := strings.ToLower(question)
	return !howMuchOrMany.MatchString(lower) && whenAsked.MatchString(lower)
}

// shortDate is the date that answers a when-question: the only one in the best
// sentence that the question does not have. Empty when in doubt.
func shortDate(question string, best []Sentence) string {
	lower := strings.ToLower(question)
	if !asksWhen(question) {
		return ""
	}
	if len(best) > 1 && best[0].Score-best[1].Score < leadOfShort {
		return ""
	}
	var date string
	sentence := strings.Join(strings.Fields(best[0].Text), " ")
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
