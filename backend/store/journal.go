package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

// Append stores the events; they are on disk on return, or none of them is. A
// number that is not the next of its run, and anything after the last event, is
// refused.
func (d *DB) Append(ctx context.Context, events ...contract.Event) error {
	return d.AppendEnding(ctx, events, nil)
}

// AppendEnding is Append, and stores with the events how runs ended, how their
// evidence was ranked and what models said in them.
func (d *DB) AppendEnding(ctx context.Context, events []contract.Event, endings []journal.Ending) error {
	bodies, err := encodeBodies(events)
	if err != nil {
		return err
	}
	ends := make([]endRows, len(endings))
	for i, e := range endings {
		if ends[i], err = packEnding(&d.packer, e); err != nil {
			return err
		}
	}
	return d.write(ctx, "journal event", func(tx *sqlite.Tx) error {
		if err := appendEvents(ctx, tx, events, bodies); err != nil {
			return err
		}
		for _, e := range ends {
			if err := d.keepEnding(ctx, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

func encodeBodies(events []contract.Event) ([][]byte, error) {
	bodies := make([][]byte, len(events))
	for i, e := range events {
		var err error
		if bodies[i], err = json.Marshal(e.Body); err != nil {
			return nil, fmt.Errorf("encode event %d of %s: %w", e.Seq, e.Run, err)
		}
	}
	return bodies, nil
}

// appendEvents writes events where they continue the journals of their runs. The
// transaction has the only connection that writes, so no two writers can take the
// same number.
func appendEvents(ctx context.Context, tx *sqlite.Tx, events []contract.Event, bodies [][]byte) error {
	ends := map[contract.RunID]journalEnd{}
	for i, e := range events {
		end, known := ends[e.Run]
		if !known {
			err := tx.QueryRowContext(ctx, `SELECT seq, kind FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1`, e.Run).Scan(&end.seq, &end.kind)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return sqlite.Explain(err, "journal event")
			}
		}
		if e.Seq != end.seq+1 || end.kind.Terminal() {
			return fault.New(fault.Internal, fmt.Sprintf("Event %d of run %s does not continue its journal.", e.Seq, e.Run), "")
		}
		ends[e.Run] = journalEnd{e.Seq, e.Kind}
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (run, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)`, e.Run, e.Seq, millis(e.At), e.Kind, bodies[i]); err != nil {
			return sqlite.Explain(err, "journal event")
		}
		if chosen, ok := e.Body.(contract.Selected); ok {
			if err := hold(ctx, tx, e.Run, records.SourcesGiven(chosen)); err != nil {
				return err
			}
		}
	}
	return nil
}

// journalEnd is the last event of a run.
type journalEnd struct {
	seq  int
	kind contract.Kind
}

func hold(ctx context.Context, tx *sqlite.Tx, run contract.RunID, sources []evidence.SourceID) error {
	for _, s := range sources {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO holds (run, source) VALUES (?, ?)`, run, s); err != nil {
			return err
		}
	}
	return nil
}

// Since gives the events of a run after seq, in order. An unknown run has none.
// An event that cannot be read any more comes as a notice under its number, so
// that the log stays contiguous.
func (d *DB) Since(ctx context.Context, run contract.RunID, seq int) ([]contract.Event, error) {
	events, err := sqlite.Collect(ctx, d.r, d.scanEvent, `SELECT run, seq, at, kind, body FROM events WHERE run = ? AND seq > ? ORDER BY seq`, run, seq)
	return events, sqlite.Explain(err, "read journal")
}

func (d *DB) scanEvent(rows *sql.Rows) (contract.Event, error) {
	var e contract.Event
	var at int64
	var body []byte
	if err := rows.Scan(&e.Run, &e.Seq, &at, &e.Kind, &body); err != nil {
		return e, err
	}
	e.At = time.UnixMilli(at).UTC()
	var err error
	if e.Body, err = contract.DecodeBody(e.Kind, body); err != nil {
		d.log.Warn("event cannot be read", "run", e.Run, "seq", e.Seq, "error", err)
		e.Body = unreadable(e.Kind)
		e.Kind = e.Body.Kind()
	}
	return e, nil
}

// unreadable stands for a damaged event. A damaged last event still ends its run.
func unreadable(kind contract.Kind) contract.Body {
	const text = "This step of the answer was damaged on disk and cannot be shown."
	if kind.Terminal() {
		return contract.FailedRun{Failure: contract.Failure{Code: fault.DataDamaged, Message: text, Hint: "Ask again."}}
	}
	return contract.Noticed{Code: string(fault.DataDamaged), Level: "warn", Message: text}
}
