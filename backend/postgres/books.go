package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/topics"
)

// PutRoot inserts or replaces a root by id.
func (v *View) PutRoot(ctx context.Context, r library.Root) error {
	return v.write(ctx, "store root", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `INSERT INTO roots (collection, id, path, folder, watch, reachable, added) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (collection, id) DO UPDATE SET path = excluded.path, folder = excluded.folder, watch = excluded.watch, reachable = excluded.reachable`,
			c, r.ID, storedPath(r.Path), r.Folder, r.Watch, r.Reachable, millis(r.Added))
		return err
	})
}

// DropRoot removes a root; its files stay.
func (v *View) DropRoot(ctx context.Context, id string) error {
	return v.write(ctx, "remove root", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `DELETE FROM roots WHERE collection = $1 AND id = $2`, c, id)
		return err
	})
}

// Roots lists the roots in the order in which they were added.
func (v *View) Roots(ctx context.Context) ([]library.Root, error) {
	return list(ctx, v, "list roots", func(row pgx.CollectableRow) (r library.Root, err error) {
		var added int64
		err = row.Scan(&r.ID, &r.Path, &r.Folder, &r.Watch, &r.Reachable, &added)
		r.Path, r.Added = readPath(r.Path), moment(added)
		return r, err
	}, `SELECT id, path, folder, watch, reachable, added FROM roots WHERE collection = ANY ($1) ORDER BY added, id`)
}

// Collections lists the named sets of files and folders.
func (v *View) Collections(ctx context.Context) ([]library.Collection, error) {
	return list(ctx, v, "list collections", func(row pgx.CollectableRow) (c library.Collection, err error) {
		var files, folders string
		var made int64
		if err := row.Scan(&c.ID, &c.Name, &files, &folders, &made); err != nil {
			return c, err
		}
		c.Made = moment(made)
		return c, errors.Join(json.Unmarshal([]byte(files), &c.Files), json.Unmarshal([]byte(folders), &c.Folders))
	}, `SELECT id, name, files, folders, made FROM scopes WHERE collection = ANY ($1) ORDER BY made, id`)
}

// PutCollection inserts or replaces a named set by id. A name that another one
// has is fault invalid-request.
func (v *View) PutCollection(ctx context.Context, set library.Collection) error {
	columns, err := inJSON(set.Files, set.Folders)
	if err != nil {
		return err
	}
	err = v.write(ctx, "store collection", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `INSERT INTO scopes (collection, id, name, key, files, folders, made) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (collection, id) DO UPDATE SET name = excluded.name, key = excluded.key, files = excluded.files, folders = excluded.folders`,
			c, set.ID, set.Name, library.CollectionKey(set.Name), columns[0], columns[1], millis(set.Made))
		return err
	})
	if isDuplicate(err) {
		return fault.New(fault.InvalidRequest, "Another collection has this name.", "Choose another name.")
	}
	return err
}

// DropCollection removes a named set.
func (v *View) DropCollection(ctx context.Context, id string) error {
	return v.write(ctx, "remove collection", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `DELETE FROM scopes WHERE collection = $1 AND id = $2`, c, id)
		return err
	})
}

// TopicTexts counts the texts that have topic words.
func (v *View) TopicTexts(ctx context.Context) (n int, err error) {
	err = v.read(ctx, "count texts with topics", func(tx pgx.Tx, reads []int) error {
		return tx.QueryRow(ctx, `SELECT count(*) FROM topics WHERE collection = ANY ($1)`, reads).Scan(&n)
	})
	return n, err
}

// TopicWords gives the frequent words of the texts, by their number.
func (v *View) TopicWords(ctx context.Context) (map[int64][]topics.Word, error) {
	found := map[int64][]topics.Word{}
	_, err := list(ctx, v, "read topic words", func(row pgx.CollectableRow) (struct{}, error) {
		var n int64
		var packed string
		if err := row.Scan(&n, &packed); err != nil {
			return struct{}{}, err
		}
		var words []topics.Word
		err := json.Unmarshal([]byte(packed), &words)
		found[n] = words
		return struct{}{}, err
	}, `SELECT text, words FROM topics WHERE collection = ANY ($1)`)
	return found, err
}

// PutTopics sets the topics of texts; those that are gone are passed over.
func (v *View) PutTopics(ctx context.Context, chosen map[int64][]string) error {
	return v.write(ctx, "store topics", func(tx pgx.Tx, c int) error {
		rows := &pgx.Batch{}
		for n, words := range chosen {
			packed, err := inJSON(words)
			if err != nil {
				return err
			}
			rows.Queue(`UPDATE topics SET chosen = $1 WHERE text = $2 AND collection = $3 AND chosen <> $1`, packed[0], n, c)
		}
		return tx.SendBatch(ctx, rows).Close()
	})
}

