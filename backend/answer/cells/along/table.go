package along

import (
	"cmp"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// asked is a question over the rows of one table.
type asked struct {
	Asked
	rows    []evidence.Row
	code    lang.Code // of the question
	figures numbers.Reader
}

func (a Asked) of(rows []evidence.Row) asked {
	var cells []string
	for _, row := range rows[:min(len(rows), numbers.Shows)] {
		cells = append(cells, row.Values...)
	}
	code := lang.Spoken(a.Text)
	return asked{a, rows, code, numbers.ReaderOf(cells, code)}
}

var orderHead = pattern.New(`(?i)^(?:#|№|n[°.º]+|id|no\.?|nr\.?|lfd\.? ?nr\.?|art(?:ikel)?\.?-?nr\.?|beleg(?:-?nr\.?)?|code|rank|rang|pos\.?|position|place|platz|year|jahr|année|año|anno|season)$`)

// IsOrder reports whether a head says that the numbers below it only tell rows apart.
func IsOrder(head string) bool { return orderHead.MatchString(head) }

// under is the figure of a row below a head; ok is false where it has none there, or
// two.
func (t asked) under(row evidence.Row, head string) (c Cell, ok bool) {
	for i, h := range row.Heads {
		if h != head {
			continue
		}
		value, digits, isNumber := t.figures.Read(row.Values[i])
		if !isNumber || ok {
			return c, false
		}
		c, ok = Cell{Text: strings.TrimSpace(row.Values[i]), Value: value, Digits: digits, Name: strings.TrimSpace(row.Label)}, true
	}
	return c, ok
}

// head is the column of figures that a question asks for: the only one, or the one
// that it names.
func (t asked) head(row evidence.Row) (head string, ok bool) {
	var heads []string
	for i, h := range row.Heads {
		if _, _, isNumber := t.figures.Read(row.Values[i]); isNumber && h != "" && !IsOrder(h) {
			if slices.Contains(heads, h) {
				return "", false
			}
			heads = append(heads, h)
		}
	}
	if len(heads) == 1 {
		return heads[0], true
	}
	if c := t.column(heads, row.Section, row.Heading); c.At >= 0 {
		return heads[c.At], true
	}
	return "", false
}

// named are the rows whose label a question has, in its order. A label that is part
// of another one in it counts only with that.
func (t asked) named() (rows []evidence.Row) {
	type hit struct {
		row   evidence.Row
		terms []cite.Term
		at    int
	}
	var hits []hit
	text := strings.ToLower(t.Text)
	for _, row := range t.rows {
		terms := t.Checker.Terms(row.Label)
		if !strings.ContainsFunc(row.Label, unicode.IsLetter) || t.shareOf(terms) < 0.95 {
			continue
		}
		at := strings.Index(text, strings.ToLower(firstWord(row.Label)))
		hits = append(hits, hit{row, terms, at})
	}
	part := func(h hit) bool {
		return slices.ContainsFunc(hits, func(o hit) bool {
			return len(o.terms) > len(h.terms) && !slices.ContainsFunc(h.terms, func(x cite.Term) bool { return likeness(x, o.terms) < 1 })
		})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.at, b.at) })
	for _, h := range hits {
		if !part(h) {
			rows = append(rows, h.row)
		}
	}
	return rows
}

func firstWord(label string) string {
	for _, w := range strings.Fields(label) {
		if len(w) > 3 {
			return strings.Trim(w, ",.:;()")
		}
	}
	return label
}

// portion works out what one row is of another, or of the total of their table.
func (t asked) portion() (w Working, ok bool) {
	rows := t.named()
	if len(rows) == 1 {
		total := slices.DeleteFunc(slices.Clone(t.rows), func(r evidence.Row) bool { return !lang.IsTotal(r.Label) })
		if len(total) != 1 || lang.IsTotal(rows[0].Label) {
			return w, false
		}
		rows = append(rows, total[0])
	}
	if len(rows) != 2 {
		return w, false
	}
	if lang.IsTotal(rows[0].Label) && !lang.IsTotal(rows[1].Label) {
		slices.Reverse(rows)
	}
	head, ok := t.head(rows[0])
	part, isPart := t.under(rows[0], head)
	whole, isWhole := t.under(rows[1], head)
	if !ok || !isPart || !isWhole || whole.Value == 0 {
		return w, false
	}
	working := part.named() + " ÷ " + whole.named()
	if len(lang.CalculationsIn(t.code, t.Text)[lang.Percent]) > 0 {
		return Working{t.written(100*part.Value/whole.Value, percentDigits) + " % = " + working, rows}, true
	}
	return Working{t.written(part.Value/whole.Value, 2*percentDigits) + " = " + working, rows}, true
}

