package along

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells/limits"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Operation is what a question wants done with several cells.
type Operation int

// The operations.
const (
	NoOperation Operation = iota
	difference
	percentChange
	average
	sum
	share
	most
	least
)

// Operation is what a question wants done with the cells of a row and those around
// it. A word that stands in the row names it and asks for nothing.
func (a Asked) Operation(row evidence.Row) Operation {
	own := strings.ToLower(strings.Join(append([]string{row.Label, row.Section, row.Of}, row.Heads...), " "))
	code := lang.Spoken(a.Text)
	said := lang.CalculationsIn(code, limits.Of(code, a.Text).Without(a.Text))
	asks := func(what lang.Calculation) bool {
		return slices.ContainsFunc(said[what], func(words string) bool {
			isLabel := what == lang.Sum && !strings.Contains(words, " ") && lang.IsTotal(words) // of a row: total revenue
			return !strings.Contains(own, strings.ToLower(words)) && (!isLabel || len(a.Period.Years) > 1)
		})
	}
	changes := asks(lang.Change)
	switch {
	case asks(lang.Share) && !(changes && asks(lang.Percent)):
		return share
	case asks(lang.Average):
		return average
	case asks(lang.Percent) && (changes || asks(lang.Difference)):
		return percentChange
	case asks(lang.Difference), changes && asksFigure(code, a.Text):
		return difference
	case asks(lang.Sum):
		return sum
	case asks(lang.Most):
		return most
	case asks(lang.Least):
		return least
	}
	return NoOperation
}

// asksFigure reports whether a question can ask how much or how many.
func asksFigure(code lang.Code, question string) bool {
	return !lang.AsksYesNo(code, question) && !slices.Contains([]lang.AnswerType{lang.Person, lang.Time, lang.Place, lang.Reason, lang.Manner}, lang.KindAsked(code, question))
}

// Asks reports whether a question seems to ask for something to be worked out,
// whatever it is about.
func Asks(question string) bool {
	a := Asked{Text: question, Period: times.PeriodOf(question)}
	return !slices.Contains([]Operation{NoOperation, most, least}, a.Operation(evidence.Row{}))
}
