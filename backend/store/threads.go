package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

const threadColumns = `t.id, t.title, t.type, coalesce(t.session, ''), t.pinned, t.created, t.updated,
	(SELECT count(*) FROM runs r WHERE r.thread = t.id AND r.aside = 0),
	EXISTS (SELECT 1 FROM runs r WHERE r.thread = t.id AND r.status = 'running' AND r.aside = 0),
	EXISTS (SELECT 1 FROM standing s WHERE s.thread = t.id), EXISTS (SELECT 1 FROM standing s WHERE s.thread = t.id AND s.unseen = 1), t.collection,
	(SELECT coalesce(group_concat(o.id, ' '), '') FROM threads o WHERE t.conversation <> '' AND o.conversation = t.conversation AND o.id <> t.id)`

func (d *DB) scanThread(rows *sql.Rows) (records.ThreadInfo, error) {
	var t records.ThreadInfo
	var created, updated int64
	var others string
	err := rows.Scan(&t.ID, &t.Title, &t.Type, &t.Session, &t.Pinned, &created, &updated, &t.Runs, &t.Running, &t.Fresh, &t.Unseen, &t.Within, &others)
	for other := range strings.FieldsSeq(others) {
		t.Others = append(t.Others, contract.ThreadID(other))
	}
	t.Created, t.Updated = moment(created), moment(updated)
	t.Group = records.DayGroup(t.Updated, d.now())
	return t, err
}

// Threads lists threads and gives the cursor of the next page, empty at the end.
func (d *DB) Threads(ctx context.Context, q records.ThreadQuery) (page []records.ThreadInfo, next string, err error) {
	limit := records.LimitOr(q.Limit, 50)
	where, args := []string{"1"}, []any{}
	if q.Q == "" {
		where = append(where, `(t.conversation = '' OR NOT EXISTS (SELECT 1 FROM threads o WHERE o.conversation = t.conversation AND (o.updated, o.id) > (t.updated, t.id)))`)
	}
	if q.Type != "" {
		where, args = append(where, "t.type = ?"), append(args, q.Type)
	}
	if q.Collection != "" {
		where, args = append(where, "t.collection = ?"), append(args, q.Collection)
	}
	for _, like := range records.LikeWords(q.Q) {
		where = append(where, `(t.folded LIKE ? ESCAPE '\' OR EXISTS (SELECT 1 FROM runs r WHERE r.thread = t.id AND r.aside = 0 AND r.folded LIKE ? ESCAPE '\'))`)
		args = append(args, like, like)
	}
	if q.After != "" {
		at, err := records.ParseCursor(q.After)
		if err != nil {
			return nil, "", err
		}
		where, args = append(where, "(-t.pinned, -t.updated, t.id) > (?, ?, ?)"), append(args, -at.Pinned, -at.Updated, at.ID)
	}
	page, err = sqlite.Collect(ctx, d.r, d.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE `+strings.Join(where, " AND ")+
		` ORDER BY t.pinned DESC, t.updated DESC, t.id LIMIT ?`, append(args, limit+1)...)
	if err != nil {
		return nil, "", sqlite.Explain(err, "list threads")
	}
	if len(page) > limit {
		page = page[:limit]
		next = records.CursorOf(page[limit-1])
	}
	return page, next, nil
}

// Thread gives a thread with its runs in order. A missing one is fault
// not-found; runs that cannot be read stand there as failed.
func (d *DB) Thread(ctx context.Context, id contract.ThreadID) (records.ThreadDetail, error) {
	infos, err := sqlite.Collect(ctx, d.r, d.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE t.id = ?`, id)
	if err == nil && len(infos) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return records.ThreadDetail{}, sqlite.NotFound(err, "thread")
	}
	rows, err := sqlite.Collect(ctx, d.r, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE thread = ? AND aside = 0 ORDER BY n`, id)
	if err != nil {
		return records.ThreadDetail{}, sqlite.Explain(err, "read thread")
	}
	detail := records.ThreadDetail{ThreadInfo: infos[0], Items: make([]contract.Run, 0, len(rows))}
	for _, r := range rows {
		run := d.run(ctx, r)
		if run.Failure != nil && run.Failure.Code == fault.DataDamaged {
			detail.Damaged++
		}
		detail.Items = append(detail.Items, run)
	}
	detail.Versions, err = d.versions(ctx, id)
	return detail, err
}

// Rename gives a conversation another title.
func (d *DB) Rename(ctx context.Context, id contract.ThreadID, title string) error {
	return d.touchThread(ctx, `UPDATE threads SET title = ?2, folded = ?3 WHERE id IN `+inConversation, id, title, strings.ToLower(title))
}

// Pin keeps a conversation at the head of the list, or lets it go.
func (d *DB) Pin(ctx context.Context, id contract.ThreadID, pinned bool) error {
	return d.touchThread(ctx, `UPDATE threads SET pinned = ?2 WHERE id IN `+inConversation, id, pinned)
}

// PutInCollection makes a conversation one of a collection's, or of none with an empty
// id. A thread or collection that does not exist is fault not-found.
func (d *DB) PutInCollection(ctx context.Context, id contract.ThreadID, collection string) error {
	return d.write(ctx, "change thread", func(tx *sqlite.Tx) error {
		var there int
		if collection != "" {
			if err := tx.QueryRowContext(ctx, `SELECT 1 FROM collections WHERE id = ?`, collection).Scan(&there); err != nil {
				return sqlite.NotFound(err, "collection")
			}
		}
		return affected(tx.ExecContext(ctx, `UPDATE threads SET collection = ?2 WHERE id IN `+inConversation, id, collection))
	})
}

// BindSession makes a client's session name stand for a thread; the name leaves
// the thread that had it.
func (d *DB) BindSession(ctx context.Context, session string, id contract.ThreadID) error {
	return d.write(ctx, "bind session", func(tx *sqlite.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE threads SET session = NULL WHERE session = ?`, session); err != nil {
			return err
		}
		return affected(tx.ExecContext(ctx, `UPDATE threads SET session = ? WHERE id = ?`, session, id))
	})
}

