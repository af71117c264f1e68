package along

import (
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// What is worked out from cells: of one row under the columns of several periods, or
// of several rows under one column.

var (
	yearRange = pattern.New(`(?i)\b(?:from|between|von|zwischen|de|du|entre|del?|tra|dal) ?(20\d\d|19\d\d) ?(?:to|and|through|bis|und|à|et|au|a|y|e|al|-|–) ?(20\d\d|19\d\d)\b`)
	excepted  = pattern.New(`(?i)\b(?:except|außer|ausgenommen|sauf|excepto|salvo)\b`)
	scaleText = pattern.New(`(?i)\b(?:in )?(thousands|millions|billions)\b`)
)

// Cell is a number of a row with the year of its column.
type Cell struct {
	Text   string
	Value  float64
	Digits int // behind the point
	Year   int
	Name   string // of its row, where it is not named by the year
}

// named is the cell as a working shows it.
func (c Cell) named() string {
	if c.Name != "" {
		return c.Text + " (" + c.Name + ")"
	}
	return c.Text + " (" + strconv.Itoa(c.Year) + ")"
}

// cellsOf are the numbers of a row that stand under a year. ok is false when a
// year stands over two of them or one is no number.
func (t asked) cellsOf(row evidence.Row, years []int) (cells []Cell, ok bool) {
	for i, head := range row.Heads {
		at := times.Years(head)
		if len(at) != 1 || i >= len(row.Values) || len(years) > 0 && !slices.Contains(years, at[0]) {
			continue
		}
		value, digits, isNumber := t.figures.Read(row.Values[i])
		if !isNumber || slices.ContainsFunc(cells, func(c Cell) bool { return c.Year == at[0] }) {
			return nil, false
		}
		cells = append(cells, Cell{Text: strings.TrimSpace(row.Values[i]), Value: value, Digits: digits, Year: at[0]})
	}
	slices.SortFunc(cells, func(a, b Cell) int { return a.Year - b.Year })
	return cells, len(cells) > 1
}

// Working is what was worked out, with the cells it came from.
type Working struct {
	Text string         // "310 = 4,210 (2019) − 3,900 (2018)"
	Rows []evidence.Row // whose cells were taken
}

const (
	percentDigits = 2
	mostTaken     = 12 // rows whose cells are added up
)

// WorkedOut does what a question asks with the cells of a row and of the table it
// stands in, and shows the working. ok is false where it is not plain which cells
// are meant, one is missing, or is not the only one of its kind.
func (a Asked) WorkedOut(row evidence.Row, table []evidence.Row) (w Working, ok bool) {
	op := a.Operation(row)
	unit := ScaleOf(row)
	t := a.of(table)
	switch op {
	case NoOperation:
		return w, false
	case share:
		return t.portion()
	case most, least:
		return t.extreme(op, row)
	}
	if text, ok := t.alongRow(op, row); ok {
		if op != percentChange {
			text += unit
		}
		return Working{text, []evidence.Row{row}}, true
	}
	if w, ok = t.alongRows(op, row); ok && op != percentChange {
		w.Text += unit
	}
	return w, ok
}

// ScaleOf is what the figures of a row are in, as it is written behind one.
func ScaleOf(row evidence.Row) string {
	if excepted.MatchString(row.Section) { // which figures are meant is not told
		return ""
	}
	if m := scaleText.FindStringSubmatch(strings.Join(slices.Concat([]string{row.Section, row.Label}, row.Heads), " ")); m != nil {
		return ", in " + strings.ToLower(m[1])
	}
	return ""
}

// SectionOf is what announces a row, without the line that tells the scale.
func SectionOf(row evidence.Row) string {
	if row.Scale == "" {
		return row.Section
	}
	return strings.Trim(strings.ReplaceAll(strings.Replace(row.Section, row.Scale, "", 1), ", , ", ", "), ", ")
}

// Said is a value of a row as an answer names it: the figure with its scale, what it
// is of, and the head it stands under.
func Said(row evidence.Row, at int) string {
	of := row.Label
	if section := SectionOf(row); section != "" && !strings.Contains(strings.ToLower(row.Label), strings.ToLower(section)) {
		of = section + " – " + of
	}
	if at < len(row.Heads) && row.Heads[at] != "" {
		of += ", " + row.Heads[at]
	}
	said := row.Values[at]
	if numbers.IsFigure(said) && !strings.Contains(said, "%") {
		said += ScaleOf(row)
	}
	return said + ": " + of
}

// alongRow does it with the cells of one row, under the years that are named.
func (t asked) alongRow(op Operation, row evidence.Row) (working string, ok bool) {
	years := t.Years(op == average || op == sum)
	cells, ok := t.cellsOf(row, years)
	if !ok {
		cells, ok = t.cellsOf(t.underNamed(row), years)
	}
	switch {
	case !ok || len(years) > 0 && len(cells) != len(years):
		return "", false
	case op == average || op == sum:
		return t.told(op, cells), true
	case len(cells) != 2:
		return "", false
	case op == percentChange && cells[0].Value == 0:
		return "", false
	}
	return t.told(op, cells), true
}

// underNamed is a row with its cells under the heads that the question has most of.
func (a Asked) underNamed(row evidence.Row) evidence.Row {
	shares, best := make([]float64, len(row.Heads)), 0.0
	for i, h := range row.Heads {
		shares[i] = a.shareOf(withoutNumbers(a.Checker.Terms(h)))
		best = max(best, shares[i])
	}
	named := row
	named.Heads, named.Values = nil, nil
	for i, s := range shares {
		if s > best-headAhead {
			named.Heads, named.Values = append(named.Heads, row.Heads[i]), append(named.Values, row.Values[i])
		}
	}
	return named
}

// Years are those that a question names; with between, those of a range as well.
func (a Asked) Years(between bool) []int {
	years := slices.Clone(a.Period.Years)
	if m := yearRange.FindStringSubmatch(a.Text); m != nil && between {
		from, _ := strconv.Atoi(m[1]) // digits by the pattern
		to, _ := strconv.Atoi(m[2])
		for y := from; y <= to && y < from+20; y++ {
			if !slices.Contains(years, y) {
				years = append(years, y)
			}
		}
	}
	return years
}

var calculations = map[Operation]lang.Calculation{sum: lang.Sum, average: lang.Average, difference: lang.Difference}

// told is what an operation makes of figures.
func (t asked) told(op Operation, cells []Cell) string {
	if op == percentChange {
		from, to := cells[0], cells[1]
		return t.written(100*(to.Value-from.Value)/from.Value, percentDigits) + " % = (" + to.named() + " − " + from.named() + ") ÷ " + from.Text
	}
	return Figures(t.written, calculations[op], cells)
}

// written is a figure as those of the table are.
func (t asked) written(value float64, digits int) string {
	if !t.figures.Comma {
		return numbers.Grouped(value, digits)
	}
	return numbers.InSigns(t.code, numbers.Grouped(value, digits))
}

// Figures is what figures of one row come to, with how.
func Figures(write func(value float64, digits int) string, what lang.Calculation, cells []Cell) string {
	value, digits, terms := 0.0, 0, []string{}
	for _, c := range cells {
		value, digits, terms = value+c.Value, max(digits, c.Digits), append(terms, c.named())
	}
	added := strings.Join(terms, " + ")
	switch what {
	case lang.Average:
		return write(value/float64(len(cells)), digits+2) + " = (" + added + ") ÷ " + strconv.Itoa(len(cells))
	case lang.Difference: // of the last from the first
		from, to := cells[0], cells[len(cells)-1]
		return write(to.Value-from.Value, digits) + " = " + to.named() + " − " + from.named()
	}
	return write(value, digits) + " = " + added
}
