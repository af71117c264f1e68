package quote

import (
	"context"
	"slices"

	"footnote/backend/answer/cells"
	"footnote/backend/answer/cells/times"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// tallied are the rows that a count, a list or a figure worked out over the rows of tables
// stands on, with what it says.
func tallied(ctx context.Context, question string, tables []table, pool []rank.Candidate, d Deps) (rows []FoundRow) {
	if versions.AskedIn(question).Both() && !lang.AddsUp(question) { // what it was and what it is
		return nil
	}
	var sheets []cells.Sheet
	var of []table // that each is in
	for _, t := range tables {
		for _, rows := range cells.Tables(t.rows) {
			sheets, of = append(sheets, cells.Sheet{Rows: rows, File: t.from.Source.Address}), append(of, t)
		}
	}
	tally, from := cells.Read(d.Checker, question).Over(sheets, func(at int, rows []evidence.Row) bool { return outdated(question, rows, of[at], tables) })
	for i, row := range tally.Rows {
		rows = append(rows, FoundRow{Row: row, passage: of[from[i]].from, tally: tally})
	}
	return placed(ctx, rows, pool, d.Texts)
}

// outdated reports whether the rows of a table are in a newer one of the same series as well,
// and the question names no year; where it asks for what was, in an older one.
func outdated(question string, rows []evidence.Row, t table, tables []table) bool {
	labels := map[string]bool{}
	for _, row := range rows {
		labels[row.Label] = row.Label != ""
	}
	mine, older := t.from.Source, versions.AskedIn(question).ForOlder()
	return len(times.PeriodOf(question).Years) == 0 && slices.ContainsFunc(tables, func(o table) bool {
		newer, than := o.from.Source, mine
		if older {
			newer, than = than, newer
		}
		return versions.Newer(newer.Address, newer.Title, than.Address, than.Title) && slices.ContainsFunc(o.rows, func(row evidence.Row) bool { return labels[row.Label] })
	})
}

const (
	sureTally   = 0.9 // how sure what every word of the question asks for is
	unsureTally = 0.4 // and what a word may mean otherwise
)

// tallyOf is the answer that rows of a tally give, with it; ok is false for other rows.
func tallyOf(rows []FoundRow, passages []Passage) (r Result, t cells.Tally, ok bool) {
	i := slices.IndexFunc(rows, func(h FoundRow) bool { return h.tally.Text != "" })
	if i < 0 {
		return r, t, false
	}
	t = rows[i].tally
	counted := slices.DeleteFunc(slices.Clone(rows), func(h FoundRow) bool { return h.tally.Text == "" }) // others were found by their labels
	r = Result{State: Answer, Short: t.Text, Worked: true, Sentences: rowSentences(counted, passages), Confidence: sureTally}
	if !t.Sure {
		r.State, r.Confidence = Closest, unsureTally
	}
	return r, t, true
}
