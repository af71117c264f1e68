// Package labels tells labels of rows that are dates or numbers from those that are words:
// such a one names its row whole, as nearly the same one names another row.
package labels

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// IsBare reports whether a label is a date or a number.
func IsBare(label string) bool { return !strings.ContainsFunc(label, unicode.IsLetter) }

// NamesBare reports whether a question has a date or number that is a label, the
// date in any of the ways to write it.
func NamesBare(question, label string) bool {
	forms := []string{label}
	if day, err := time.Parse(time.DateOnly, label); err == nil {
		for _, layout := range []string{"2 January", "January 2", "2 Jan", "Jan 2", "2.1.2006", "02.01.2006", "1/2/2006"} {
			forms = append(forms, day.Format(layout))
		}
	}
	if month, err := time.Parse("2006-01", label); err == nil {
		forms = append(forms, month.Format("January 2006"), month.Format("Jan 2006"), month.Format("1/2006"), month.Format("01/2006"))
	}
	question = ordinal.ReplaceAllString(strings.ToLower(question), "$1")
	return slices.ContainsFunc(forms, func(form string) bool { return standsIn(question, strings.ToLower(form)) })
}

// ordinal is a day with what may be written beside its number: 6th of.
var ordinal = pattern.New(`\b(\d{1,2})(?:(?:st|nd|rd|th)\b(?: of\b)?| of\b)`)

// IsDay reports whether a label is a date.
func IsDay(label string) bool {
	_, err := time.Parse(time.DateOnly, label)
	return err == nil
}

// TellsTime reports whether a row has a date, a day or a time of day.
func TellsTime(row evidence.Row) bool {
	return slices.ContainsFunc(append([]string{row.Label}, row.Values...), func(cell string) bool {
		return answertype.HasTimeOfDay(cell) || answertype.HasDate(cell)
	})
}

// standsIn reports whether words stand in a text, whole.
func standsIn(text, words string) bool {
	for from := 0; words != ""; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:from+at])
		after, _ := utf8.DecodeRuneInString(text[from+at+len(words):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		from += at + len(words)
	}
	return false
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
