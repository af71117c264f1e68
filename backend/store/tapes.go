package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
)

// KeepTape stores what models said in a run; it goes with the run.
func (d *DB) KeepTape(ctx context.Context, run contract.RunID, t trace.Tape) error {
	return d.keepNote(ctx, run, "tapes", t)
}

// endRows is an ending as its rows want it. Packing is work for the processor and
// happens before the transaction.
type endRows struct {
	run           contract.Run
	record        string
	sum           uint32
	ranking, tape []byte // nil where there is none
}

func packEnding(p *pack.Packer, e journal.Ending) (rows endRows, err error) {
	rows.run = e.Run
	if rows.record, rows.sum, err = encodeRun(e.Run); err != nil {
		return rows, err
	}
	if e.Ranking != nil {
		if rows.ranking, err = packNote(p, e.Run.ID, "rankings", e.Ranking); err != nil {
			return rows, err
		}
	}
	if e.Tape != nil {
		rows.tape, err = packNote(p, e.Run.ID, "tapes", e.Tape)
	}
	return rows, err
}

func (d *DB) keepEnding(ctx context.Context, tx *sqlite.Tx, e endRows) error {
	for table, data := range map[string][]byte{"rankings": e.ranking, "tapes": e.tape} {
		if data == nil {
			continue
		}
		if err := putNote(ctx, tx, e.run.ID, table, data); err != nil {
			return err
		}
	}
	return d.storeEnd(ctx, tx, e.run, e.record, e.sum)
}

// Tape gives what models said in a run. A run without is fault not-found.
func (d *DB) Tape(ctx context.Context, run contract.RunID) (t trace.Tape, err error) {
	return t, d.note(ctx, run, "tapes", &t)
}

// keepNote stores what was noted of a run in a table of notes.
func (d *DB) keepNote(ctx context.Context, run contract.RunID, table string, v any) error {
	data, err := packNote(&d.packer, run, table, v)
	if err != nil {
		return err
	}
	return d.write(ctx, "store "+table, func(tx *sqlite.Tx) error { return putNote(ctx, tx, run, table, data) })
}

func packNote(p *pack.Packer, run contract.RunID, table string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err == nil {
		data, err = p.Pack(data)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s of %s: %w", table, run, err)
	}
	return data, nil
}

func putNote(ctx context.Context, tx *sqlite.Tx, run contract.RunID, table string, data []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO `+table+` (run, data) VALUES (?, ?)`, run, data)
	return sqlite.Explain(err, "store "+table)
}

// note reads what was noted of a run; a run without is fault not-found.
func (d *DB) note(ctx context.Context, run contract.RunID, table string, into any) error {
	scan := func(rows *sql.Rows) (data []byte, err error) { return data, rows.Scan(&data) }
	rows, err := sqlite.Collect(ctx, d.r, scan, `SELECT data FROM `+table+` WHERE run = ?`, run)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return sqlite.NotFound(err, table)
	}
	if err := pack.UnpackJSON(rows[0], into); err != nil {
		return sqlite.Damaged(fmt.Errorf("read %s of %s: %w", table, run, err))
	}
	return nil
}
