package quote

import (
	"slices"

	"footnote/backend/cite"
)

// withRows puts rows of tables before the sentences. Rows answer by themselves:
// sentences with less of the question or about something else are left out beside
// them, and so are rows as they stand in the text.
func withRows(rows []Sentence, r Result, speaksOfRow func(Sentence) bool) Result {
	rows = besideTelling(rows, r.Sentences)
	if len(rows) == 0 {
		return r
	}
	if r.State != Answer {
		r.Sentences = nil
	}
	r.State, r.Short = Answer, ""
	rest := slices.DeleteFunc(slices.Clone(r.Sentences), func(s Sentence) bool { return s.Row || s.own < rows[0].titled+rowsAhead || !speaksOfRow(s) })
	r.Sentences = append(rows, rest...)
	return r
}

const (
	// tellsAll is the share of a question in one sentence from which rows must
	// have nearly as much of it.
	tellsAll = 0.85
	// tellsToo is the share of it that a further sentence must have.
	tellsToo = 0.7
	// rowsAhead is how much more of the question than the best row a sentence
	// beside it must have.
	rowsAhead = 0.1
)

// besideTelling leaves out rows that have less of the question than a sentence
// that has all of it.
func besideTelling(rows, sentences []Sentence) []Sentence {
	best := 0.0
	for _, s := range sentences {
		best = max(best, s.titled)
	}
	if best < tellsAll {
		return rows
	}
	return slices.DeleteFunc(rows, func(row Sentence) bool { return row.titled < best-0.2 })
}

// ofLabel is the share of a row's label from which a sentence speaks of the row.
const ofLabel = 0.3

// speaksOf tells whether a sentence is about what a row that answers is about.
func speaksOf(c *cite.Checker, rows []FoundRow) func(Sentence) bool {
	return func(s Sentence) bool {
		q := NewQuery(c, s.Text)
		return slices.ContainsFunc(rows, func(h FoundRow) bool { return q.shareOf(c.Terms(h.Label)) >= ofLabel })
	}
}
