package cells

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Tally is what a question counts or lists of a table: the different cells of a
// column, over the rows that have the cells which the question names.
type Tally struct {
	Text string         // "4 – Customer: Brandt GmbH (3), Olsen AS (2) …"
	Rows []evidence.Row // the first row of each
}

const (
	mostTallied = 12 // different cells that are named
	mostRows    = 4  // rows that are quoted
)

// tallies are what words of a question may mean beside the matter of the table.
var tallies = []string{"count", "list", "show", "all", "have", "file", "distinct", "recorded", lang.Filler}

// Tallied counts over the rows of one table. Every word of the question must be one
// of counting, of the file's name, of a head or of a cell: with any other, rows might
// be meant that no cell tells. ok is false where it is no such question.
func (a Asked) Tallied(table []evidence.Row, file string) (t Tally, ok bool) {
	words, counts, ok := a.matterOf(lang.Spoken(a.text))
	if !ok || len(table) == 0 {
		return t, false
	}
	s := &sheet{asked: a.of(table), file: file, words: words}
	if s.filter(); !counts && !s.named { // "What did they order?" wants no list of cells
		return t, false
	}
	at, ok := s.column()
	if !ok {
		return t, false
	}
	return s.tally(at, counts)
}

// matterOf are the words of a question that count nothing by themselves. ok is false
// where it neither counts nor lists, or asks for what no cell tells.
func (a Asked) matterOf(code lang.Code) (words []string, counts, ok bool) {
	for _, term := range lang.Terms(code, a.text) {
		switch {
		case term.Means == lang.Content || term.Means == lang.Quoted:
			words = append(words, strings.Fields(a.text[term.Start:term.End])...)
		case strings.HasPrefix(term.Means, "type:"):
		case !slices.Contains(tallies, term.Means):
			return nil, false, false
		}
		counts = counts || term.Means == "count"
		ok = ok || counts || term.Means == "list" || term.Means == "show"
	}
	return words, counts, ok && len(words) > 0
}

// sheet is a table that is counted over: cells by their column, of which the label's
// is the first.
type sheet struct {
	asked
	file  string
	words []string         // of the question that are to be accounted for
	named bool             // the question names the file
	only  map[int][]string // cells that the question names, by column
}

func headsOf(row evidence.Row) []string { return append([]string{row.Of}, row.Heads...) }

func cellAt(row evidence.Row, at int) string {
	if at == 0 {
		return strings.TrimSpace(row.Label)
	}
	if at > len(row.Values) {
		return ""
	}
	return strings.TrimSpace(row.Values[at-1])
}

// filter takes the cells and the name of the file that the question names out of its
// words, and keeps the rows that have them.
func (s *sheet) filter() {
	s.only = map[int][]string{}
	for _, row := range s.rows {
		for at := range headsOf(row) {
			if cell := cellAt(row, at); Named(s.text, cell) && !slices.Contains(s.only[at], cell) {
				s.only[at] = append(s.only[at], cell)
			}
		}
	}
	for _, cells := range s.only {
		for _, cell := range cells {
			s.account(strings.Fields(cell))
		}
	}
	name := path.Base(strings.ReplaceAll(s.file, `\`, "/"))
	if s.named = Named(s.text, name); s.named { // else "orders" may be what is counted
		s.account(strings.FieldsFunc(name, notWord))
	}
	s.rows = slices.DeleteFunc(slices.Clone(s.rows), func(row evidence.Row) bool {
		for at, cells := range s.only {
			if !slices.Contains(cells, cellAt(row, at)) {
				return true
			}
		}
		return false
	})
}

// account takes words out of those that are left, in any case.
func (s *sheet) account(words []string) {
	s.words = slices.DeleteFunc(s.words, func(w string) bool {
		return slices.ContainsFunc(words, func(o string) bool {
			return strings.EqualFold(strings.TrimFunc(w, notWord), strings.TrimFunc(o, notWord))
		})
	})
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// column is the one column without figures whose head the question names, with all
// words accounted for.
func (s *sheet) column() (at int, ok bool) {
	if len(s.rows) == 0 {
		return 0, false
	}
	at = -1
	left := slices.Clone(s.words)
	for i, head := range headsOf(s.rows[0]) {
		named := strings.Fields(head)
		if len(named) == 0 || slices.ContainsFunc(named, func(h string) bool { return !slices.ContainsFunc(s.words, s.alike(h)) }) {
			continue
		}
		if at >= 0 || s.figures(i) || len(s.only[i]) > 0 {
			return 0, false
		}
		at = i
		left = slices.DeleteFunc(left, func(w string) bool {
			return slices.ContainsFunc(named, s.alike(w))
		})
	}
	return at, at >= 0 && len(left) == 0
}

const (
	keptOfWord = 3 // characters that two forms of a word share at least
	bent       = 3 // and that either may end in otherwise, at most
)

// alike tells forms of a word: of one stem, or the same but for their endings.
func (s *sheet) alike(word string) func(string) bool {
	terms := s.checker.Terms(word)
	a := []rune(strings.ToLower(strings.TrimFunc(word, notWord)))
	return func(other string) bool {
		if o := s.checker.Terms(other); len(terms) == 1 && len(o) == 1 && terms[0].IsForm(o[0]) {
			return true
		}
		b := []rune(strings.ToLower(strings.TrimFunc(other, notWord)))
		same := 0
		for same < min(len(a), len(b)) && a[same] == b[same] {
			same++
		}
		return same >= keptOfWord && len(a)-same <= bent && len(b)-same <= bent && 2*same > max(len(a), len(b))
	}
}

// figures reports whether a column has figures.
func (s *sheet) figures(at int) bool {
	return slices.ContainsFunc(s.rows, func(row evidence.Row) bool {
		_, _, is := figure(cellAt(row, at))
		return is
	})
}

// tally names the different cells of a column and how many rows have each.
func (s *sheet) tally(at int, counts bool) (t Tally, ok bool) {
	times := map[string]int{}
	var cells []string
	for _, row := range s.rows {
		cell := cellAt(row, at)
		if cell == "" || totalLabel.MatchString(row.Label) {
			continue
		}
		if times[cell]++; times[cell] == 1 {
			cells = append(cells, cell)
			t.Rows = append(t.Rows, row)
		}
	}
	named := make([]string, 0, mostTallied)
	for _, cell := range cells[:min(len(cells), mostTallied)] {
		if times[cell] > 1 {
			cell = fmt.Sprintf("%s (%d)", cell, times[cell])
		}
		named = append(named, cell)
	}
	if len(cells) > mostTallied {
		named = append(named, "…")
	}
	t.Rows = t.Rows[:min(len(t.Rows), mostRows)]
	t.Text = headsOf(s.rows[0])[at] + ": " + strings.Join(named, ", ")
	if counts {
		t.Text = fmt.Sprintf("%d – %s", len(cells), t.Text)
	}
	return t, len(cells) > 0
}
