package store

import (
	"context"
	"database/sql"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// Commit stores what came of reading a batch of files, all or nothing. Vectors
// that come with a text are set to what was kept.
func (d *DB) Commit(ctx context.Context, batch []library.Intake) error {
	docs := make([]packed, len(batch))
	for i, b := range batch {
		if b.Document == nil {
			continue
		}
		var err error
		if docs[i], err = packDocument(&d.packer, *b.Document); err != nil {
			return err
		}
		if docs[i].sections, err = d.packer.Sections(b.Passages); err != nil {
			return err
		}
		docs[i].embedder, docs[i].vectors = b.Embedder, packRows(b.Vectors)
	}
	fresh := map[int64]library.Intake{}
	err := d.write(ctx, "store texts", func(tx *sqlite.Tx) error {
		files := make([]library.File, len(batch))
		for i, b := range batch {
			files[i] = b.File
			if b.Document == nil {
				continue
			}
			n, created, err := putText(ctx, tx, docs[i], b.Passages)
			if err != nil {
				return err
			}
			if created {
				fresh[n] = b
			} else {
				d.fresh.take(n)
			}
			if err := putTopics(ctx, tx, n, b.Words, b.Topics); err != nil {
				return err
			}
		}
		return putFiles(ctx, tx, files)
	})
	if err == nil {
		for n, b := range fresh {
			d.fresh.put(n, placedOf(b))
		}
	}
	return err
}

func placedOf(b library.Intake) []library.Placed {
	placed := make([]library.Placed, len(b.Passages))
	for i, p := range b.Passages {
		p.Source = ""
		placed[i] = library.Placed{Passage: p, Digest: b.Document.Source.Digest}
	}
	return placed
}

// settle brings a text in line with the files that have it: on the shelf and due
// for the index, or off it, its passages due to be dropped, and gone unless an
// answer holds it.
func settle(ctx context.Context, tx *sqlite.Tx, digest string) error {
	var wanted, shelved bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM files WHERE digest = ?1 AND state <> 'removed'), shelved FROM texts WHERE digest = ?1`, digest).Scan(&wanted, &shelved)
	if err == sql.ErrNoRows {
		return requeue(ctx, tx, digest)
	}
	if err == nil && wanted == shelved {
		return nil
	}
	if err != nil {
		return err
	}
	if wanted {
		return shelve(ctx, tx, digest)
	}
	return unshelve(ctx, tx, digest)
}

// requeue sends files back that are said to be read and whose text is not there:
// it went while they were written down.
func requeue(ctx context.Context, tx *sqlite.Tx, digest string) error {
	_, err := tx.ExecContext(ctx, `UPDATE files SET state = ?, digest = '' WHERE digest = ? AND state IN (?, ?)`, library.Waiting, digest, library.Ready, library.Partial)
	return err
}

func shelve(ctx context.Context, tx *sqlite.Tx, digest string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE texts SET shelved = 1, indexed = 0 WHERE digest = ?`, digest); err != nil {
		return err
	}
	var some bool // mostly there are none, and the passages need not be listed
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM dropped)`).Scan(&some); err != nil || !some {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM dropped WHERE id IN (SELECT p.id FROM passages p JOIN texts t ON t.n = p.text WHERE t.digest = ?)`, digest)
	return err
}

func unshelve(ctx context.Context, tx *sqlite.Tx, digest string) error {
	for _, query := range []string{
		`INSERT OR IGNORE INTO dropped (id) SELECT p.id FROM passages p JOIN texts t ON t.n = p.text WHERE t.digest = ?`,
		`DELETE FROM vectors WHERE passage IN (SELECT p.n FROM passages p JOIN texts t ON t.n = p.text WHERE t.digest = ?)`,
		`DELETE FROM encoded WHERE passage IN (SELECT p.n FROM passages p JOIN texts t ON t.n = p.text WHERE t.digest = ?)`,
		`UPDATE texts SET shelved = 0, indexed = 0, vectored = '' WHERE digest = ?`,
		`DELETE FROM sources WHERE digest = ? AND kind = 'file' AND id NOT IN (SELECT source FROM held)`,
	} {
		if _, err := tx.ExecContext(ctx, query, digest); err != nil {
			return err
		}
	}
	return dropUnsourced(ctx, tx, digest)
}

