package quote

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/cells"
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
		for _, of := range tablesIn(t.rows) {
			tally, ok := asked.Tallied(of, t.from.Source.Address)
			switch {
			case !ok, best.Sure && !tally.Sure, best.Sure == tally.Sure && tally.Fits < best.Fits && best.Text != "":
			case best.Text == "", tally.Sure != best.Sure, tally.Fits > best.Fits:
				best, from, several = tally, t.from, false
			default:
				several = several || figureOf(tally) != figureOf(best)
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

// figureOf is what a tally says before it says of what.
func figureOf(t cells.Tally) string {
	figure, _, _ := strings.Cut(t.Text, " ")
	figure = strings.TrimSuffix(figure, ":")
	if strings.ContainsAny(figure, ".,") {
		figure = strings.TrimRight(strings.TrimRight(figure, "0"), ".,")
	}
	return figure
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
