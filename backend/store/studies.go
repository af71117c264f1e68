package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
)

// KeepStudy stores how far deep research has come; it goes with the run.
func (d *DB) KeepStudy(ctx context.Context, run contract.RunID, s contract.Study) error {
	data, err := json.Marshal(s)
	if err == nil {
		data, err = d.packer.Pack(data)
	}
	if err != nil {
		return fmt.Errorf("encode study of %s: %w", run, err)
	}
	_, err = d.w.ExecContext(ctx, `INSERT OR REPLACE INTO studies (run, data) VALUES (?, ?)`, run, data)
	return sqlite.Explain(err, "store study")
}

// Study gives how far deep research had come. A run without a study is fault
// not-found.
func (d *DB) Study(ctx context.Context, run contract.RunID) (contract.Study, error) {
	scan := func(rows *sql.Rows) (data []byte, err error) { return data, rows.Scan(&data) }
	rows, err := sqlite.Collect(ctx, d.r, scan, `SELECT data FROM studies WHERE run = ?`, run)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	var s contract.Study
	if err != nil {
		return s, sqlite.NotFound(err, "study")
	}
	if err := pack.UnpackJSON(rows[0], &s); err != nil {
		return s, sqlite.Damaged(fmt.Errorf("read study of %s: %w", run, err))
	}
	return s, nil
}

// Unfinished lists the runs of deep research whose journal has no last event,
// oldest first: CloseOpen leaves them open.
func (d *DB) Unfinished(ctx context.Context) ([]contract.Run, error) {
	open, err := d.openRuns(ctx)
	if err != nil {
		return nil, err
	}
	var left []contract.Run
	for _, row := range open {
		run := d.run(ctx, row)
		events, err := d.Since(ctx, run.ID, 0)
		if err != nil {
			return nil, err
		}
		if records.GoesOn(run, events) {
			left = append(left, run)
		}
	}
	return left, nil
}
