package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/store/sqlite"
)

// Branch says where a new thread leaves another one, and what it is called: the
// title of that one where it is empty, or where they share the first turn. A version
// goes on in the place of the run, and is one conversation with the thread that it left.
type Branch struct {
	From    contract.ThreadID
	Run     contract.RunID
	Version bool
	Title   string
}

// Versions are threads that differ from one turn on, the oldest first; one of them
// is the thread that they are listed with.
type Versions struct {
	Turn    int                 `json:"turn"` // from 0
	Threads []contract.ThreadID `json:"threads"`
}

// Branch copies a thread up to a run into a new one; run and thread ids are given
// by the caller.
func (d *DB) Branch(ctx context.Context, b Branch, thread contract.ThreadID, mint func() contract.RunID) error {
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
	run.ID, run.Thread, run.Question.Thread = id, thread, thread
	if run.Answer != nil {
		copied := *run.Answer
		copied.Run, copied.Thread = id, thread
		run.Answer = &copied
	}
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`INSERT INTO runs (id, thread, status, started, question, folded, record, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			[]any{id, thread, run.Status, millis(run.Started), run.Question.Text, foldedRun(run), record, sum}},
		{`INSERT INTO events (run, seq, at, kind, body) SELECT ?, seq, at, kind, body FROM events WHERE run = ?`, []any{id, old}},
		{`INSERT INTO holds (run, source) SELECT ?, source FROM holds WHERE run = ?`, []any{id, old}},
	} {
		if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
			return err
		}
	}
	return nil
}

// branched is a thread of a family: it left another one at a turn.
type branched struct {
	id, of    contract.ThreadID
	at, turns int
}

type family map[contract.ThreadID]branched

// versions are the turns of a thread that were asked in other ways as well.
func (d *DB) versions(ctx context.Context, id contract.ThreadID) ([]Versions, error) {
	scan := func(rows *sql.Rows) (b branched, err error) { return b, rows.Scan(&b.id, &b.of, &b.at, &b.turns) }
	list, err := sqlite.Collect(ctx, d.r, scan, `WITH RECURSIVE up (id, height) AS (SELECT ?1, 0 UNION SELECT t.branch_of, height + 1 FROM up JOIN threads t ON t.id = up.id WHERE t.branch_of <> ''),
		kin (id) AS (SELECT * FROM (SELECT id FROM up ORDER BY height DESC LIMIT 1) UNION SELECT t.id FROM kin JOIN threads t ON t.branch_of = kin.id)
		SELECT t.id, branch_of, branch_at, (SELECT count(*) FROM runs r WHERE r.thread = t.id AND r.aside = 0) FROM threads t JOIN kin ON t.id = kin.id ORDER BY created, t.id`, id)
	if err != nil {
		return nil, sqlite.Explain(err, "find branches")
	}
	kin := family{}
	for _, b := range list {
		kin[b.id] = b
	}
	all := []Versions{}
	for _, b := range list {
		if b.of == "" || b.at >= kin[id].turns || slices.ContainsFunc(all, func(v Versions) bool { return v.Turn == b.at }) {
			continue
		}
		v := Versions{Turn: b.at, Threads: kin.ways(list, id, b.at)}
		if len(v.Threads) > 1 {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b Versions) int { return a.Turn - b.Turn })
	return all, nil
}

// ways are the threads that asked a turn in different ways, in the order of a list.
// Of those that share it stands the one it was asked in, else the first; for those
// that share it with id stands id.
func (f family) ways(list []branched, id contract.ThreadID, turn int) (ways []contract.ThreadID) {
	told := map[contract.ThreadID]bool{}
	for _, b := range list {
		way := f.asked(b.id, turn)
		if b.turns <= turn || told[way] || f.first(b.id, turn) != f.first(id, turn) {
			continue
		}
		told[way] = true
		_, there := f[way]
		switch {
		case way == f.asked(id, turn):
			ways = append(ways, id)
		case there:
			ways = append(ways, way)
		default: // it was deleted
			ways = append(ways, b.id)
		}
	}
	return ways
}

// asked is the thread of which a thread's turn is a copy, or itself. One that was
// deleted is named all the same.
func (f family) asked(id contract.ThreadID, turn int) contract.ThreadID {
	for b, there := f[id]; there && b.of != "" && turn < b.at; b, there = f[id] {
		id = b.of
	}
	return id
}

// first is the thread from which all versions of a turn went their own ways.
func (f family) first(id contract.ThreadID, turn int) contract.ThreadID {
	id = f.asked(id, turn)
	for b, there := f[id]; there && b.of != "" && turn == b.at; b, there = f[id] {
		id = f.asked(b.of, turn)
	}
	return id
}
