package quote

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
)

// What is worked out from the cells of one row: the operation that a question asks
// for, over the columns of the periods that it names.

type operation int

const (
	noOperation operation = iota
	difference
	percentChange
	average
	sum
)

var (
	averageAsked = pattern.New(`(?i)\b(?:average|mean|durchschnitt\w*|moyenne?|promedio|media)\b`)
	percentAsked = pattern.New(`(?i)(?:\b(?:percent(?:age)?|prozent\w*|pourcentage|porcentaje|growth rate)\b|%).*\b(?:chang\w*|increas\w*|decreas\w*|gr[eo]w\w*|growth|declin\w*|drop\w*|fall|fell|rise|rose|veränder\w*|anstieg|rückgang|variation|hausse|baisse|cambio|aumento|variación)\b|\b(?:chang\w*|increas\w*|decreas\w*|gr[eo]w\w*|declin\w*)\b.*(?:\bpercent(?:age)?\b|%)`)
	changeAsked  = pattern.New(`(?i)\b(?:what|how much|by how many|by how much|how many)\b.*\b(?:difference|chang\w*|increas\w*|decreas\w*|gr[eo]w|growth|declin\w*|rise|rose|drop\w*|fell)\b|\b(?:differenz|unterschied|veränderung|différence|écart|diferencia)\b`)
	sumAsked     = pattern.New(`(?i)\b(?:sum|total|combined|insgesamt|zusammen|au total|en total)\b.*\b(?:both|over|across|for (?:the )?(?:\w+ )?years|and|und|et|y)\b`)
	ofTwoRows    = pattern.New(`(?i)\b(?:ratio|proportion|as a (?:percentage|percent|proportion|share) of|percentage of|percent of|constitut\w*|make up|made up)\b`)
	fiscalYear   = pattern.New(`(?i)\bf(?:y|iscal(?: year)?)? ?(?:20)?(\d\d)\b`)
	yearRange    = pattern.New(`(?i)\b(?:from|between|von|de|entre) (20\d\d|19\d\d) (?:to|and|through|bis|à|et|a|y) (20\d\d|19\d\d)\b`)
	yearNumber   = pattern.New(`\b(?:19|20)\d\d\b`)
	scaleText    = pattern.New(`(?i)\b(?:in )?(thousands|millions|billions)\b`)
)

// operationOf is what a question wants done with the cells of a row.
func operationOf(question string) operation {
	switch {
	case ofTwoRows.MatchString(question) && !percentAsked.MatchString(question):
		return noOperation
	case averageAsked.MatchString(question):
		return average
	case percentAsked.MatchString(question):
		return percentChange
	case changeAsked.MatchString(question):
		return difference
	case sumAsked.MatchString(question) && len(yearsIn(question)) > 1:
		return sum
	}
	return noOperation
}

// yearsIn are the years that a text names, fiscal ones ("FY18") as whole numbers,
// in order.
func yearsIn(text string) (years []int) {
	add := func(y int) {
		if !slices.Contains(years, y) {
			years = append(years, y)
		}
	}
	for _, y := range yearNumber.FindAllString(text, -1) {
		n, _ := strconv.Atoi(y) // digits by the pattern
		add(n)
	}
	for _, m := range fiscalYear.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		add(2000 + n)
	}
	slices.Sort(years)
	return years
}

// cell is a number of a row with the year of its column.
type cell struct {
	text   string
	value  float64
	digits int // behind the point
	year   int
}

// cellsOf are the numbers of a row that stand under a year. ok is false when a
// year stands over two of them or one is no number.
func cellsOf(row evidence.Row, years []int) (cells []cell, ok bool) {
	for i, head := range row.Heads {
		at := yearsIn(head)
		if len(at) != 1 || i >= len(row.Values) || len(years) > 0 && !slices.Contains(years, at[0]) {
			continue
		}
		value, digits, isNumber := figure(row.Values[i])
		if !isNumber || slices.ContainsFunc(cells, func(c cell) bool { return c.year == at[0] }) {
			return nil, false
		}
		cells = append(cells, cell{strings.TrimSpace(row.Values[i]), value, digits, at[0]})
	}
	slices.SortFunc(cells, func(a, b cell) int { return a.year - b.year })
	return cells, len(cells) > 1
}

var figureText = pattern.New(`^\(?-?[$€£¥]? ?\(?-?[$€£¥]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\)? ?%?\)?$`)

// figure reads the number of a cell: "$ 4,210", "(1.2)" for -1.2, "17 %".
func figure(text string) (value float64, digits int, ok bool) {
	text = strings.NewReplacer("−", "-", "–", "-", "\u00a0", " ").Replace(strings.TrimSpace(text))
	m := figureText.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", "")+m[2], 64)
	if err != nil {
		return 0, 0, false
	}
	if strings.Contains(text, "(") || strings.Contains(text, "-") {
		value = -value
	}
	return value, max(0, len(m[2])-1), true
}

// workedOut does what a question asks with the cells of a row, and shows the
// working: "310 = 4,210 (2019) − 3,900 (2018)". ok is false where a cell is
// missing or is not the only one of its period.
func workedOut(question string, row evidence.Row) (working string, ok bool) {
	op := operationOf(question)
	if op == noOperation {
		return "", false
	}
	years := yearsIn(question)
	if m := yearRange.FindStringSubmatch(question); m != nil && (op == average || op == sum) {
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		for y := from; y <= to && y < from+20; y++ {
			if !slices.Contains(years, y) {
				years = append(years, y)
			}
		}
	}
	cells, ok := cellsOf(row, years)
	if !ok || len(years) > 0 && len(cells) != len(years) {
		return "", false
	}
	unit := ""
	if m := scaleText.FindStringSubmatch(strings.Join(slices.Concat([]string{row.Section, row.Label}, row.Heads), " ")); m != nil {
		unit = ", in " + strings.ToLower(m[1])
	}
	switch {
	case op == average || op == sum:
		return total(op, cells) + unit, true
	case len(cells) != 2:
		return "", false
	case op == percentChange && cells[0].value == 0:
		return "", false
	}
	if op == percentChange {
		unit = ""
	}
	return change(op, cells[0], cells[1]) + unit, true
}

func total(op operation, cells []cell) string {
	value, digits, terms := 0.0, 0, []string{}
	for _, c := range cells {
		value, digits, terms = value+c.value, max(digits, c.digits), append(terms, c.text+" ("+strconv.Itoa(c.year)+")")
	}
	added := strings.Join(terms, " + ")
	if op == sum {
		return grouped(value, digits) + " = " + added
	}
	return grouped(value/float64(len(cells)), digits+2) + " = (" + added + ") ÷ " + strconv.Itoa(len(cells))
}

func change(op operation, from, to cell) string {
	working := to.text + " (" + strconv.Itoa(to.year) + ") − " + from.text + " (" + strconv.Itoa(from.year) + ")"
	if op == difference {
		return grouped(to.value-from.value, max(from.digits, to.digits)) + " = " + working
	}
	return grouped(100*(to.value-from.value)/from.value, 2) + " % = (" + working + ") ÷ " + from.text
}

// grouped writes a number with at most so many digits behind the point and commas
// between thousands.
func grouped(value float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	text := strconv.FormatFloat(math.Abs(math.Round(value*scale)/scale), 'f', -1, 64)
	whole, rest, point := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	if value < 0 && strings.Trim(whole, "0.,") != "" {
		return "−" + whole
	}
	return whole
}
