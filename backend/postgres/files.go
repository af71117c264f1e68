package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/walk"
)

// PutFiles inserts or replaces files by id, in one transaction.
func (v *View) PutFiles(ctx context.Context, files []library.File) error {
	return v.write(ctx, "store files", func(tx pgx.Tx, c int) error { return putFiles(ctx, tx, c, files) })
}

// putFiles writes rows and then lets go of texts that no file has any more: one
// file may leave a text that another one of the batch comes to. A text with
// another name goes to the index again.
func putFiles(ctx context.Context, tx pgx.Tx, c int, files []library.File) error {
	var left, named []string
	for _, f := range files {
		digest, path, err := putFile(ctx, tx, c, f)
		if err != nil {
			return err
		}
		if digest != "" && digest != f.Digest {
			left = append(left, digest)
		}
		if f.Digest != "" && (digest != f.Digest || path != f.Path) {
			named = append(named, f.Digest)
		}
	}
	if err := letGo(ctx, tx, c, left); err != nil {
		return err
	}
	if len(named) == 0 {
		return nil
	}
	// A file that is said to be read and whose text is not there is read again: the
	// text went while it was written down.
	if _, err := tx.Exec(ctx, `UPDATE files f SET state = 'waiting', digest = '' WHERE collection = $1 AND digest = ANY ($2) AND state IN ('ready', 'partial')
		AND NOT EXISTS (SELECT 1 FROM texts t WHERE t.collection = $1 AND t.digest = f.digest)`, c, named); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE texts SET indexed = false WHERE collection = $1 AND digest = ANY ($2) AND indexed`, c, named)
	return err
}

// putFile writes one row and gives the text and the path that it had.
func putFile(ctx context.Context, tx pgx.Tx, c int, f library.File) (digest, path string, err error) {
	err = tx.QueryRow(ctx, `SELECT digest, path FROM files WHERE collection = $1 AND id = $2 FOR UPDATE`, c, f.ID).Scan(&digest, &path)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", "", err
	}
	stored := storedPath(f.Path)
	_, err = tx.Exec(ctx, `INSERT INTO files (collection, id, path, folded, root, listed, digest, size, modified, changed, state, code, reason, indexed, source)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (collection, id) DO UPDATE SET path = excluded.path, folded = excluded.folded, root = excluded.root, listed = excluded.listed,
		digest = excluded.digest, size = excluded.size, modified = excluded.modified, changed = excluded.changed,
		state = excluded.state, code = excluded.code, reason = excluded.reason, indexed = excluded.indexed, source = excluded.source`,
		c, f.ID, stored, strings.ToLower(stored), f.Root, f.Listed, f.Digest, f.Stamp.Size, f.Stamp.Modified, f.Stamp.Changed,
		string(f.State), f.Code, plainText(f.Reason), millis(f.Indexed), string(f.Source().ID))
	return digest, readPath(path), err
}

// letGo removes texts that no file has any more, but for what answers rest on; the
// index is to forget their passages.
func letGo(ctx context.Context, tx pgx.Tx, c int, digests []string) error {
	if len(digests) == 0 {
		return nil
	}
	const unheld = `SELECT t.n FROM texts t WHERE t.collection = $1 AND t.digest = ANY ($2)
		AND NOT EXISTS (SELECT 1 FROM files f WHERE f.collection = $1 AND f.digest = t.digest AND f.state <> 'removed')`
	for _, statement := range []string{
		`INSERT INTO kept_texts SELECT collection, digest, coverage, flags, body, blocks FROM texts WHERE n IN (` + unheld + `) AND is_touched($1, digest) ON CONFLICT DO NOTHING`,
		`INSERT INTO kept_passages SELECT p.collection, p.id, p.digest, p.idx, p.page, p.line, p.start, p.stop, p.heading, p.place, p.words FROM passages p
			WHERE p.text IN (` + unheld + `) AND is_touched($1, p.digest) ON CONFLICT DO NOTHING`,
		`INSERT INTO dropped (collection, id) SELECT $1, p.id FROM passages p WHERE p.text IN (` + unheld + `) ON CONFLICT DO NOTHING`,
		`DELETE FROM vectors WHERE collection = $1 AND id IN (SELECT p.id FROM passages p WHERE p.text IN (` + unheld + `))`,
		`DELETE FROM texts WHERE n IN (` + unheld + `)`,
	} {
		if _, err := tx.Exec(ctx, statement, c, digests); err != nil {
			return err
		}
	}
	return nil
}

// DropFiles removes files, and their texts unless another file has them.
func (v *View) DropFiles(ctx context.Context, ids []string) error {
	return v.write(ctx, "remove files", func(tx pgx.Tx, c int) error {
		digests, err := collect(ctx, tx, pgx.RowTo[string], `DELETE FROM files WHERE collection = $1 AND id = ANY ($2) RETURNING digest`, c, ids)
		if err != nil {
			return err
		}
		return letGo(ctx, tx, c, digests)
	})
}

const fileSelect = `SELECT f.n, f.id, f.path, f.root, coalesce(r.path, ''), f.listed, f.digest, f.size, f.modified, f.changed,
	CASE WHEN r.reachable = false THEN 'not-reachable' ELSE f.state END, f.code, f.reason, f.indexed,
	coalesce(t.title, ''), coalesce(t.media, ''), coalesce(t.passages, 0), coalesce(t.coverage, ''),
	coalesce((SELECT o.chosen FROM topics o WHERE o.text = t.n), ''), coalesce(NOT t.indexed AND t.passages > 0, false)
	FROM files f LEFT JOIN roots r ON r.collection = f.collection AND r.id = f.root
	LEFT JOIN texts t ON t.collection = f.collection AND t.digest = f.digest WHERE f.collection = ANY ($1)`

type numberedFile struct {
	n int64
	library.File
}

func scanFile(row pgx.CollectableRow) (numberedFile, error) {
	var f numberedFile
	var indexed int64
	var coverage, topics string
	err := row.Scan(&f.n, &f.ID, &f.Path, &f.Root, &f.RootPath, &f.Listed, &f.Digest, &f.Stamp.Size, &f.Stamp.Modified, &f.Stamp.Changed,
		&f.State, &f.Code, &f.Reason, &indexed, &f.Title, &f.Media, &f.Chunks, &coverage, &topics, &f.Unworded)
	f.Path, f.RootPath, f.Indexed = readPath(f.Path), readPath(f.RootPath), moment(indexed)
	if coverage != "" && err == nil {
		err = json.Unmarshal([]byte(coverage), &f.Coverage)
	}
	if topics != "" && err == nil {
		err = json.Unmarshal([]byte(topics), &f.Topics)
	}
	return f, err
}

// Files gives the files that a query selects, in the order they were added or in
// that of the query.
func (v *View) Files(ctx context.Context, q library.FileQuery) (page []library.File, next string, err error) {
	s, err := selectFiles(q)
	if err != nil {
		return nil, "", err
	}
	rows, err := list(ctx, v, "list files", scanFile, fileSelect+s.where+s.tail, s.args...)
	if err != nil {
		return nil, "", err
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

// selection is the rest of a query for files; its arguments begin with $2.
type selection struct {
	where, tail string
	args        []any
}

// and adds a condition, in which @ stands for each of the arguments in turn.
func (s *selection) and(condition string, args ...any) {
	s.where += " AND " + s.numbered(condition, args...)
}

func (s *selection) numbered(condition string, args ...any) string {
	for _, a := range args {
		s.args = append(s.args, a)
		condition = strings.Replace(condition, "@", "$"+strconv.Itoa(len(s.args)+1), 1)
	}
	return condition
}

func (s *selection) any(conditions []string) {
	if len(conditions) > 0 {
		s.where += " AND (" + strings.Join(conditions, " OR ") + ")"
	}
}

func (s *selection) under(paths []string) {
	parts := make([]string, len(paths))
	for i, path := range paths {
		stored := storedPath(path)
		base := strings.TrimRight(stored, walk.Separator)
		parts[i] = s.numbered(`f.path = @ OR f.path > @ AND f.path < @`, stored, base+walk.Separator, base+string(walk.Separator[0]+1))
	}
	s.any(parts)
}

func (s *selection) inStates(states []library.State) {
	parts := make([]string, len(states))
	for i, state := range states {
		if state == library.NotReachable {
			parts[i] = `r.reachable = false`
			continue
		}
		parts[i] = s.numbered(`f.state = @ AND r.reachable IS DISTINCT FROM false`, string(state))
	}
	s.any(parts)
}

func selectFiles(q library.FileQuery) (s selection, err error) {
	if q.IDs != nil {
		s.and(`f.id = ANY (@)`, q.IDs)
	}
	if q.Digests != nil {
		s.and(`f.digest = ANY (@)`, q.Digests)
	}
	s.under(q.Under)
	s.inStates(q.States)
	if q.Q != "" {
		s.and(`position(@ IN f.folded) > 0`, strings.ToLower(storedPath(q.Q)))
	}
	if q.Root != "" {
		s.and(`f.root = @`, q.Root)
	}
	if q.Single {
		s.and(`r.folder = false`)
	}
	if !q.Unlisted {
		s.and(`f.listed`)
	}
	if !q.Hidden {
		s.and(`f.state <> 'removed'`)
	}
	err = s.ordered(q.Sort, q.After)
	if q.Limit > 0 {
		s.tail += ` LIMIT ` + strconv.Itoa(q.Limit+1)
	}
	return s, err
}

// order is a way in which files are listed: what SQL compares, and the same of a
// row in hand, from which the next page goes on.
type order struct {
	sql string
	key func(library.File) any
}

const nameSQL = `regexp_replace(f.folded, '^.*/', '')`

var orders = map[string]order{
	"":     {`0`, func(library.File) any { return int64(0) }},
	"name": {nameSQL, func(f library.File) any { return nameOf(f) }},
	"kind": {`CASE WHEN position('.' IN ` + nameSQL + `) > 0 THEN regexp_replace(` + nameSQL + `, '^.*\.', '') ELSE '' END`, func(f library.File) any {
		if name := nameOf(f); strings.Contains(name, ".") {
			return name[strings.LastIndexByte(name, '.')+1:]
		}
		return ""
	}},
	"size": {`f.size`, func(f library.File) any { return f.Stamp.Size }},
	"date": {`f.modified`, func(f library.File) any { return f.Stamp.Modified }},
}

func nameOf(f library.File) string {
	folded := strings.ToLower(storedPath(f.Path))
	return folded[strings.LastIndex(folded, "/")+1:]
}

// ordered puts files in the order of a wish, which begins with "-" the other way
// round. A cursor is the number of the last row, and what the row was sorted by.
func (s *selection) ordered(wish, after string) error {
	by, down := strings.CutPrefix(wish, "-")
	o, ok := orders[by]
	if !ok {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("Files are not sorted by %q.", wish), "Use name, date, size or kind, with - before it for the other way.")
	}
	way, beyond := "", ">"
	if down {
		way, beyond = " DESC", "<"
	}
	if s.tail = ` ORDER BY f.n` + way; by != "" {
		s.tail = ` ORDER BY ` + o.sql + way + `, f.n` + way
	}
	if after == "" {
		return nil
	}
	number, text, _ := strings.Cut(after, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	var key any = text
	if _, counted := o.key(library.File{}).(int64); counted && err == nil {
		key, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil {
		return fault.Wrap(err, fault.InvalidRequest, "This is no place in a list of files.", "Begin the list anew.")
	}
	s.and(`(`+o.sql+`, f.n) `+beyond+` (@, @)`, key, n)
	return nil
}

// cursorAfter is where the page after this row begins.
func cursorAfter(wish string, last numberedFile) string {
	return fmt.Sprintf("%d %v", last.n, orders[strings.TrimPrefix(wish, "-")].key(last.File))
}

// Totals counts what the view sees; vectors are those of the embedder.
func (v *View) Totals(ctx context.Context, embedder string) (library.Totals, error) {
	var t library.Totals
	err := v.read(ctx, "count the library", func(tx pgx.Tx, reads []int) error {
		rows, err := tx.Query(ctx, `SELECT state, listed, count(*), sum(size)::bigint FROM files WHERE collection = ANY ($1) GROUP BY state, listed`, reads)
		if err != nil {
			return err
		}
		var state library.State
		var listed bool
		var n int
		var size int64
		if _, err := pgx.ForEachRow(rows, []any{&state, &listed, &n, &size}, func() error {
			t.Count(state, listed, n, size)
			return nil
		}); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(sum(passages), 0), coalesce(sum(passages) FILTER (WHERE indexed), 0), coalesce(sum(passages) FILTER (WHERE vectored = $2), 0)
			FROM texts WHERE collection = ANY ($1)`, reads, embedder).Scan(&t.Chunks, &t.Indexed, &t.Vectors)
	})
	return t, err
}

