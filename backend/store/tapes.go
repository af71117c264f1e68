package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"footnote/backend/answer"
)

// KeepTape stores what models said in a run; it goes with the run.
func (d *DB) KeepTape(ctx context.Context, run answer.RunID, t answer.Tape) error {
	return d.write(ctx, "store tape", func(tx *tx) error { return d.keepNote(ctx, tx, run, "tapes", t) })
}

// KeepEnding stores how a run ended, how its evidence was ranked and what models
// said in it.
func (d *DB) KeepEnding(ctx context.Context, e answer.Ending) error {
	return d.write(ctx, "end run", func(tx *tx) error {
		if e.Ranking != nil {
			if err := d.keepNote(ctx, tx, e.Run.ID, "rankings", e.Ranking); err != nil {
				return err
			}
		}
		if e.Tape != nil {
			if err := d.keepNote(ctx, tx, e.Run.ID, "tapes", e.Tape); err != nil {
				return err
			}
		}
		return d.end(ctx, tx, e.Run)
	})
}

// Tape gives what models said in a run. A run without is fault not-found.
func (d *DB) Tape(ctx context.Context, run answer.RunID) (t answer.Tape, err error) {
	return t, d.note(ctx, run, "tapes", &t)
}

// keepNote stores what was noted of a run in a table of notes.
func (d *DB) keepNote(ctx context.Context, tx *tx, run answer.RunID, table string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		data, err = d.packer.pack(data)
	}
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", table, run, err)
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO `+table+` (run, data) VALUES (?, ?)`, run, data)
	return explain(err, "store "+table)
}

// note reads what was noted of a run; a run without is fault not-found.
func (d *DB) note(ctx context.Context, run answer.RunID, table string, into any) error {
	scan := func(rows *sql.Rows) (data []byte, err error) { return data, rows.Scan(&data) }
	rows, err := collect(ctx, d.r, scan, `SELECT data FROM `+table+` WHERE run = ?`, run)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return notFound(err, table)
	}
	if err := unpackJSON(rows[0], into); err != nil {
		return damaged(fmt.Errorf("read %s of %s: %w", table, run, err))
	}
	return nil
}
