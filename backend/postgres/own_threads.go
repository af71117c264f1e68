package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
)

const threadColumns = `t.id, t.title, t.type, coalesce(t.session, ''), t.pinned, t.created, t.updated,
	(SELECT count(*) FROM runs r WHERE r.person = t.person AND r.thread = t.id AND NOT r.aside),
	EXISTS (SELECT 1 FROM runs r WHERE r.person = t.person AND r.thread = t.id AND r.status = 'running' AND NOT r.aside), t.collection`

func (o *Own) scanThread(row pgx.CollectableRow) (t records.ThreadInfo, err error) {
	var created, updated int64
	err = row.Scan(&t.ID, &t.Title, &t.Type, &t.Session, &t.Pinned, &created, &updated, &t.Runs, &t.Running, &t.Within)
	t.Created, t.Updated = moment(created), moment(updated)
	t.Group = records.DayGroup(t.Updated, o.clock())
	return t, err
}

// Threads lists threads and gives the cursor of the next page, empty at the end.
// Answers that are withheld are not searched.
func (o *Own) Threads(ctx context.Context, q records.ThreadQuery) (page []records.ThreadInfo, next string, err error) {
	limit := records.LimitOr(q.Limit, 50)
	words := records.LikeWords(q.Q)
	if words == nil {
		words = []string{}
	}
	args := []any{q.Type, q.Collection, words, limit + 1}
	after := ""
	if q.After != "" {
		at, err := records.ParseCursor(q.After)
		if err != nil {
			return nil, "", err
		}
		after, args = ` AND (-t.pinned::int, -t.updated, t.id) > ($7, $8, $9)`, append(args, -at.Pinned, -at.Updated, at.ID)
	}
	page, err = answered(ctx, o, "list threads", o.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE t.person = ANY ($1) AND ($3 = '' OR t.type = $3) AND ($4 = '' OR t.collection = $4)
		AND NOT EXISTS (SELECT 1 FROM unnest($5::text[]) w WHERE NOT (t.folded LIKE w OR EXISTS (SELECT 1 FROM runs r LEFT JOIN outcomes o ON o.person = r.person AND o.run = r.id AND o.run <> ALL ($2)
			WHERE r.person = t.person AND r.thread = t.id AND NOT r.aside AND (r.folded LIKE w OR o.folded LIKE w))))`+after+`
		ORDER BY t.pinned DESC, t.updated DESC, t.id LIMIT $6`, args...)
	if err == nil && len(page) > limit {
		page = page[:limit]
		next = records.CursorOf(page[limit-1])
	}
	return page, next, err
}

// Thread gives a thread with its runs in order. A missing one is fault not-found.
func (o *Own) Thread(ctx context.Context, id contract.ThreadID) (detail records.ThreadDetail, err error) {
	err = o.look(ctx, "read thread", func(tx pgx.Tx, s scope) error {
		infos, err := collect(ctx, tx, o.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE t.person = ANY ($1) AND t.id = $2`, s.own, id)
		if detail.ThreadInfo, err = only(infos, err, "thread"); err != nil {
			return err
		}
		runs, err := collect(ctx, tx, scanRun, `SELECT `+runColumns+runRows+`AND r.thread = $3 AND NOT r.aside ORDER BY r.n`, s.own, s.withheld, id)
		if err != nil {
			return err
		}
		detail.Items = make([]contract.Run, len(runs))
		for i, r := range runs {
			detail.Items[i] = r.Run
		}
		kin, err := collect(ctx, tx, pgx.RowToStructByPos[records.Branched], `WITH RECURSIVE up (id, height) AS (SELECT $2::text COLLATE "C", 0 UNION SELECT t.branch_of, height + 1 FROM up JOIN threads t ON t.person = ANY ($1) AND t.id = up.id WHERE t.branch_of <> ''),
			kin (id) AS (SELECT * FROM (SELECT id FROM up ORDER BY height DESC LIMIT 1) top UNION SELECT t.id FROM kin JOIN threads t ON t.person = ANY ($1) AND t.branch_of = kin.id)
			SELECT t.id, branch_of, branch_at, (SELECT count(*) FROM runs r WHERE r.person = t.person AND r.thread = t.id AND NOT r.aside)
			FROM threads t JOIN kin ON t.id = kin.id WHERE t.person = ANY ($1) ORDER BY created, t.id`, s.own, id)
		detail.Versions = records.VersionsOf(kin, id)
		return err
	})
	return detail, err
}