// Holders gives the files that have some texts, with little of each row.
func (v *View) Holders(ctx context.Context, digests []string) ([]library.File, error) {
	brief := func(row pgx.CollectableRow) (f library.File, err error) {
		err = row.Scan(&f.ID, &f.Path, &f.Digest, &f.Listed, &f.State, &f.Stamp.Modified)
		f.Path = readPath(f.Path)
		return f, err
	}
	return list(ctx, v, "look up files", brief, `SELECT id, path, digest, listed, state, modified FROM files
		WHERE collection = ANY ($1) AND digest = ANY ($2) AND state <> 'removed'`, digests)
}

// Digests resolves file ids or paths, and folders, to the texts they have. With
// neither it gives the listed library.
func (v *View) Digests(ctx context.Context, files, folders []string) (map[string]bool, error) {
	var s selection
	if len(files)+len(folders) == 0 {
		s.and(`f.listed`)
	} else {
		stored := make([]string, len(files))
		for i, f := range files {
			stored[i] = storedPath(f)
		}
		var below selection
		below.args = []any{files, stored}
		below.under(folders)
		s.args = below.args
		s.where = ` AND (f.id = ANY ($2) OR f.path = ANY ($3)` + strings.Replace(below.where, " AND (", " OR (", 1) + `)`
	}
	digests, err := list(ctx, v, "resolve scope", pgx.RowTo[string], `SELECT DISTINCT f.digest FROM files f WHERE f.collection = ANY ($1) AND f.digest <> '' AND f.state <> 'removed'`+s.where, s.args...)
	found := map[string]bool{}
	for _, digest := range digests {
		found[digest] = true
	}
	return found, err
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