// alongRows does it with cells of one column: of the rows that are named, of those
// of the years that are named, or of those that a cell singles out.
func (t asked) alongRows(op Operation, best evidence.Row) (w Working, ok bool) {
	head, ok := t.head(best)
	if !ok {
		return w, false
	}
	var rows []evidence.Row
	switch years := t.Years(op == average || op == sum); {
	case t.byYear():
		rows = slices.DeleteFunc(slices.Clone(t.rows), func(r evidence.Row) bool {
			at := times.Years(r.Label)
			return len(at) != 1 || len(years) > 0 && !slices.Contains(years, at[0])
		})
		if len(years) > 0 && len(rows) != len(years) {
			return w, false
		}
		slices.SortStableFunc(rows, func(a, b evidence.Row) int { return times.Years(a.Label)[0] - times.Years(b.Label)[0] })
	case op == average || op == sum:
		if rows = t.named(); len(rows) < 2 {
			rows = t.singledOut()
		}
	case op == difference:
		rows = t.named()
		slices.Reverse(rows) // of A and B: A − B
	}
	var all []Cell
	for _, r := range rows {
		c, isNumber := t.under(r, head)
		if !isNumber {
			return w, false
		}
		all = append(all, c)
	}
	switch {
	case len(all) < 2 || len(all) > mostTaken:
		return w, false
	case op == average || op == sum:
		return Working{t.told(op, all), rows}, true
	case len(all) != 2 || op == percentChange && all[0].Value == 0:
		return w, false
	}
	return Working{t.told(op, all), rows}, true
}

// byYear reports whether the rows of a table are years.
func (t asked) byYear() bool {
	n := 0
	for _, r := range t.rows {
		if isYear(r.Label) {
			n++
		}
	}
	return n > 1 && 3*n >= 2*len(t.rows)
}

func isYear(label string) bool {
	return len(times.Years(label)) == 1 && !strings.ContainsFunc(times.YearNumber.ReplaceAllString(label, ""), unicode.IsLetter)
}

// singledOut are the rows that have, as a whole cell, what the question has: those
// of "Honda". Totals are none; nil where nothing singles rows out.
func (t asked) singledOut() (rows []evidence.Row) {
	for _, r := range t.rows {
		if !lang.IsTotal(r.Label) && slices.ContainsFunc(append([]string{r.Label}, r.Values...), func(v string) bool { return Named(t.Text, v) }) {
			rows = append(rows, r)
		}
	}
	return rows
}

// extreme finds the most or the least: along a row under its years, where the label
// is named and the columns are years, or down a column.
func (t asked) extreme(op Operation, row evidence.Row) (w Working, ok bool) {
	better := func(a, b Cell) int {
		if op == least {
			return cmp.Compare(b.Value, a.Value)
		}
		return cmp.Compare(a.Value, b.Value)
	}
	word := map[Operation]string{most: "answer-most", least: "answer-least"}[op]
	if cells, ok := t.cellsOf(row, nil); ok && len(t.Period.Years) == 0 {
		best := slices.MaxFunc(cells, better)
		if tied(cells, best) {
			return w, false
		}
		return Working{best.named() + ": " + t.code.Say(word, len(cells)), []evidence.Row{row}}, true
	}
	head, ok := t.head(row)
	if !ok {
		return w, false
	}
	rows := t.singledOut()
	if len(rows) < 2 {
		rows = slices.DeleteFunc(slices.Clone(t.rows), func(r evidence.Row) bool { return lang.IsTotal(r.Label) })
	}
	var all []Cell
	for i := range rows {
		if c, isNumber := t.under(rows[i], head); isNumber {
			c.Year = i
			all = append(all, c)
		}
	}
	if len(all) < 2 || 3*len(all) < 2*len(rows) {
		return w, false
	}
	best := slices.MaxFunc(all, better)
	if tied(all, best) {
		return w, false
	}
	return Working{best.named() + ": " + t.code.Say(word, len(all)) + ", " + head, rows[best.Year : best.Year+1]}, true
}

func tied(all []Cell, best Cell) bool {
	n := 0
	for _, c := range all {
		if c.Value == best.Value {
			n++
		}
	}
	return n > 1
}
