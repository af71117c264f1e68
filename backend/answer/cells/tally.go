package cells

import (
	"slices"
	"strings"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/times"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Tally is what a question counts, lists or works out over rows of a table: those that
// have the cells and the time that it names.
type Tally struct {
	Text string         // "1,096.50 = 285.00 (13/01/2025) + …: Cost, Flat: Harbour Terrace 3a"
	Rows []evidence.Row // that it stands on
	Sure bool           // every word of the question is accounted for
	Fits int            // how many words the cells and heads account for, less those that nothing does

	firm    []string // the cells that chose its rows, where it was two things at least: cells, a column, a time
	periods bool     // its rows are the times that are asked for, and no single days
}

// Figure is what a tally says before it says of what.
func (t Tally) Figure() string {
	figure, _, _ := strings.Cut(t.Text, " ")
	figure = strings.TrimSuffix(figure, ":")
	if strings.ContainsAny(figure, ".,") {
		figure = strings.TrimRight(strings.TrimRight(figure, "0"), ".,")
	}
	return figure
}

// AsksFigure reports whether a figure may be what a question asks for: not where it opens with a
// verb, to be told yes or no, and asks no number besides. What has no verb asks for one:
// "recettes en août ?".
func AsksFigure(question string) bool {
	code := lang.Spoken(question)
	asks := lang.KindAsked(code, question)
	return !lang.AsksYesNo(code, question) || !lang.OpensWithVerb(code, question) || asks == lang.Amount || asks == lang.Count
}

// Outweighs reports whether a text does not answer what a tally may: its rows are of the year that
// the question names and have the cells that it names, and the text has neither.
func (t Tally) Outweighs(question, text string) bool {
	if t.firm == nil {
		return false
	}
	return times.OfNone(question, text) || len(t.firm) > 0 && !slices.ContainsFunc(t.firm, func(cell string) bool { return along.Named(text, cell) })
}

// Totals reports whether a row has what others give together.
func Totals(row evidence.Row) bool {
	return slices.ContainsFunc(append([]string{row.Label, row.Section}, row.Heads...), lang.IsTotal)
}

// Tables are the rows of each table of a text.
func Tables(rows []evidence.Row) (tables [][]evidence.Row) {
	for _, row := range rows {
		if n := len(tables); n > 0 && tables[n-1][0].Table == row.Table {
			tables[n-1] = append(tables[n-1], row)
			continue
		}
		tables = append(tables, []evidence.Row{row})
	}
	return tables
}

const mostTallied = 12 // different cells that are named

// tallies are what words of a question may mean beside the matter of the table.
var tallies = []string{"count", "list", "show", "all", "have", "file", "distinct", "recorded", "largest", "smallest", "and", "or", "both", "size", "says", "mention", "often", lang.Filler}

// Over counts, lists or works out over the sheets that a question means: two that differ by
// their year, else one. from is which sheet each of the rows stands in. What old says of rows
// that a newer sheet has as well is not sure. Where two sheets give one that is as sure, which
// is meant is not told; the one whose rows are the months that are asked for is shown as close.
func (a Asked) Over(sheets []Sheet, old func(sheet int, rows []evidence.Row) bool) (best Tally, from []int) {
	if t, from, ok := a.Apart(sheets); ok {
		return t, from
	}
	in, several, contested := 0, false, false
	for i, sheet := range sheets {
		t, ok := a.Tallied(sheet.Rows, sheet.File)
		t.Sure = t.Sure && !old(i, t.Rows) && !a.isOfLater(sheet, sheets)
		switch {
		case !ok, best.Sure && !t.Sure, best.Sure == t.Sure && t.Fits < best.Fits && best.Text != "":
		case best.Text == "", t.Sure != best.Sure, t.Fits > best.Fits:
			best, in, several, contested = t, i, false, false
		case t.periods != best.periods && t.Figure() != best.Figure():
			if t.periods {
				best, in = t, i
			}
			contested = true
		default:
			several = several || t.Figure() != best.Figure()
		}
	}
	if several {
		return Tally{}, nil
	}
	best.Sure = best.Sure && !contested
	return best, slices.Repeat([]int{in}, len(best.Rows))
}

// Tallied counts, lists or works out over the rows of one table. Every word of the question
// is to be one of counting, of the file's name and headings, of a head or of a cell: with
// any other, rows may be meant that no cell tells, and it is not sure. ok is false where it
// is no such question.
func (a Asked) Tallied(table []evidence.Row, file string) (t Tally, ok bool) {
	code := a.spoken
	m, ok := a.matterOf(code)
	if !ok || len(table) == 0 {
		return t, false
	}
	s := newSheet(a, code, m, table, file)
	if s.isStatement() {
		return s.looked()
	}
	if m.what == lang.NoSum && len(a.yearsApart()) == 2 { // what changed is no sum
		return t, false
	}
	s.closeRestated()
	s.closeCounted()
	s.filterOwed()
	s.filterByColumns()
	for at := range s.heads {
		s.filterByLack(at)
		s.filterByPresence(at)
		s.filterBeside(at)
	}
	all := slices.Clone(s.rows)
	if !s.period() {
		return t, false
	}
	s.filter()
	if s.denies() {
		return t, false
	}
	s.accountName()
	if s.share {
		return s.portion(s.ofYear(all, s.Years(false)))
	}
	words := slices.Clone(s.words)
	for _, list := range []func() (Tally, bool){s.listed, s.chosenList} {
		if t, ok = list(); ok {
			return t, true
		}
		s.words = slices.Clone(words)
	}
	return s.workedOut()
}

// denies reports whether a question says no to something that is no cell.
func (s *sheet) denies() bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return w.open && !w.asks && lang.Denies(s.code, w.text) })
}

// left are the words that nothing accounts for, without those that only say how it is asked.
func (s *sheet) left() (n int) {
	for _, w := range s.words {
		low := strings.ToLower(w.text)
		initial := !s.unspaced && len([]rune(low)) == 1
		if w.open && !w.asks && !initial && !s.code.OnlyForms(low) && !s.code.Has(lang.Light, low) && !s.code.Has(lang.Leads, low) {
			n++
		}
		if w.open && w.term {
			n++
		}
	}
	if s.unspaced {
		n /= 2
	}
	return n
}

// openAt is which open word is a form of one; -1 for none.
func (s *sheet) openAt(of string) int {
	alike := s.alike(of)
	return slices.IndexFunc(s.words, func(w word) bool { return w.open && alike(w.text) })
}