// Note gives a fact about a cache of this collection; a missing one is empty, and
// the whole library has none.
func (v *View) Note(ctx context.Context, key string) (string, error) {
	if v.only == 0 {
		return "", nil
	}
	values, err := list(ctx, v, "read note", pgx.RowTo[string], `SELECT value FROM notes WHERE collection = ANY ($1) AND key = $2`, key)
	if err != nil || len(values) == 0 {
		return "", err
	}
	return values[0], nil
}

// SetNote stores a fact about a cache.
func (v *View) SetNote(ctx context.Context, key, value string) error {
	return v.write(ctx, "store note", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `INSERT INTO notes (collection, key, value) VALUES ($1, $2, $3) ON CONFLICT (collection, key) DO UPDATE SET value = excluded.value`, c, key, value)
		return err
	})
}

// dueText is a text that waits for the index or for vectors.
type dueText struct {
	n        int64
	path     string
	passages int
}

// dueTexts lists texts that meet a condition, at least one and not many more than
// have n passages.
func (v *View) dueTexts(ctx context.Context, tx pgx.Tx, c, n int, where string, args ...any) ([]dueText, error) {
	due, err := collect(ctx, tx, func(row pgx.CollectableRow) (t dueText, err error) {
		err = row.Scan(&t.n, &t.passages, &t.path)
		t.path = readPath(t.path)
		return t, err
	}, `SELECT t.n, t.passages, coalesce((SELECT min(f.path) FROM files f WHERE f.collection = t.collection AND f.digest = t.digest AND f.state <> 'removed'), '')
		FROM texts t WHERE t.collection = $1 AND `+where+` ORDER BY t.n LIMIT $2`, append([]any{c, n/8 + 1}, args...)...)
	total := 0
	for i := range due {
		if total += due[i].passages; total >= n {
			return due[:i+1], err
		}
	}
	return due, err
}

// dueNumbers lists the numbers of due texts, and their paths by number.
func dueNumbers(due []dueText) (numbers []int64, paths map[int64]string) {
	paths = map[int64]string{}
	for _, t := range due {
		numbers, paths[t.n] = append(numbers, t.n), t.path
	}
	return numbers, paths
}

// passagesOf reads passages of due texts by a query that gives placedColumns and
// the number of the text.
func passagesOf(ctx context.Context, tx pgx.Tx, paths map[int64]string, query string, args ...any) ([]library.Placed, error) {
	return collect(ctx, tx, func(row pgx.CollectableRow) (library.Placed, error) {
		var text int64
		p, err := scanPlacedWith(row, &text)
		p.Path = paths[text]
		return p, err
	}, query, args...)
}

// Unindexed gives the passages of texts whose words the index lacks: whole
// texts, at least one, and no further one once n passages are reached.
func (v *View) Unindexed(ctx context.Context, n int) (placed []library.Placed, err error) {
	err = v.write(ctx, "list texts to index", func(tx pgx.Tx, c int) error {
		if _, err := tx.Exec(ctx, `UPDATE texts SET indexed = true WHERE collection = $1 AND NOT indexed AND passages = 0`, c); err != nil {
			return err // they have nothing to learn
		}
		due, err := v.dueTexts(ctx, tx, c, n, `NOT t.indexed`)
		if err != nil || len(due) == 0 {
			return err
		}
		numbers, paths := dueNumbers(due)
		placed, err = passagesOf(ctx, tx, paths, `SELECT `+placedColumns+`, p.text FROM passages p WHERE p.text = ANY ($1) ORDER BY p.text, p.idx`, numbers)
		return err
	})
	return placed, err
}

// MarkIndexed notes which texts the index has; nil means all.
func (v *View) MarkIndexed(ctx context.Context, digests []string, indexed bool) error {
	return v.write(ctx, "mark indexed texts", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `UPDATE texts SET indexed = $2 WHERE collection = $1 AND ($3::text[] IS NULL OR digest = ANY ($3))`, c, indexed, digests)
		return err
	})
}

// Dropped gives at most n passages that the index must forget.
func (v *View) Dropped(ctx context.Context, n int) ([]evidence.PassageID, error) {
	return list(ctx, v, "list passages to drop", pgx.RowTo[evidence.PassageID], `SELECT id FROM dropped WHERE collection = ANY ($1) LIMIT $2`, n)
}

// Forgotten notes that the index has forgotten these passages.
func (v *View) Forgotten(ctx context.Context, ids []evidence.PassageID) error {
	return v.write(ctx, "note dropped passages", func(tx pgx.Tx, c int) error {
		_, err := tx.Exec(ctx, `DELETE FROM dropped WHERE collection = $1 AND id = ANY ($2)`, c, letters(ids))
		return err
	})
}
