package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// Collections lists the reader's collections in the order in which they were
// made.
func (d *DB) Collections(ctx context.Context) ([]library.Collection, error) {
	scan := func(rows *sql.Rows) (library.Collection, error) {
		var c library.Collection
		var files, folders string
		var made int64
		if err := rows.Scan(&c.ID, &c.Name, &files, &folders, &made); err != nil {
			return c, err
		}
		c.Made = moment(made)
		if err := errors.Join(json.Unmarshal([]byte(files), &c.Files), json.Unmarshal([]byte(folders), &c.Folders)); err != nil {
			return c, sqlite.Damaged(err)
		}
		return c, nil
	}
	list, err := sqlite.Collect(ctx, d.r, scan, `SELECT id, name, files, folders, made FROM collections ORDER BY made, id`)
	return list, sqlite.Explain(err, "list collections")
}

// PutCollection inserts or replaces a collection by id. A name that another one
// has is fault invalid-request.
func (d *DB) PutCollection(ctx context.Context, c library.Collection) error {
	files, err := sqlite.JSONList(c.Files)
	if err != nil {
		return err
	}
	folders, err := sqlite.JSONList(c.Folders)
	if err != nil {
		return err
	}
	_, err = d.w.ExecContext(ctx, `INSERT INTO collections (id, name, key, files, folders, made) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, key = excluded.key, files = excluded.files, folders = excluded.folders`,
		c.ID, c.Name, library.CollectionKey(c.Name), files, folders, millis(c.Made))
	if sqlite.IsDuplicate(err) {
		return fault.New(fault.InvalidRequest, "Another collection has this name.", "Choose another name.")
	}
	return sqlite.Explain(err, "store collection")
}
