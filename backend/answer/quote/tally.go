package quote

import (
	"context"
	"slices"

	"footnote/backend/answer/cells"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// tallied are the rows that a count or list over the rows of a table stands on,
// with what it says. Where two tables give one, which is meant is not told.
func tallied(ctx context.Context, question string, tables []table, pool []rank.Candidate, d Deps) (rows []FoundRow) {
	asked := cells.Read(d.Checker, question)
	said := ""
	for _, t := range tables {
		for _, of := range tablesIn(t.rows) {
			tally, ok := asked.Tallied(of, t.from.Source.Address)
			if !ok {
				continue
			}
			if said != "" {
				return nil
			}
			said = tally.Text
			for _, row := range tally.Rows {
				rows = append(rows, FoundRow{Row: row, passage: t.from, tally: said})
			}
		}
	}
	return placed(ctx, rows, pool, d.Texts)
}

// tablesIn are the rows of each table of a text.
func tablesIn(rows []evidence.Row) (tables [][]evidence.Row) {
	for _, row := range rows {
		if n := len(tables); n > 0 && tables[n-1][0].Table == row.Table {
			tables[n-1] = append(tables[n-1], row)
			continue
		}
		tables = append(tables, []evidence.Row{row})
	}
	return tables
}

// tallyOf is the answer that rows of a tally give; ok is false for other rows.
func tallyOf(rows []FoundRow, passages []Passage) (r Result, ok bool) {
	i := slices.IndexFunc(rows, func(h FoundRow) bool { return h.tally != "" })
	if i < 0 {
		return r, false
	}
	return Result{State: Answer, Short: rows[i].tally, Worked: true, Sentences: rowSentences(rows, passages), Confidence: 1}, true
}
