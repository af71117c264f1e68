package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

// Begin stores a new run and its thread, when that is new too. A run that
// replaces another one takes that and all later ones out of the thread.
func (d *DB) Begin(ctx context.Context, run contract.Run, title string) error {
	return d.write(ctx, "begin run", func(tx *sqlite.Tx) error {
		if !run.Question.Aside { // else nothing happens in the thread that anybody sees
			if err := d.putThread(ctx, tx, run, title); err != nil {
				return err
			}
		}
		if old := run.Question.Replaces; old != "" {
			if _, err := d.dropFrom(ctx, tx, run.Thread, old); err != nil {
				return err
			}
		}
		record, sum, err := encodeRun(run)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO runs (id, thread, status, started, question, folded, record, sum, aside) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			run.ID, run.Thread, run.Status, millis(run.Started), run.Question.Text, records.Folded(run), record, sum, run.Question.Aside)
		return err
	})
}

func (d *DB) putThread(ctx context.Context, tx *sqlite.Tx, run contract.Run, title string) error {
	title, within := records.TitleOf(run, title), records.WithinOf(run)
	_, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, folded, type, created, updated, collection)
		VALUES (?1, ?2, ?3, ?4, ?5, ?5, coalesce((SELECT id FROM collections WHERE id = ?6 OR key = ?7), ''))
		ON CONFLICT (id) DO UPDATE SET updated = ?5`, run.Thread, title, strings.ToLower(title), records.TypeOf(run), millis(run.Started), within, library.CollectionKey(within))
	return err
}

// End stores what became of a run and holds the sources its answer rests on.
// Ending twice keeps the last word.
func (d *DB) End(ctx context.Context, run contract.Run) error {
	return d.write(ctx, "end run", func(tx *sqlite.Tx) error { return d.end(ctx, tx, run) })
}

func (d *DB) end(ctx context.Context, tx *sqlite.Tx, run contract.Run) error {
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	return d.storeEnd(ctx, tx, run, record, sum)
}

func (d *DB) storeEnd(ctx context.Context, tx *sqlite.Tx, run contract.Run, record string, sum uint32) error {
	result, err := tx.ExecContext(ctx, `UPDATE runs SET status = ?, folded = ?, record = ?, sum = ? WHERE id = ?`,
		run.Status, records.Folded(run), record, sum, run.ID)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return sqlite.NotFound(errors.Join(err, sql.ErrNoRows), "run")
	}
	if err := hold(ctx, tx, run.ID, records.SourcesOf(run)); err != nil {
		return err
	}
	if run.Question.Aside {
		return nil
	}
	_, err = tx.ExecContext(ctx, `UPDATE threads SET updated = max(updated, ?) WHERE id = ?`, millis(d.now()), run.Thread)
	return err
}

// History gives the last n turns of a thread that have an answer, oldest first,
// from before the given run; an unknown or empty run means all. What a stopped
// run had written counts as its answer. Damaged records are passed over.
func (d *DB) History(ctx context.Context, thread contract.ThreadID, before contract.RunID, n int) ([]contract.Turn, error) {
	rows, err := sqlite.Collect(ctx, &d.often, scanRunRow, `SELECT `+runColumns+` FROM runs
		WHERE thread = ?1 AND status IN ('finished', 'stopped') AND aside = 0 AND n < coalesce((SELECT n FROM runs WHERE id = ?2), 1 << 62)
		ORDER BY n DESC LIMIT ?3`, thread, before, n)
	if err != nil {
		return nil, sqlite.Explain(err, "read history")
	}
	slices.Reverse(rows)
	turns := make([]contract.Turn, 0, len(rows))
	for i, r := range rows {
		run := d.run(ctx, r)
		turn := records.TurnOf(run)
		if run.Answer != nil && i >= len(rows)-citedTurns {
			turn.Cited = d.cited(ctx, *run.Answer)
		}
		if turn.Answer != "" {
			turns = append(turns, turn)
		}
	}
	return turns, nil
}

const citedTurns = 5 // last ones whose cited passages are read again

// cited reads the passages that an answer cites, each once; those that are gone
// with their file are passed over.
func (d *DB) cited(ctx context.Context, a contract.Answer) []evidence.Found {
	var found []evidence.Found
	for _, c := range a.Citations {
		if slices.ContainsFunc(found, func(f evidence.Found) bool { return f.Passage.ID == c.Passage }) {
			continue
		}
		passage, _, err := d.Passage(ctx, c.Passage)
		src, srcErr := d.Source(ctx, c.Source)
		if err := errors.Join(err, srcErr); err != nil {
			d.log.Info("an earlier citation is not offered again", "run", a.Run, "passage", c.Passage, "error", err)
			continue
		}
		passage.Source = c.Source
		found = append(found, evidence.Found{Source: src.Source, Passage: passage, Via: records.EngineOf(a, c.Source)})
	}
	return found
}

// Run gives a run with its answer or what there is of it. A missing one is
// fault not-found.
func (d *DB) Run(ctx context.Context, id contract.RunID) (contract.Run, error) {
	rows, err := sqlite.Collect(ctx, &d.often, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE id = ?`, id)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return contract.Run{}, sqlite.NotFound(err, "run")
	}
	return d.run(ctx, rows[0]), nil
}

// Runs lists runs and gives the cursor of the next page, empty at the end.
func (d *DB) Runs(ctx context.Context, q records.RunQuery) (page []contract.Run, next string, err error) {
	limit := records.LimitOr(q.Limit, 50)
	type numbered struct {
		n   int64
		row runRow
	}
	scan := func(rows *sql.Rows) (numbered, error) {
		var x numbered
		r := &x.row
		err := rows.Scan(&x.n, &r.id, &r.thread, &r.status, &r.started, &r.question, &r.record, &r.sum)
		return x, err
	}
	after, err := records.CursorNumber(q.After, 1<<62)
	if err != nil {
		return nil, "", err
	}
	rows, err := sqlite.Collect(ctx, d.r, scan, `SELECT n, `+runColumns+` FROM runs
		WHERE n < ?1 AND (?2 = '' OR status = ?2) AND (?3 = '' OR thread = ?3) AND (aside = 0 OR ?5) ORDER BY n DESC LIMIT ?4`, after, q.Status, q.Thread, limit+1, q.Aside)
	if err != nil {
		return nil, "", sqlite.Explain(err, "list runs")
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next = fmt.Sprint(rows[limit-1].n)
	}
	for _, x := range rows {
		page = append(page, d.run(ctx, x.row))
	}
	return page, next, nil
}
