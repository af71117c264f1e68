package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// runRow is a row of runs. Its record may be damaged; the columns beside it tell
// enough to show that the run was there.
type runRow struct {
	id       contract.RunID
	thread   contract.ThreadID
	status   contract.Status
	started  int64
	question string
	record   string
	sum      uint32
}

const runColumns = `id, thread, status, started, question, record, sum`

func scanRunRow(rows *sql.Rows) (runRow, error) {
	var r runRow
	err := rows.Scan(&r.id, &r.thread, &r.status, &r.started, &r.question, &r.record, &r.sum)
	return r, err
}

func encodeRun(run contract.Run) (record string, sum uint32, err error) {
	data, err := json.Marshal(run)
	if err != nil {
		return "", 0, fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	return string(data), crc32.ChecksumIEEE(data), nil
}

func (r runRow) decode() (contract.Run, error) {
	if crc32.ChecksumIEEE([]byte(r.record)) != r.sum {
		return contract.Run{}, errors.New("checksum differs")
	}
	var run contract.Run
	err := json.Unmarshal([]byte(r.record), &run)
	return run, err
}

// run reads a row. A damaged record never hurts its neighbours: it is kept
// aside, the log is warned, and a failed run with the question stands in its place.
func (d *DB) run(ctx context.Context, r runRow) contract.Run {
	run, err := r.decode()
	if err == nil {
		return run
	}
	d.setAside(ctx, r, err)
	return contract.Run{
		ID: r.id, Thread: r.thread, Status: contract.Failed, Started: time.UnixMilli(r.started).UTC(),
		Question: contract.Question{Text: r.question, Thread: r.thread},
		Failure: &contract.Failure{Code: fault.DataDamaged, Message: "This answer was damaged on disk and cannot be shown.",
			Hint: "Ask again; the damaged record was kept aside."},
	}
}

func (d *DB) setAside(ctx context.Context, r runRow, cause error) {
	d.log.Warn("record of a run cannot be read", "run", r.id, "thread", r.thread, "error", cause)
	_, err := d.w.ExecContext(ctx, `INSERT OR IGNORE INTO damaged (run, thread, found, reason, record) VALUES (?, ?, ?, ?, ?)`,
		r.id, r.thread, millis(d.now()), cause.Error(), r.record)
	if err != nil {
		d.log.Warn("damaged record not kept aside", "run", r.id, "error", err)
	}
}