// Title is the title of a thread. A missing one is fault not-found.
func (o *Own) Title(ctx context.Context, id contract.ThreadID) (string, error) {
	list, err := kept(ctx, o, "read thread", pgx.RowTo[string], `SELECT title FROM threads WHERE person = ANY ($1) AND id = $2`, id)
	return only(list, err, "thread")
}

// DeleteThread removes a thread with its runs and events, and what was read for them
// alone. Running runs must be stopped first.
func (o *Own) DeleteThread(ctx context.Context, id contract.ThreadID, _ bool) error {
	return o.change(ctx, "delete thread", func(tx pgx.Tx, s scope) error {
		tag, err := tx.Exec(ctx, `DELETE FROM threads WHERE person = ANY ($1) AND id = $2`, s.own, id)
		if err := there(tag.RowsAffected(), err, "thread"); err != nil {
			return err
		}
		const unheld = `FROM sources s WHERE person = ANY ($1) AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.person = s.person AND h.source = s.id)`
		if _, err := tx.Exec(ctx, `DELETE `+unheld, s.own); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM snapshots k WHERE person = ANY ($1) AND NOT EXISTS (SELECT 1 FROM sources s WHERE s.person = k.person AND s.digest = k.digest)`, s.own)
		return err
	})
}

// Rename gives a thread another title.
func (o *Own) Rename(ctx context.Context, id contract.ThreadID, title string) error {
	n, err := o.exec(ctx, "rename thread", `UPDATE threads SET title = $3, folded = $4 WHERE person = ANY ($1) AND id = $2`, id, plainText(title), strings.ToLower(plainText(title)))
	return there(n, err, "thread")
}

// Pin keeps a thread at the head of the list, or lets it go.
func (o *Own) Pin(ctx context.Context, id contract.ThreadID, pinned bool) error {
	n, err := o.exec(ctx, "pin thread", `UPDATE threads SET pinned = $3 WHERE person = ANY ($1) AND id = $2`, id, pinned)
	return there(n, err, "thread")
}

// PutInCollection makes a thread one of a named set's, or of none with an empty id.
func (o *Own) PutInCollection(ctx context.Context, id contract.ThreadID, collection string) error {
	return o.change(ctx, "change thread", func(tx pgx.Tx, s scope) error {
		if collection != "" {
			found, err := collect(ctx, tx, pgx.RowTo[int], `SELECT 1 FROM scopes WHERE collection = ANY ($1) AND id = $2`, s.reads, collection)
			if _, err := only(found, err, "collection"); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, `UPDATE threads SET collection = $3 WHERE person = ANY ($1) AND id = $2`, s.own, id, collection)
		return there(tag.RowsAffected(), err, "thread")
	})
}

// Seen implements records.Changes: no answer is kept fresh here.
func (o *Own) Seen(context.Context, contract.ThreadID) error { return nil }

// BindSession makes a client's session name stand for a thread; the name leaves the
// thread that had it.
func (o *Own) BindSession(ctx context.Context, session string, id contract.ThreadID) error {
	session = plainText(session)
	return o.change(ctx, "bind session", func(tx pgx.Tx, s scope) error {
		if _, err := tx.Exec(ctx, `UPDATE threads SET session = NULL WHERE person = ANY ($1) AND session = $2`, s.own, session); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE threads SET session = $3 WHERE person = ANY ($1) AND id = $2`, s.own, id, session)
		return there(tag.RowsAffected(), err, "thread")
	})
}

// Session finds the thread of a client's session name; a missing one is fault
// not-found.
func (o *Own) Session(ctx context.Context, session string) (contract.ThreadID, error) {
	list, err := kept(ctx, o, "find session", pgx.RowTo[contract.ThreadID], `SELECT id FROM threads WHERE person = ANY ($1) AND session = $2`, plainText(session))
	return only(list, err, "session")
}

