package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// ThreadInfo is a thread as lists show it.
type ThreadInfo struct {
	ID      contract.ThreadID   `json:"id"`
	Title   string              `json:"title"`
	Type    string              `json:"type"` // chat, deep-research
	Session string              `json:"session_id,omitempty"`
	Pinned  bool                `json:"pinned"`
	Created time.Time           `json:"created"`
	Updated time.Time           `json:"updated"`
	Runs    int                 `json:"runs"`
	Running bool                `json:"running"`
	Fresh   bool                `json:"kept_fresh,omitempty"`     // an answer of it is checked from time to time
	Unseen  bool                `json:"unseen,omitempty"`         // such a check found changes that nobody has looked at
	Within  string              `json:"collection,omitempty"`     // the set of sources that it asks, by id
	Others  []contract.ThreadID `json:"other_versions,omitempty"` // threads that are listed with it: versions of one conversation
	Group   string              `json:"group"`                    // today, yesterday, week, older: by Updated, in the clock's time zone
}

// ThreadDetail is a thread with its runs in order.
type ThreadDetail struct {
	ThreadInfo
	Items    []contract.Run `json:"items"`
	Damaged  int            `json:"damaged"` // records that could not be read and were kept aside
	Versions []Versions     `json:"versions"`
}

// ThreadQuery selects threads, pinned ones first, then the newest; of the versions
// of a conversation the newest. Each word of Q must stand in the title, a question
// or an answer, of whichever version.
type ThreadQuery struct {
	Q, Type    string
	Collection string // id; those of it alone
	Limit      int    // 0 = 50
	After      string // cursor of the page before
}

const threadColumns = `t.id, t.title, t.type, coalesce(t.session, ''), t.pinned, t.created, t.updated,
	(SELECT count(*) FROM runs r WHERE r.thread = t.id AND r.aside = 0),
	EXISTS (SELECT 1 FROM runs r WHERE r.thread = t.id AND r.status = 'running' AND r.aside = 0),
	EXISTS (SELECT 1 FROM standing s WHERE s.thread = t.id), EXISTS (SELECT 1 FROM standing s WHERE s.thread = t.id AND s.unseen = 1), t.collection,
	(SELECT coalesce(group_concat(o.id, ' '), '') FROM threads o WHERE t.conversation <> '' AND o.conversation = t.conversation AND o.id <> t.id)`

func (d *DB) scanThread(rows *sql.Rows) (ThreadInfo, error) {
	var t ThreadInfo
	var created, updated int64
	var others string
	err := rows.Scan(&t.ID, &t.Title, &t.Type, &t.Session, &t.Pinned, &created, &updated, &t.Runs, &t.Running, &t.Fresh, &t.Unseen, &t.Within, &others)
	for other := range strings.FieldsSeq(others) {
		t.Others = append(t.Others, contract.ThreadID(other))
	}
	t.Created, t.Updated = moment(created), moment(updated)
	t.Group = dayGroup(t.Updated, d.now())
	return t, err
}

// dayGroup names the part of the list in which a time stands.
func dayGroup(t, now time.Time) string {
	t = t.In(now.Location())
	y, m, day := now.Date()
	today := time.Date(y, m, day, 0, 0, 0, 0, now.Location())
	switch {
	case !t.Before(today):
		return "today"
	case !t.Before(today.AddDate(0, 0, -1)):
		return "yesterday"
	case !t.Before(today.AddDate(0, 0, -6)):
		return "week"
	}
	return "older"
}

// Threads lists threads and gives the cursor of the next page, empty at the end.
func (d *DB) Threads(ctx context.Context, q ThreadQuery) (page []ThreadInfo, next string, err error) {
	limit := limitOr(q.Limit, 50)
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
	for word := range strings.FieldsSeq(strings.ToLower(q.Q)) {
		like := "%" + likeEscape.Replace(word) + "%"
		where = append(where, `(t.folded LIKE ? ESCAPE '\' OR EXISTS (SELECT 1 FROM runs r WHERE r.thread = t.id AND r.aside = 0 AND r.folded LIKE ? ESCAPE '\'))`)
		args = append(args, like, like)
	}
	if q.After != "" {
		at, err := parseThreadCursor(q.After)
		if err != nil {
			return nil, "", err
		}
		where, args = append(where, "(-t.pinned, -t.updated, t.id) > (?, ?, ?)"), append(args, at[0], at[1], at[2])
	}
	page, err = sqlite.Collect(ctx, d.r, d.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE `+strings.Join(where, " AND ")+
		` ORDER BY t.pinned DESC, t.updated DESC, t.id LIMIT ?`, append(args, limit+1)...)
	if err != nil {
		return nil, "", sqlite.Explain(err, "list threads")
	}
	if len(page) > limit {
		page = page[:limit]
		next = threadCursor(page[limit-1])
	}
	return page, next, nil
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

func threadCursor(t ThreadInfo) string {
	pinned := 0
	if t.Pinned {
		pinned = 1
	}
	return fmt.Sprintf("%d.%d.%s", pinned, t.Updated.UnixMilli(), t.ID)
}

func parseThreadCursor(s string) ([3]any, error) {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) == 3 {
		pinned, err := strconv.ParseInt(parts[0], 10, 64)
		updated, err2 := strconv.ParseInt(parts[1], 10, 64)
		if err == nil && err2 == nil {
			return [3]any{-pinned, -updated, parts[2]}, nil
		}
	}
	return [3]any{}, badCursor(nil)
}

func badCursor(err error) error {
	return fault.Wrap(err, fault.InvalidRequest, "The cursor \"after\" is not one that a list gave.", "Start the list again without it.")
}

func cursorNumber(s string, start int64) (int64, error) {
	if s == "" {
		return start, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, badCursor(err)
	}
	return n, nil
}

func limitOr(n, standard int) int {
	if n <= 0 {
		return standard
	}
	return n
}

// Thread gives a thread with its runs in order. A missing one is fault
// not-found; runs that cannot be read stand there as failed.
func (d *DB) Thread(ctx context.Context, id contract.ThreadID) (ThreadDetail, error) {
	infos, err := sqlite.Collect(ctx, d.r, d.scanThread, `SELECT `+threadColumns+` FROM threads t WHERE t.id = ?`, id)
	if err == nil && len(infos) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return ThreadDetail{}, sqlite.NotFound(err, "thread")
	}
	rows, err := sqlite.Collect(ctx, d.r, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE thread = ? AND aside = 0 ORDER BY n`, id)
	if err != nil {
		return ThreadDetail{}, sqlite.Explain(err, "read thread")
	}
	detail := ThreadDetail{ThreadInfo: infos[0], Items: make([]contract.Run, 0, len(rows))}
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
			err = errors.Join(err, deleteThread(ctx, tx, each, erase))
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
	return d.write(ctx, "drop branch", func(tx *sqlite.Tx) error { return deleteThread(ctx, tx, id, false) })
}

func deleteThread(ctx context.Context, tx *sqlite.Tx, id contract.ThreadID, erase bool) error {
	held, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT DISTINCT s.digest FROM holds h JOIN runs r ON r.id = h.run JOIN sources s ON s.id = h.source WHERE r.thread = ?`, id)
	if err != nil {
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
