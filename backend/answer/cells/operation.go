package cells

import (
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
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

var (
	averageAsked = pattern.New(`(?i)\b(?:average|mean|durchschnitt\w*|im mittel|mittelwert|moyen(?:ne)?s?|promedio|media|in media)\b`)
	percentAsked = pattern.New(`(?i)(?:\b(?:percent(?:age)?|prozent\w*|pourcentage|porcentaje|percentuale|growth rate)\b|%|\bpour cent\b|\bpor ciento\b).*\b(?:chang\w*|increas\w*|decreas\w*|gr[eo]w\w*|growth|declin\w*|drop\w*|fall|fell|rise|rose|veränder\w*|anstieg|gestiegen|gesunken|gewachsen|rückgang|variation|hausse|baisse|augment\w*|diminu\w*|cambio|aument\w*|variación|crec\w*)(?:\P{L}|$)|\b(?:chang\w*|increas\w*|decreas\w*|gr[eo]w\w*|declin\w*|gestiegen|augment\w*|aument\w*)\b.*(?:\bpercent(?:age)?\b|%|\bprozent\b)`)
	changeAsked  = pattern.New(`(?i)\b(?:what|how much|by how many|by how much|how many)\b.*\b(?:difference|chang\w*|increas\w*|decreas\w*|gr[eo]w|growth|declin\w*|rise|rose|drop\w*|fell|fall)\b|\b(?:differenz|unterschied|veränderung|différence|écart|diferencia|differenza)(?:\P{L}|$)|\bum wie ?viel\b|\bde combien\b|\bde cuánto\b|\bhow (?:much|many) (?:more|less|fewer)\b|\bwie ?viele? mehr\b|\bcombien de plus\b|\bcuánt[oa]s? más\b`)
	sumAsked     = pattern.New(`(?i)\b(?:sum|total|combined|insgesamt|zusammen|au total|en total)\b.*\b(?:both|over|across|for (?:the )?(?:\w+ )?years|and|und|et|y)\b`)
	sumOf        = pattern.New(`(?i)\b(?:sum of|total of|combined|altogether|zusammen|summe|somme|suma|somma)\b`)
	shareAsked   = pattern.New(`(?i)\b(?:ratio|proportion|share of|percentage of|percent of|constitut\w*|ma[dk]e up|anteil|verhältnis|proporción|rapport entre|quelle part|qué parte|quota)(?:\P{L}|$)|\bas an? (?:percentage|percent|proportion|share) of\b|% of\b|\b(?:pourcentage|porcentaje) (?:du|de la|de l|des|de|del)\b|\bwie ?viel prozent (?:der|des|vom|von)\b`)
	mostAsked    = pattern.New(`(?i)\b(?:most|highest|largest|biggest|greatest|maximum|höchste\w*|größte\w*|meisten|maximal\w*|mayor|más alt[oa]|massim\w*|più alt[oa]|maggior\w*)(?:\P{L}|$)|\bl[ea] plus (?:grande?|élevée?|haute?)\b|\ble plus de\b`)
	leastAsked   = pattern.New(`(?i)\b(?:least|lowest|smallest|fewest|minimum|niedrigste\w*|kleinste\w*|wenigsten|menor|más baj[oa]|mínim[oa]|minim[oa]|più bass[oa])(?:\P{L}|$)|\bl[ea] plus (?:petite?|basse?|faible)\b|\ble moins de\b`)
	percentWords = pattern.New(`(?i)%|\b(?:percent\w*|share|prozent\w*|anteil|pourcentage|part|porcentaje|parte|percentuale|quota)(?:\P{L}|$)`)
	notTheMost   = pattern.New(`(?i)\b(?:most recent(?:ly)?|at (?:most|least))\b`)
)

// Operation is what a question wants done with the cells of a row and those around
// it. A word that stands in the row names it and asks for nothing.
func (a Asked) Operation(row evidence.Row) Operation {
	own := strings.ToLower(strings.Join(append([]string{row.Label, row.Section, row.Of}, row.Heads...), " "))
	text := notTheMost.ReplaceAllString(a.text, "")
	asks := func(r *pattern.Regexp) bool {
		m := strings.ToLower(strings.TrimSpace(r.FindString(text)))
		return m != "" && !strings.Contains(own, m)
	}
	switch {
	case asks(shareAsked) && !percentAsked.MatchString(text):
		return share
	case asks(averageAsked):
		return average
	case asks(percentAsked):
		return percentChange
	case changeAsked.MatchString(text):
		return difference
	case sumAsked.MatchString(text) && len(a.period.Years) > 1, asks(sumOf):
		return sum
	case asks(mostAsked):
		return most
	case asks(leastAsked):
		return least
	}
	return NoOperation
}

// Asks reports whether a question seems to ask for something to be worked out,
// whatever it is about.
func Asks(question string) bool {
	a := Asked{text: question, period: PeriodOf(question)}
	return !slices.Contains([]Operation{NoOperation, most, least}, a.Operation(evidence.Row{}))
}
