package store

import (
	"context"
	"database/sql"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// pathOf is one path of a text, always the same while its files stay: the name
// under which its passages are ranked.
const pathOf = `coalesce((SELECT min(path) FROM files WHERE digest = t.digest AND state <> 'removed'), '')`

// scanNamed reads placedColumns and pathOf.
func scanNamed(rows *sql.Rows) (placedRow, error) {
	var path string
	r, err := scanPlacedWith(rows, &path)
	r.Path = path
	return r, err
}

// dueText is a text that waits for the index or for vectors.
type dueText struct {
	n        int64
	path     string
	passages int
}

// What texts may wait for. Each has an index of its own, which is named: the planner
// takes one that has all texts on the shelf, and goes through them.
const (
	withoutWords   = `texts t INDEXED BY texts_unindexed WHERE t.shelved = 1 AND t.indexed = 0`
	withoutVectors = `texts t INDEXED BY texts_unvectored WHERE t.shelved = 1 AND t.vectored = ''`
)

// dueTexts lists texts of the shelf that wait for something, at least one and not
// many more than have n passages.
func (d *DB) dueTexts(ctx context.Context, n int, waiting string) ([]dueText, error) {
	scan := func(rows *sql.Rows) (dueText, error) {
		var t dueText
		err := rows.Scan(&t.n, &t.passages, &t.path)
		return t, err
	}
	due, err := sqlite.Collect(ctx, d.r, scan, `SELECT t.n, t.passages, `+pathOf+` FROM `+waiting+` ORDER BY t.n LIMIT ?`, n/8+1)
	total := 0
	for i := range due {
		if total += due[i].passages; total >= n {
			return due[:i+1], err
		}
	}
	return due, err
}

// Unindexed gives the passages of texts whose words the index lacks: whole
// texts, at least one, and no further one once n passages are reached.
func (d *DB) Unindexed(ctx context.Context, n int) ([]library.Placed, error) {
	due, err := d.dueTexts(ctx, n, withoutWords)
	if err != nil {
		return nil, sqlite.Explain(err, "list texts to index")
	}
	if len(due) == 0 {
		d.fresh.clear()
		return nil, nil
	}
	var placed []library.Placed
	var rest []dueText
	for _, t := range due {
		ready := d.fresh.take(t.n)
		if ready == nil {
			rest = append(rest, t)
		}
		for i := range ready {
			ready[i].Path = t.path
		}
		placed = append(placed, ready...)
	}
	read, err := d.unindexedOf(ctx, rest)
	if err != nil {
		return nil, sqlite.Explain(err, "read passages to index")
	}
	if placed = append(placed, read...); len(placed) > 0 {
		return placed, nil
	}
	// Texts without a passage have nothing to learn; those that went meanwhile are
	// not there to be marked.
	list, err := sqlite.JSONList(keysOf(due))
	if err != nil {
		return nil, err
	}
	if _, err := d.w.ExecContext(ctx, `UPDATE texts SET indexed = 1 WHERE n IN (SELECT value FROM json_each(?))`, list); err != nil {
		return nil, sqlite.Explain(err, "mark empty texts")
	}
	return d.Unindexed(ctx, n)
}

// unindexedOf reads the passages of texts.
func (d *DB) unindexedOf(ctx context.Context, due []dueText) ([]library.Placed, error) {
	if len(due) == 0 {
		return nil, nil
	}
	paths := map[int64]string{}
	for _, t := range due {
		paths[t.n] = t.path
	}
	list, err := sqlite.JSONList(keysOf(due))
	if err != nil {
		return nil, err
	}
	rows, err := d.readPlaced(ctx, scanPlaced, `SELECT `+placedColumns+`
		FROM json_each(?) j CROSS JOIN passages p ON p.text = j.value JOIN texts t ON t.n = p.text ORDER BY p.text, p.idx`, list)
	for i := range rows {
		rows[i].Path = paths[rows[i].text]
	}
	return bare(rows), err
}

func keysOf(due []dueText) []int64 {
	keys := make([]int64, len(due))
	for i, t := range due {
		keys[i] = t.n
	}
	return keys
}

// MarkIndexed notes which texts the index has; nil means all.
func (d *DB) MarkIndexed(ctx context.Context, digests []string, indexed bool) error {
	if digests == nil {
		_, err := d.w.ExecContext(ctx, `UPDATE texts SET indexed = ? WHERE shelved = 1`, indexed)
		return sqlite.Explain(err, "mark indexed texts")
	}
	list, err := sqlite.JSONList(digests)
	if err != nil {
		return err
	}
	_, err = d.w.ExecContext(ctx, `UPDATE texts SET indexed = ? WHERE digest IN (SELECT value FROM json_each(?)) AND +shelved = 1`, indexed, list)
	return sqlite.Explain(err, "mark indexed texts")
}

// Dropped gives at most n passages that the index must forget.
func (d *DB) Dropped(ctx context.Context, n int) ([]evidence.PassageID, error) {
	scan := func(rows *sql.Rows) (id evidence.PassageID, err error) { return id, rows.Scan(ofID(&id)) }
	ids, err := sqlite.Collect(ctx, d.r, scan, `SELECT id FROM dropped LIMIT ?`, n)
	return ids, sqlite.Explain(err, "list passages to drop")
}

// Forgotten notes that the index has forgotten these passages.
func (d *DB) Forgotten(ctx context.Context, ids []evidence.PassageID) error {
	list, err := idList(ids)
	if err != nil {
		return err
	}
	_, err = d.w.ExecContext(ctx, `DELETE FROM dropped WHERE id IN (SELECT `+listedID+` FROM json_each(?) j)`, list)
	return sqlite.Explain(err, "note dropped passages")
}
