package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/library/walk"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
	"footnote/backend/store/tally"
)

// PutFiles inserts or replaces files by id, in one transaction.
func (d *DB) PutFiles(ctx context.Context, files []library.File) error {
	var removed []string
	for _, f := range files {
		if f.State == library.Removed {
			removed = append(removed, f.ID)
		}
	}
	return d.write(ctx, "store files", func(tx *sqlite.Tx) error {
		return errors.Join(d.noteDeleted("files", removed...), putFiles(ctx, tx, files))
	})
}

// putFiles writes rows and then lets go of texts that no file has any more: one
// file may leave a text that another one of the batch comes to. A text with
// another name goes to the index again.
func putFiles(ctx context.Context, tx *sqlite.Tx, files []library.File) error {
	var texts []string
	var named []library.File
	for _, f := range files {
		before, path, err := putFile(ctx, tx, f)
		if err != nil {
			return err
		}
		if before != "" && before != f.Digest {
			texts = append(texts, before)
		}
		if f.Digest != "" && (before != f.Digest || path != f.Path) {
			texts, named = append(texts, f.Digest), append(named, f)
		}
	}
	slices.Sort(texts)
	for _, digest := range slices.Compact(texts) {
		if err := settle(ctx, tx, digest); err != nil {
			return err
		}
	}
	for _, f := range named {
		if err := rename(ctx, tx, f); err != nil {
			return err
		}
	}
	return nil
}

// putFile writes one row and gives the text and the path that it had.
func putFile(ctx context.Context, tx *sqlite.Tx, f library.File) (digest, path string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT digest, path FROM files WHERE id = ?`, f.ID).Scan(&digest, &path)
	if err != nil && err != sql.ErrNoRows {
		return "", "", err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO files (id, path, folded, root, listed, digest, size, modified, changed, state, code, reason, indexed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET path = excluded.path, folded = excluded.folded, root = excluded.root, listed = excluded.listed,
		digest = excluded.digest, size = excluded.size, modified = excluded.modified, changed = excluded.changed,
		state = excluded.state, code = excluded.code, reason = excluded.reason, indexed = excluded.indexed`,
		f.ID, f.Path, strings.ToLower(f.Path), f.Root, f.Listed, f.Digest, f.Stamp.Size, f.Stamp.Modified, f.Stamp.Changed,
		f.State, f.Code, f.Reason, millis(f.Indexed))
	return digest, path, err
}

// rename gives the index the new name, and the archive a source of that address.
func rename(ctx context.Context, tx *sqlite.Tx, f library.File) error {
	var title, media string
	var published int64
	err := tx.QueryRowContext(ctx, `SELECT title, media, published FROM texts WHERE digest = ?`, f.Digest).Scan(&title, &media, &published)
	if err == sql.ErrNoRows {
		return nil
	}
	if err != nil {
		return err
	}
	f.Title, f.Media = title, media
	source := f.Source()
	source.Published = moment(published)
	if err := putSource(ctx, tx, source); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE texts SET indexed = 0 WHERE digest = ?`, f.Digest)
	return err
}

// DropFiles removes files, and their texts unless another file or an answer has
// them.
func (d *DB) DropFiles(ctx context.Context, ids []string) error {
	return d.write(ctx, "remove files", func(tx *sqlite.Tx) error {
		var rootless []string
		for _, id := range ids {
			var digest, root string
			err := tx.QueryRowContext(ctx, `DELETE FROM files WHERE id = ? RETURNING digest, root`, id).Scan(&digest, &root)
			if err == sql.ErrNoRows {
				continue
			}
			if err == nil && root == "" { // others go with their folder
				rootless = append(rootless, id)
			}
			if err == nil && digest != "" {
				err = settle(ctx, tx, digest)
			}
			if err != nil {
				return err
			}
		}
		return d.noteDeleted("files", rootless...)
	})
}

const fileSelect = `SELECT f.n, f.id, f.path, f.root, coalesce(r.path, ''), f.listed, f.digest, f.size, f.modified, f.changed,
	CASE WHEN r.reachable = 0 THEN 'not-reachable' ELSE f.state END, f.code, f.reason, f.indexed,
	coalesce(t.title, ''), coalesce(t.media, ''), coalesce(t.passages, 0), coalesce(t.coverage, ''),
	coalesce((SELECT chosen FROM topics WHERE text = t.n), ''), coalesce(t.indexed = 0 AND t.passages > 0, 0)
	FROM files f LEFT JOIN roots r ON r.id = f.root LEFT JOIN texts t ON t.digest = f.digest`

type numberedFile struct {
	n int64
	library.File
}

func scanFile(rows *sql.Rows) (numberedFile, error) {
	var f numberedFile
	var indexed int64
	var coverage, topics string
	err := rows.Scan(&f.n, &f.ID, &f.Path, &f.Root, &f.RootPath, &f.Listed, &f.Digest, &f.Stamp.Size, &f.Stamp.Modified, &f.Stamp.Changed,
		&f.State, &f.Code, &f.Reason, &indexed, &f.Title, &f.Media, &f.Chunks, &coverage, &topics, &f.Unworded)
	if err != nil {
		return f, err
	}
	f.Indexed = moment(indexed)
	if coverage != "" {
		err = json.Unmarshal([]byte(coverage), &f.Coverage)
	}
	if topics != "" && err == nil {
		err = json.Unmarshal([]byte(topics), &f.Topics)
	}
	return f, err
}

// Files gives the files that a query selects, in the order they were added or in
// that of the query.
func (d *DB) Files(ctx context.Context, q library.FileQuery) (page []library.File, next string, err error) {
	sel, err := selectFiles(q)
	if err != nil {
		return nil, "", err
	}
	var from sqlite.Querier = d.r
	if q.Unlisted && q.IDs != nil && len(q.Under)+len(q.States) == 0 { // what a search shows; the text of others differs
		from = &d.often
	}
	rows, err := sqlite.Collect(ctx, from, scanFile, fileSelect+` WHERE `+strings.Join(sel.where, " AND ")+sel.tail, sel.args...)
	if err != nil {
		return nil, "", sqlite.Explain(err, "list files")
	}
	if q.Limit > 0 && len(rows) > q.Limit {
		rows = rows[:q.Limit]
		next = cursorAfter(q.Sort, rows[q.Limit-1])
	}
	page = make([]library.File, len(rows))
	for i, r := range rows {
		page[i] = r.File
	}
	return page, next, nil
}

// selection is the WHERE part of a query for files, with its arguments in order.
type selection struct {
	where []string
	args  []any
	tail  string
}

func (s *selection) and(condition string, args ...any) {
	s.where, s.args = append(s.where, condition), append(s.args, args...)
}

// any adds a condition that one of several values must meet.
func (s *selection) any(condition string, values []string, expand func(string) []any) {
	if len(values) == 0 {
		return
	}
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = condition
		s.args = append(s.args, expand(v)...)
	}
	s.where = append(s.where, "("+strings.Join(parts, " OR ")+")")
}

func selectFiles(q library.FileQuery) (selection, error) {
	s := selection{where: []string{"1"}}
	if q.IDs != nil {
		ids, err := sqlite.JSONList(q.IDs)
		if err != nil {
			return s, err
		}
		s.and(`f.id IN (SELECT value FROM json_each(?))`, ids)
	}
	if q.Digests != nil {
		digests, err := sqlite.JSONList(q.Digests)
		if err != nil {
			return s, err
		}
		s.and(`f.digest IN (SELECT value FROM json_each(?))`, digests)
	}
	s.any(underSQL("f.path"), q.Under, under)
	s.inStates(q.States)
	if q.Q != "" {
		s.and(`f.folded LIKE ? ESCAPE '\'`, "%"+records.LikeEscape.Replace(strings.ToLower(q.Q))+"%")
	}
	if q.Root != "" {
		s.and(`f.root = ?`, q.Root)
	}
	if q.Single {
		s.and(`r.folder = 0`)
	}
	if !q.Unlisted {
		s.and(`f.listed = 1`)
	}
	if !q.Hidden {
		s.and(`f.state <> 'removed'`)
	}
	if err := s.ordered(q.Sort, q.After); err != nil {
		return s, err
	}
	if q.Limit > 0 {
		s.tail += ` LIMIT ` + strconv.Itoa(q.Limit+1)
	}
	return s, nil
}