// dropUnsourced removes a text that no source has any more, with its passages
// and vectors.
func dropUnsourced(ctx context.Context, tx *sqlite.Tx, digest string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM texts WHERE digest = ?1 AND +shelved = 0 AND NOT EXISTS (SELECT 1 FROM sources WHERE digest = ?1)`, digest)
	return err
}

// Passages gives stored passages by id, in no order; ids that are unknown or
// whose text is no longer on the shelf are left out.
func (d *DB) Passages(ctx context.Context, ids []evidence.PassageID) ([]library.Placed, error) {
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	rows, err := d.readPlacedFrom(ctx, &d.often, scanPlaced, `SELECT `+placedColumns+`
		FROM json_each(?) j CROSS JOIN passages p ON p.id = `+listedID+` JOIN texts t ON t.n = p.text WHERE t.shelved = 1`, list)
	return bare(rows), sqlite.Explain(err, "read passages")
}

// Openings gives the first passage of each text, in no order; a text without any,
// or off the shelf, is left out.
func (d *DB) Openings(ctx context.Context, digests []string) ([]library.Placed, error) {
	list, err := sqlite.JSONList(digests)
	if err != nil {
		return nil, err
	}
	rows, err := d.readPlacedFrom(ctx, &d.often, scanPlaced, `SELECT `+placedColumns+`
		FROM json_each(?) j CROSS JOIN texts t ON t.digest = j.value
		JOIN passages p ON p.text = t.n AND p.idx = (SELECT min(idx) FROM passages WHERE text = t.n) WHERE t.shelved = 1`, list)
	return bare(rows), sqlite.Explain(err, "read the openings of texts")
}

// Where tells in which text each passage stands, by its digest.
func (d *DB) Where(ctx context.Context, ids []evidence.PassageID) (map[evidence.PassageID]string, error) {
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	digests := make(map[evidence.PassageID]string, len(ids))
	scan := func(rows *sql.Rows) (struct{}, error) {
		var id evidence.PassageID
		var digest string
		err := rows.Scan(ofID(&id), &digest)
		digests[id] = digest
		return struct{}{}, err
	}
	_, err = sqlite.Collect(ctx, &d.often, scan, `SELECT p.id, t.digest FROM json_each(?) j CROSS JOIN passages p ON p.id = `+listedID+` JOIN texts t ON t.n = p.text`, list)
	return digests, sqlite.Explain(err, "look up passages")
}

// Holders gives the files that have some texts. It reads little of each row: a
// search asks for hundreds.
func (d *DB) Holders(ctx context.Context, digests []string) ([]library.File, error) {
	list, err := sqlite.JSONList(digests)
	if err != nil {
		return nil, err
	}
	brief := func(rows *sql.Rows) (library.File, error) {
		var f library.File
		err := rows.Scan(&f.ID, &f.Path, &f.Digest, &f.Listed, &f.State, &f.Stamp.Modified)
		return f, err
	}
	files, err := sqlite.Collect(ctx, &d.often, brief, `SELECT f.id, f.path, f.digest, f.listed, f.state, f.modified
		FROM json_each(?) j JOIN files f ON f.digest = j.value WHERE f.state <> 'removed'`, list)
	return files, sqlite.Explain(err, "look up files")
}

// Digests resolves file ids or paths, and folders, to the texts they have. With
// neither it gives the listed library.
func (d *DB) Digests(ctx context.Context, files, folders []string) (map[string]bool, error) {
	s := selection{where: []string{`f.digest <> ''`, `f.state <> 'removed'`}}
	switch {
	case len(files)+len(folders) == 0:
		s.and(`f.listed = 1`)
	case len(folders) == 0:
		s.any(`f.id = ? OR f.path = ?`, files, func(v string) []any { return []any{v, v} })
	case len(files) == 0:
		s.any(underSQL("f.path"), folders, under)
	default:
		return d.digestsOfBoth(ctx, files, folders)
	}
	found := map[string]bool{}
	where := s.where[0]
	for _, w := range s.where[1:] {
		where += " AND " + w
	}
	digests, err := sqlite.Collect(ctx, d.r, sqlite.ScanString[string], `SELECT f.digest FROM files f WHERE `+where, s.args...)
	for _, digest := range digests {
		found[digest] = true
	}
	return found, sqlite.Explain(err, "resolve scope")
}

func (d *DB) digestsOfBoth(ctx context.Context, files, folders []string) (map[string]bool, error) {
	found, err := d.Digests(ctx, files, nil)
	if err != nil {
		return nil, err
	}
	more, err := d.Digests(ctx, nil, folders)
	for digest := range more {
		found[digest] = true
	}
	return found, err
}
