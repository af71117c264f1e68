package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// appendSQL writes an event only if it is the next of its run and the run has
// not ended: the guard and the write are one statement, so no two writers can
// take the same number.
const appendSQL = `INSERT INTO events (run, seq, at, kind, body)
	SELECT ?1, ?2, ?3, ?4, ?5
	WHERE ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE run = ?1), 0)
	AND NOT EXISTS (SELECT 1 FROM events WHERE run = ?1 AND seq = ?2 - 1 AND kind IN ('finished', 'failed', 'stopped'))`

// Append stores the events; they are on disk on return, or none of them is. A
// number that is not the next of its run, and anything after the last event, is
// refused.
func (d *DB) Append(ctx context.Context, events ...answer.Event) error {
	return d.write(ctx, "journal event", func(tx *tx) error {
		for _, e := range events {
			if err := appendEvent(ctx, tx, e); err != nil {
				return err
			}
			if chosen, ok := e.Body.(answer.Selected); ok {
				if err := hold(ctx, tx, e.Run, sourcesGiven(chosen)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func appendEvent(ctx context.Context, tx *tx, e answer.Event) error {
	body, err := json.Marshal(e.Body)
	if err != nil {
		return fmt.Errorf("encode event %d of %s: %w", e.Seq, e.Run, err)
	}
	result, err := tx.ExecContext(ctx, appendSQL, e.Run, e.Seq, millis(e.At), e.Kind, body)
	if err != nil {
		return explain(err, "journal event")
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return fault.Wrap(err, fault.Internal, fmt.Sprintf("Event %d of run %s does not continue its journal.", e.Seq, e.Run), "")
	}
	return nil
}

// sourcesGiven are the sources that a run was given: they are held, so that a
// file removed from now on keeps its text for this run.
func sourcesGiven(chosen answer.Selected) []evidence.SourceID {
	sources := make([]evidence.SourceID, 0, len(chosen.Passages)+len(chosen.Sources))
	for _, p := range chosen.Passages {
		sources = append(sources, p.Source)
	}
	for _, s := range chosen.Sources {
		sources = append(sources, s.ID)
	}
	return sources
}

func hold(ctx context.Context, tx *tx, run answer.RunID, sources []evidence.SourceID) error {
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
func (d *DB) Since(ctx context.Context, run answer.RunID, seq int) ([]answer.Event, error) {
	events, err := collect(ctx, d.r, d.scanEvent, `SELECT run, seq, at, kind, body FROM events WHERE run = ? AND seq > ? ORDER BY seq`, run, seq)
	return events, explain(err, "read journal")
}

func (d *DB) scanEvent(rows *sql.Rows) (answer.Event, error) {
	var e answer.Event
	var at int64
	var body []byte
	if err := rows.Scan(&e.Run, &e.Seq, &at, &e.Kind, &body); err != nil {
		return e, err
	}
	e.At = time.UnixMilli(at).UTC()
	var err error
	if e.Body, err = answer.DecodeBody(e.Kind, body); err != nil {
		d.log.Warn("event cannot be read", "run", e.Run, "seq", e.Seq, "error", err)
		e.Body = unreadable(e.Kind)
		e.Kind = e.Body.Kind()
	}
	return e, nil
}

// unreadable stands for a damaged event. A damaged last event still ends its run.
func unreadable(kind answer.Kind) answer.Body {
	const text = "This step of the answer was damaged on disk and cannot be shown."
	if kind.Terminal() {
		return answer.FailedRun{Failure: answer.Failure{Code: fault.DataDamaged, Message: text, Hint: "Ask again."}}
	}
	return answer.Noticed{Code: string(fault.DataDamaged), Level: "warn", Message: text}
}
