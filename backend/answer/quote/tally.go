package quote

import (
	"context"
	"slices"

	"footnote/backend/answer/cells"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// tallied are the rows that a count, a list or a figure worked out over the rows of a table
// stands on, with what it says. Where two tables give one that is as sure, which is meant is
// not told.
func tallied(ctx context.Context, question string, tables []table, pool []rank.Candidate, d Deps) (rows []FoundRow) {
	asked := cells.Read(d.Checker, question)
	var best cells.Tally
	var from rank.Candidate
	several := false
	for _, t := range tables {
		for _, of := range cells.Tables(t.rows) {
			tally, ok := asked.Tallied(of, t.from.Source.Address)
			tally.Sure = tally.Sure && !outdated(question, tally.Rows, t, tables)
			switch {
			case !ok, best.Sure && !tally.Sure, best.Sure == tally.Sure && tally.Fits < best.Fits && best.Text != "":
			case best.Text == "", tally.Sure != best.Sure, tally.Fits > best.Fits:
				best, from, several = tally, t.from, false
			default:
				several = several || tally.Figure() != best.Figure()
			}
		}
	}
	if several {
		return nil
	}
	for _, row := range best.Rows {
		rows = append(rows, FoundRow{Row: row, passage: from, tally: best.Text, unsure: !best.Sure})
	}
	return placed(ctx, rows, pool, d.Texts)
}

// outdated reports whether the rows of a table are in a newer one of the same series as well,
// and the question names no year.
func outdated(question string, rows []evidence.Row, t table, tables []table) bool {
	labels := map[string]bool{}
	for _, row := range rows {
		labels[row.Label] = row.Label != ""
	}
	mine := t.from.Source
	return len(cells.PeriodOf(question).Years) == 0 && slices.ContainsFunc(tables, func(o table) bool {
		other := o.from.Source
		return versions.Newer(other.Address, other.Title, mine.Address, mine.Title) && slices.ContainsFunc(o.rows, func(row evidence.Row) bool { return labels[row.Label] })
	})
}

const (
	sureTally   = 0.9 // how sure what every word of the question asks for is
	unsureTally = 0.4 // and what a word may mean otherwise
)

// tallyOf is the answer that rows of a tally give; ok is false for other rows.
func tallyOf(rows []FoundRow, passages []Passage) (r Result, ok bool) {
	i := slices.IndexFunc(rows, func(h FoundRow) bool { return h.tally != "" })
	if i < 0 {
		return r, false
	}
	r = Result{State: Answer, Short: rows[i].tally, Worked: true, Sentences: rowSentences(rows, passages), Confidence: sureTally}
	if rows[i].unsure {
		r.State, r.Confidence = Closest, unsureTally
	}
	return r, true
}
