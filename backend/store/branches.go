package store

import (
	"context"
	"database/sql"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

// Branch copies a thread up to a run into a new one; run and thread ids are given
// by the caller.
func (d *DB) Branch(ctx context.Context, b records.Branch, thread contract.ThreadID, mint func() contract.RunID) error {
	rows, err := sqlite.Collect(ctx, d.r, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE thread = ?1
		AND n <= (SELECT n FROM runs WHERE id = ?2 AND thread = ?1) AND (id = ?2 OR status <> 'running') AND aside = 0 ORDER BY n`, b.From, b.Run)
	var runs []contract.Run
	for _, r := range rows { // read before the transaction: a damaged one is set aside by the writer
		runs = append(runs, d.run(ctx, r))
	}
	if last := len(runs) - 1; err == nil && (last < 0 || runs[last].Status == contract.Running && !b.Version) {
		err = sql.ErrNoRows
	}
	if err != nil {
		return sqlite.NotFound(err, "run")
	}
	if b.Version {
		runs = runs[:len(runs)-1]
	}
	if len(runs) > 0 {
		b.Title = ""
	}
	return d.write(ctx, "branch thread", func(tx *sqlite.Tx) error {
		if b.Version {
			if _, err := tx.ExecContext(ctx, `UPDATE threads SET conversation = id WHERE id = ? AND conversation = ''`, b.From); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, folded, type, created, updated, collection, branch_of, branch_at, conversation, pinned)
			SELECT ?1, iif(?2 = '', title, ?2), iif(?2 = '', folded, ?3), type, ?4, ?4, collection, id, ?5, iif(?7, conversation, ''), iif(?7, pinned, 0) FROM threads WHERE id = ?6`,
			thread, b.Title, strings.ToLower(b.Title), millis(d.now()), len(runs), b.From, b.Version); err != nil {
			return err
		}
		for _, run := range runs {
			if err := copyRun(ctx, tx, run, thread, mint()); err != nil {
				return err
			}
		}
		return nil
	})
}

// inConversation selects the threads that are versions of one conversation with ?1, and ?1.
const inConversation = `(SELECT id FROM threads WHERE id = ?1 OR conversation <> '' AND conversation = (SELECT conversation FROM threads WHERE id = ?1))`

// Conversation gives the threads that are versions of one conversation, of which
// one is named; none where that one is missing.
func (d *DB) Conversation(ctx context.Context, id contract.ThreadID) ([]contract.ThreadID, error) {
	ids, err := versionsIn(ctx, d.r, id)
	return ids, sqlite.Explain(err, "find versions")
}

func versionsIn(ctx context.Context, from sqlite.Querier, id contract.ThreadID) ([]contract.ThreadID, error) {
	return sqlite.Collect(ctx, from, sqlite.ScanString[contract.ThreadID], `SELECT * FROM `+inConversation, id)
}

func copyRun(ctx context.Context, tx *sqlite.Tx, run contract.Run, thread contract.ThreadID, id contract.RunID) error {
	old := run.ID
	run = records.CopyOf(run, thread, id)
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`INSERT INTO runs (id, thread, status, started, question, folded, record, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			[]any{id, thread, run.Status, millis(run.Started), run.Question.Text, records.Folded(run), record, sum}},
		{`INSERT INTO events (run, seq, at, kind, body) SELECT ?, seq, at, kind, body FROM events WHERE run = ?`, []any{id, old}},
		{`INSERT INTO holds (run, source) SELECT ?, source FROM holds WHERE run = ?`, []any{id, old}},
	} {
		if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// versions are the turns of a thread that were asked in other ways as well.
func (d *DB) versions(ctx context.Context, id contract.ThreadID) ([]records.Versions, error) {
	scan := func(rows *sql.Rows) (b records.Branched, err error) {
		return b, rows.Scan(&b.ID, &b.Of, &b.At, &b.Turns)
	}
	list, err := sqlite.Collect(ctx, d.r, scan, `WITH RECURSIVE up (id, height) AS (SELECT ?1, 0 UNION SELECT t.branch_of, height + 1 FROM up JOIN threads t ON t.id = up.id WHERE t.branch_of <> ''),
		kin (id) AS (SELECT * FROM (SELECT id FROM up ORDER BY height DESC LIMIT 1) UNION SELECT t.id FROM kin JOIN threads t ON t.branch_of = kin.id)
		SELECT t.id, branch_of, branch_at, (SELECT count(*) FROM runs r WHERE r.thread = t.id AND r.aside = 0) FROM threads t JOIN kin ON t.id = kin.id ORDER BY created, t.id`, id)
	if err != nil {
		return nil, sqlite.Explain(err, "find branches")
	}
	return records.VersionsOf(list, id), nil
}
