package store

import (
	"context"
	"database/sql"
	"errors"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// Encoded gives the stored encoder vectors of passages, as they were packed. An
// empty value is a passage that cannot have any; a missing one was not encoded.
func (d *DB) Encoded(ctx context.Context, model string, ids []evidence.PassageID) (map[evidence.PassageID][]byte, error) {
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	found := make(map[evidence.PassageID][]byte, len(ids))
	scan := func(rows *sql.Rows) (struct{}, error) {
		var id evidence.PassageID
		var packed []byte
		err := rows.Scan(ofID(&id), &packed)
		found[id] = packed
		return struct{}{}, err
	}
	_, err = sqlite.Collect(ctx, d.r, scan, `SELECT p.id, e.vectors FROM json_each(?) j JOIN passages p ON p.id = `+listedID+`
		JOIN encoded e ON e.passage = p.n AND e.model = ?`, list, model)
	return found, sqlite.Explain(err, "read encoder vectors")
}

// PutEncoded stores encoder vectors by passage; passages that are gone or off the
// shelf are passed over.
func (d *DB) PutEncoded(ctx context.Context, model string, ids []evidence.PassageID, packed [][]byte) error {
	if len(ids) != len(packed) {
		return fault.New(fault.Internal, "Passages and encoder vectors do not match in number.", "")
	}
	return d.write(ctx, "store encoder vectors", func(tx *sqlite.Tx) error {
		for i, id := range ids {
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO encoded (passage, model, vectors)
				SELECT p.n, ?, ? FROM passages p JOIN texts t ON t.n = p.text WHERE p.id = ? AND t.shelved = 1`,
				model, append([]byte{}, packed[i]...), storedID(id))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// DropEncoded removes the vectors of all models but this one. It is called before
// any are put, so that all there are have one model: the first row tells.
func (d *DB) DropEncoded(ctx context.Context, but string) error {
	var model string
	err := d.r.QueryRowContext(ctx, `SELECT model FROM encoded LIMIT 1`).Scan(&model)
	if errors.Is(err, sql.ErrNoRows) || err == nil && model == but {
		return nil
	}
	if err == nil {
		_, err = d.w.ExecContext(ctx, `DELETE FROM encoded WHERE model <> ?`, but)
	}
	return sqlite.Explain(err, "drop old encoder vectors")
}

// Unencoded gives at most n passages of the shelf without encoder vectors, the
// newest first, and how many passages with and without them there are.
func (d *DB) Unencoded(ctx context.Context, model string, n int) (due []library.Placed, have, all int, err error) {
	rows, err := d.readPlaced(ctx, scanNamed, `SELECT `+placedColumns+`, `+pathOf+`
		FROM passages p JOIN texts t ON t.n = p.text
		WHERE t.shelved = 1 AND NOT EXISTS (SELECT 1 FROM encoded e WHERE e.passage = p.n AND e.model = ?) ORDER BY p.n DESC LIMIT ?`, model, n)
	if err != nil {
		return nil, 0, 0, sqlite.Explain(err, "read passages without encoder vectors")
	}
	err = d.r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM encoded WHERE model = ?), (SELECT coalesce(sum(passages), 0) FROM texts WHERE shelved = 1)`, model).Scan(&have, &all)
	return bare(rows), have, all, sqlite.Explain(err, "count encoder vectors")
}

// EachEncoded walks the encoder vectors of the shelf in batches, as EachVector
// does.
func (d *DB) EachEncoded(ctx context.Context, model string, each func(ids []evidence.PassageID, digests []string, packed [][]byte) error) error {
	type row struct {
		n      int64
		id     evidence.PassageID
		digest string
		packed []byte
	}
	scan := func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.n, ofID(&r.id), &r.digest, &r.packed)
		return r, err
	}
	for after := int64(0); ; {
		rows, err := sqlite.Collect(ctx, d.r, scan, `SELECT e.passage, p.id, t.digest, e.vectors FROM encoded e JOIN passages p ON p.n = e.passage JOIN texts t ON t.n = p.text
			WHERE e.passage > ? AND e.model = ? ORDER BY e.passage LIMIT ?`, after, model, vectorBatch)
		if err != nil || len(rows) == 0 {
			return sqlite.Explain(err, "read encoder vectors")
		}
		after = rows[len(rows)-1].n
		ids, digests, packed := make([]evidence.PassageID, len(rows)), make([]string, len(rows)), make([][]byte, len(rows))
		for i, r := range rows {
			ids[i], digests[i], packed[i] = r.id, r.digest, r.packed
		}
		if err := each(ids, digests, packed); err != nil {
			return err
		}
	}
}
