package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/refresh"
	"footnote/backend/store/sqlite"
)

const subscriptionColumns = `run, thread, every, on_change, files, due, tried, checked, changed, failures, failure, paused, unseen`

func scanSubscription(rows *sql.Rows) (refresh.Subscription, error) {
	var s refresh.Subscription
	var files, failure string
	var due, tried, checked, changed int64
	err := rows.Scan(&s.Run, &s.Thread, &s.EveryMs, &s.OnChange, &files, &due, &tried, &checked, &changed, &s.Failures, &failure, &s.Paused, &s.Unseen)
	if err != nil {
		return s, err
	}
	s.Due, s.Tried, s.Checked, s.Changed = maybe(due), maybe(tried), maybe(checked), maybe(changed)
	if err := json.Unmarshal([]byte(files), &s.Files); err != nil {
		return s, sqlite.Damaged(fmt.Errorf("read files of standing question %s: %w", s.Run, err))
	}
	if failure != "" {
		if err := json.Unmarshal([]byte(failure), &s.Failure); err != nil {
			return s, sqlite.Damaged(fmt.Errorf("read failure of standing question %s: %w", s.Run, err))
		}
	}
	return s, nil
}

// maybe is a moment that may not have come.
func maybe(ms int64) *time.Time {
	if ms == 0 {
		return nil
	}
	t := moment(ms)
	return &t
}

func millisOf(t *time.Time) int64 {
	if t == nil {
		return 0
	}
	return millis(*t)
}

// Subscriptions lists the answers that are kept fresh; those of one thread, if one is
// named.
func (d *DB) Subscriptions(ctx context.Context, thread contract.ThreadID) ([]refresh.Subscription, error) {
	list, err := sqlite.Collect(ctx, d.r, scanSubscription, `SELECT `+subscriptionColumns+` FROM standing WHERE ?1 = '' OR thread = ?1 ORDER BY run`, thread)
	return list, sqlite.Explain(err, "list standing questions")
}

// PutSubscription stores that an answer is kept fresh, and how.
func (d *DB) PutSubscription(ctx context.Context, s refresh.Subscription) error {
	return d.write(ctx, "store standing question", func(tx *sqlite.Tx) error { return putSubscription(ctx, tx, s) })
}

func putSubscription(ctx context.Context, tx *sqlite.Tx, s refresh.Subscription) error {
	if s.Files == nil {
		s.Files = map[string]string{}
	}
	files, err := json.Marshal(s.Files)
	if err != nil {
		return fmt.Errorf("encode files: %w", err)
	}
	failure := []byte{}
	if s.Failure != nil {
		if failure, err = json.Marshal(s.Failure); err != nil {
			return fmt.Errorf("encode failure: %w", err)
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO standing (`+subscriptionColumns+`) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
		ON CONFLICT (run) DO UPDATE SET every = ?3, on_change = ?4, files = ?5, due = ?6, tried = ?7, checked = ?8, changed = ?9, failures = ?10, failure = ?11, paused = ?12, unseen = ?13`,
		s.Run, s.Thread, s.EveryMs, s.OnChange, string(files), millisOf(s.Due), millisOf(s.Tried), millisOf(s.Checked), millisOf(s.Changed), s.Failures, string(failure), s.Paused, s.Unseen)
	return err
}

// EditSubscription changes what is stored of an answer that is kept fresh, in one
// transaction. One that is not kept fresh any more is fault not-found.
func (d *DB) EditSubscription(ctx context.Context, run contract.RunID, change func(*refresh.Subscription)) error {
	return d.write(ctx, "change standing question", func(tx *sqlite.Tx) error {
		_, err := editSubscription(ctx, tx, run, change)
		return err
	})
}

func editSubscription(ctx context.Context, tx *sqlite.Tx, run contract.RunID, change func(*refresh.Subscription)) (refresh.Subscription, error) {
	found, err := sqlite.Collect(ctx, tx, scanSubscription, `SELECT `+subscriptionColumns+` FROM standing WHERE run = ?`, run)
	if err == nil && len(found) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return refresh.Subscription{}, sqlite.NotFound(err, "standing question")
	}
	change(&found[0])
	return found[0], putSubscription(ctx, tx, found[0])
}

// DropSubscription keeps an answer fresh no longer.
func (d *DB) DropSubscription(ctx context.Context, run contract.RunID) error {
	return sqlite.Explain(d.dropRow(ctx, "standing", string(run)), "drop standing question")
}

// Seen notes that a reader has looked at a thread: what checks found in it is no
// news any more.
func (d *DB) Seen(ctx context.Context, thread contract.ThreadID) error {
	_, err := d.w.ExecContext(ctx, `UPDATE standing SET unseen = 0 WHERE thread = ? AND unseen = 1`, thread)
	return sqlite.Explain(err, "note that changes were seen")
}

// Title is the title of a thread. A missing one is fault not-found.
func (d *DB) Title(ctx context.Context, id contract.ThreadID) (title string, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT title FROM threads WHERE id = ?`, id).Scan(&title)
	return title, sqlite.NotFound(err, "thread")
}

// Freshest is the newest answer that goes back to one: itself, or the last that
// refreshed it or one of those that did.
func (d *DB) Freshest(ctx context.Context, id contract.RunID) (contract.Run, error) {
	freshest, err := d.Run(ctx, id)
	if err != nil {
		return contract.Run{}, err
	}
	thread, err := d.Thread(ctx, freshest.Thread)
	chain := []contract.RunID{id}
	for _, run := range thread.Items {
		if run.Answer != nil && slices.Contains(chain, run.Question.Refreshes) {
			freshest, chain = run, append(chain, run.ID)
		}
	}
	return freshest, err
}

// FileDigests tells the digests of the files at paths; empty for one that is not
// there any more. A file of which nothing can be said now, since it waits to be
// read or its disk is away, is left out.
func (d *DB) FileDigests(ctx context.Context, paths []string) (map[string]string, error) {
	digests := map[string]string{}
	if len(paths) == 0 {
		return digests, nil
	}
	files, _, err := d.Files(ctx, library.FileQuery{Under: paths, Unlisted: true})
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		digests[path] = ""
	}
	for _, f := range files {
		switch {
		case !slices.Contains(paths, f.Path):
		case f.State.Settled() && f.State != library.NotReachable:
			digests[f.Path] = f.Digest
		default:
			delete(digests, f.Path)
		}
	}
	return digests, nil
}