// ordered puts files in the order they were added, or in that of a wish.
func (s *selection) ordered(wish, cursor string) error {
	if wish != "" {
		return s.sorted(wish, cursor)
	}
	after, err := records.CursorNumber(cursor, 0)
	if after > 0 {
		s.and(`f.n > ?`, after)
	}
	s.tail = ` ORDER BY f.n`
	return err
}

// inStates compares the column itself where it can, so that the queue is read by
// its index.
func (s *selection) inStates(states []library.State) {
	var parts []string
	for _, state := range states {
		if state == library.NotReachable {
			parts = append(parts, `r.reachable = 0`)
			continue
		}
		parts, s.args = append(parts, `f.state = ? AND r.reachable IS NOT 0`), append(s.args, state)
	}
	if len(parts) > 0 {
		s.where = append(s.where, "("+strings.Join(parts, " OR ")+")")
	}
}

// underSQL matches a path and all below it by range, so that the index on path
// serves, and any byte but NUL may stand in a name.
func underSQL(column string) string {
	return `(` + column + ` = ? OR ` + column + ` > ? AND ` + column + ` < ?)`
}

func under(path string) []any {
	sep := walk.Separator
	base := strings.TrimRight(path, sep)
	return []any{path, base + sep, base + string(sep[0]+1)}
}

// Totals counts the library; vectors are those of the embedder.
func (d *DB) Totals(ctx context.Context, embedder string) (t library.Totals, err error) {
	err = d.counts.Read(ctx, d.r, func(all tally.Classes) {
		for of := range maps.Values(all.Files) {
			for class, sum := range of {
				t.Count(library.State(class.State), class.Listed, int(sum.N), sum.Bytes)
			}
		}
		for class, sum := range all.Texts {
			passages := int(sum.Passages)
			t.Chunks += passages
			if class.Indexed {
				t.Indexed += passages
			}
			if class.Vectored == embedder {
				t.Vectors += passages
			}
		}
	})
	return t, sqlite.Explain(err, "count the library")
}

// Known gives what is held of the texts that are on the shelf. Snapshots of
// answers do not count: they may have only the passages that were cited.
func (d *DB) Known(ctx context.Context, digests []string) (map[string]library.Known, error) {
	list, err := sqlite.JSONList(digests)
	if err != nil {
		return nil, err
	}
	known := map[string]library.Known{}
	scan := func(rows *sql.Rows) (string, error) {
		var digest, coverage string
		var k library.Known
		if err := rows.Scan(&digest, &k.Title, &k.Media, &coverage, &k.Passages); err != nil {
			return "", err
		}
		var c evidence.Coverage
		err := json.Unmarshal([]byte(coverage), &c)
		k.Coverage = c
		known[digest] = k
		return digest, err
	}
	_, err = sqlite.Collect(ctx, d.r, scan, `SELECT t.digest, t.title, t.media, t.coverage, t.passages FROM json_each(?) j CROSS JOIN texts t ON t.digest = j.value WHERE +t.shelved = 1`, list)
	return known, sqlite.Explain(err, "look up texts")
}