// Repair takes the runs out of a thread that have no answer to show. Runs in
// progress must be stopped first.
func (o *Own) Repair(ctx context.Context, thread contract.ThreadID) (int, error) {
	if _, err := o.Title(ctx, thread); err != nil {
		return 0, err
	}
	n, err := o.exec(ctx, "repair thread", `DELETE FROM runs WHERE person = ANY ($1) AND thread = $2 AND status IN ('running', 'failed') AND NOT aside`, thread)
	return int(n), err
}

// Conversation gives the thread alone: here versions are threads of their own.
func (o *Own) Conversation(ctx context.Context, id contract.ThreadID) ([]contract.ThreadID, error) {
	if _, err := o.Title(ctx, id); err != nil {
		return nil, err
	}
	return []contract.ThreadID{id}, nil
}

// DropBranch removes a thread that was just made of another one.
func (o *Own) DropBranch(ctx context.Context, id contract.ThreadID) error {
	return o.DeleteThread(ctx, id, false)
}

// Branch copies a thread up to a run into a new one. Answers that are withheld are
// not copied.
func (o *Own) Branch(ctx context.Context, b records.Branch, thread contract.ThreadID, mint func() contract.RunID) error {
	return o.change(ctx, "branch thread", func(tx pgx.Tx, s scope) error {
		runs, err := collect(ctx, tx, scanRun, `SELECT `+runColumns+runRows+`AND r.thread = $3 AND NOT r.aside AND (r.id = $4 OR r.status <> 'running')
			AND r.n <= (SELECT n FROM runs l WHERE l.person = r.person AND l.id = $4 AND l.thread = $3) ORDER BY r.n`, s.own, s.withheld, b.From, b.Run)
		if err != nil {
			return err
		}
		last := len(runs) - 1
		if last < 0 || runs[last].Status == contract.Running && !b.Version {
			return missing("run")
		}
		if b.Version {
			runs = runs[:last]
		}
		if len(runs) > 0 {
			b.Title = ""
		}
		if _, err := tx.Exec(ctx, `INSERT INTO threads (person, id, title, folded, type, created, updated, collection, branch_of, branch_at)
			SELECT person, $3, CASE WHEN $4 = '' THEN title ELSE $4 END, CASE WHEN $4 = '' THEN folded ELSE $5 END, type, $6, $6, collection, id, $7 FROM threads WHERE person = ANY ($1) AND id = $2`,
			s.own, b.From, thread, plainText(b.Title), strings.ToLower(plainText(b.Title)), millis(o.clock()), len(runs)); err != nil {
			return err
		}
		for _, r := range runs {
			if err := o.copyRun(ctx, tx, s, records.CopyOf(r.Run, thread, mint()), r.Run.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

// copyRun stores a run that is a copy of another one, with all that was noted of it.
func (o *Own) copyRun(ctx context.Context, tx pgx.Tx, s scope, run contract.Run, old contract.RunID) error {
	record, err := inJSON(run)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO runs (person, id, thread, status, started, asked, folded, aside, reads, seq, ended)
		SELECT person, $3, $4, status, started, $5, folded, false, reads, seq, ended FROM runs WHERE person = ANY ($1) AND id = $2`, s.own, old, run.ID, run.Thread, record[0])
	batch.Queue(`INSERT INTO outcomes (person, run, record, folded) SELECT person, $3, $4, folded FROM outcomes WHERE person = ANY ($1) AND run = $2`, s.own, old, run.ID, record[0])
	for _, table := range []string{`events (person, run, seq, at, kind, body) SELECT person, $3, seq, at, kind, body FROM events`,
		`holds (person, run, source) SELECT person, $3, source FROM holds`, `touched (person, run, digest, collection) SELECT person, $3, digest, collection FROM touched`} {
		batch.Queue(`INSERT INTO `+table+` WHERE person = ANY ($1) AND run = $2`, s.own, old, run.ID)
	}
	return tx.SendBatch(ctx, batch).Close()
}