// Session finds the thread of a client's session name; a missing one is fault
// not-found.
func (d *DB) Session(ctx context.Context, session string) (contract.ThreadID, error) {
	var id contract.ThreadID
	err := d.r.QueryRowContext(ctx, `SELECT id FROM threads WHERE session = ?`, session).Scan(&id)
	return id, sqlite.NotFound(err, "session")
}

func (d *DB) touchThread(ctx context.Context, query string, args ...any) error {
	return affected(d.w.ExecContext(ctx, query, args...))
}

// affected reports a statement about a thread that matched none.
func affected(result sql.Result, err error) error {
	if err != nil {
		return sqlite.Explain(err, "change thread")
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return sqlite.NotFound(errors.Join(err, sql.ErrNoRows), "thread")
	}
	return nil
}

// DeleteThread removes a conversation, which is a thread and its other versions, with
// runs and events. With erase the snapshots that only they held go too. Running
// runs must be stopped first: their next event would have no place.
func (d *DB) DeleteThread(ctx context.Context, id contract.ThreadID, erase bool) error {
	err := d.write(ctx, "delete thread", func(tx *sqlite.Tx) error {
		ids, err := versionsIn(ctx, tx, id)
		if err == nil && len(ids) == 0 {
			err = sqlite.NotFound(sql.ErrNoRows, "thread")
		}
		for _, each := range ids {
			err = errors.Join(err, d.deleteThread(ctx, tx, each, erase))
		}
		return err
	})
	if err != nil {
		return err
	}
	return d.leaveNoTrace(ctx)
}

// DropBranch removes a thread that was just made of another one; the versions of
// its conversation stay.
func (d *DB) DropBranch(ctx context.Context, id contract.ThreadID) error {
	return d.write(ctx, "drop branch", func(tx *sqlite.Tx) error { return d.deleteThread(ctx, tx, id, false) })
}

func (d *DB) deleteThread(ctx context.Context, tx *sqlite.Tx, id contract.ThreadID, erase bool) error {
	held, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT DISTINCT s.digest FROM holds h JOIN runs r ON r.id = h.run JOIN sources s ON s.id = h.source WHERE r.thread = ?`, id)
	if err != nil {
		return err
	}
	if err := d.noteDeleted("threads", string(id)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM damaged WHERE thread = ?`, id); err != nil {
		return err
	}
	if err := affected(tx.ExecContext(ctx, `DELETE FROM threads WHERE id = ?`, id)); err != nil || !erase {
		return err
	}
	return eraseSnapshots(ctx, tx, held)
}

// eraseSnapshots removes texts that neither an answer nor the library needs.
func eraseSnapshots(ctx context.Context, tx *sqlite.Tx, digests []string) error {
	for _, digest := range digests {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sources WHERE digest = ?1 AND id NOT IN (SELECT source FROM held)
			AND NOT EXISTS (SELECT 1 FROM files WHERE digest = ?1)`, digest); err != nil {
			return err
		}
		if err := dropUnsourced(ctx, tx, digest); err != nil {
			return err
		}
	}
	return nil
}
