package store

import (
	"context"
	"database/sql"

	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// PutRoot inserts or replaces a root by id.
func (d *DB) PutRoot(ctx context.Context, r library.Root) error {
	_, err := d.w.ExecContext(ctx, `INSERT INTO roots (id, path, folder, watch, reachable, added) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET path = excluded.path, folder = excluded.folder, watch = excluded.watch, reachable = excluded.reachable`,
		r.ID, r.Path, r.Folder, r.Watch, r.Reachable, millis(r.Added))
	return sqlite.Explain(err, "store root")
}

// DropRoot removes a root; one that does not exist is no error.
func (d *DB) DropRoot(ctx context.Context, id string) error {
	return sqlite.Explain(d.dropRow(ctx, "roots", id), "remove root")
}

// Roots lists what the reader added, oldest first.
func (d *DB) Roots(ctx context.Context) ([]library.Root, error) {
	scan := func(rows *sql.Rows) (library.Root, error) {
		var r library.Root
		var added int64
		err := rows.Scan(&r.ID, &r.Path, &r.Folder, &r.Watch, &r.Reachable, &added)
		r.Added = moment(added)
		return r, err
	}
	roots, err := sqlite.Collect(ctx, d.r, scan, `SELECT id, path, folder, watch, reachable, added FROM roots ORDER BY added, id`)
	return roots, sqlite.Explain(err, "list roots")
}
