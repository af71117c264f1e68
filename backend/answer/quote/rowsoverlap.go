package quote

import (
	"cmp"
	"slices"
	"strings"
)

// Rows that share words with a question but for their label: a cell may be what it
// names ("Which film had the role of Mandy Murphy?").
const (
	overlapRows   = 3000 // rows of all tables; with more, labels alone are looked at
	overlapShown  = 4
	overlapEnough = 0.35 // share of the question's rare words from which a row is a candidate
)

// rowsByOverlap are the rows with most of the question's rare words in label,
// cells and heads, without those that their labels found.
func rowsByOverlap(question string, tables []table, known []FoundRow, d Deps) []FoundRow {
	n := 0
	for _, t := range tables {
		n += len(t.rows)
	}
	if n > overlapRows {
		return nil
	}
	q := NewQuery(d.Checker, question)
	var rows []FoundRow
	var all []Sentence
	for _, t := range tables {
		title := q.found(q.checker.Terms(t.from.Source.Title), nil)
		heads := map[string][]float64{}
		for _, row := range t.rows {
			head := rowHeading(row) + " " + strings.Join(row.Heads, " ")
			if heads[head] == nil {
				heads[head] = q.found(q.checker.Terms(head), title)
			}
			alone := q.found(q.checker.Terms(row.Label+" "+strings.Join(row.Values, " ")), nil)
			rows = append(rows, FoundRow{Row: row, passage: t.from, overlap: true})
			all = append(all, Sentence{found: found{alone: alone, with: higher(alone, heads[head])}})
		}
	}
	rare := q.newRarity(all)
	for i := range rows {
		rows[i].plain = rare.share(all[i].found.alone) + rareBeside*(rare.share(all[i].found.with)-rare.share(all[i].found.alone))
	}
	rows = slices.DeleteFunc(rows, func(h FoundRow) bool {
		return h.plain < overlapEnough || slices.ContainsFunc(known, func(k FoundRow) bool { return k.Row.At == h.At && k.passage.Source.Digest == h.passage.Source.Digest })
	})
	slices.SortStableFunc(rows, func(a, b FoundRow) int { return cmp.Compare(b.plain, a.plain) })
	return rows[:min(len(rows), overlapShown)]
}

// byLabel are the rows that their labels found.
func byLabel(rows []FoundRow) []FoundRow {
	return slices.DeleteFunc(slices.Clone(rows), func(h FoundRow) bool { return h.overlap })
}