// SettleCheck ends a check and notes in the same transaction what came of it.
// turn makes it a turn of its thread; else only its question and what it sent are
// kept. A subscription that is gone by now is fault not-found, and the check
// no turn.
func (d *DB) SettleCheck(ctx context.Context, subscription, check contract.RunID, turn bool, change func(*refresh.Subscription)) error {
	run, err := d.Run(ctx, check)
	if err != nil {
		return err
	}
	var gone error
	err = d.write(ctx, "settle check", func(tx *sqlite.Tx) error {
		if _, gone = editSubscription(ctx, tx, subscription, change); gone != nil && fault.CodeOf(gone) != fault.NotFound {
			return gone
		}
		if turn && gone == nil {
			return d.makeTurn(ctx, tx, run)
		}
		return reduce(ctx, tx, run)
	})
	if err != nil {
		return err
	}
	return gone
}

// makeTurn puts a check into its thread.
func (d *DB) makeTurn(ctx context.Context, tx *sqlite.Tx, run contract.Run) error {
	run.Question.Aside = false
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE runs SET aside = 0, record = ?, sum = ? WHERE id = ?`, record, sum, run.ID); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE threads SET updated = max(updated, ?) WHERE id = ?`, millis(d.now()), run.Thread)
	return err
}

// reduce leaves of a check its question and what it sent and received. Texts that
// it alone read go, unless a question is being answered: that may be about to cite
// them.
func reduce(ctx context.Context, tx *sqlite.Tx, run contract.Run) error {
	held, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT DISTINCT s.digest FROM holds h JOIN sources s ON s.id = h.source WHERE h.run = ?1
		AND NOT EXISTS (SELECT 1 FROM runs WHERE status = 'running' AND id <> ?1)`, run.ID)
	if err != nil {
		return err
	}
	if run.Answer != nil {
		run.Ledger, run.Answer = run.Answer.Ledger, nil
	}
	run.Partial = ""
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE runs SET folded = '', record = ?, sum = ? WHERE id = ?`, record, sum, run.ID); err != nil {
		return err
	}
	for _, table := range []string{"events", "holds", "rankings", "tapes", "studies"} {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE run = ?`, run.ID); err != nil {
			return err
		}
	}
	return eraseSnapshots(ctx, tx, held)
}

// SweepChecks reduces the checks that the last process broke off.
func (d *DB) SweepChecks(ctx context.Context) error {
	left, err := sqlite.Collect(ctx, d.r, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE aside = 1 AND status <> 'running' AND EXISTS (SELECT 1 FROM events WHERE run = runs.id)`)
	if err != nil {
		return sqlite.Explain(err, "list broken-off checks")
	}
	for _, row := range left {
		run := d.run(ctx, row)
		if err := d.write(ctx, "reduce check", func(tx *sqlite.Tx) error { return reduce(ctx, tx, run) }); err != nil {
			return err
		}
	}
	return nil
}
