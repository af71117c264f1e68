package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"footnote/backend/store/sqlite"
)

// SecureDelete has what is deleted overwritten while on says so, at the next
// write; a deleted conversation then leaves the log and the backups too. Call
// it before the first write.
func (d *DB) SecureDelete(on func() bool) { d.shredding.wanted = on }

// shred tells SQLite, on the connection of a transaction, whether to overwrite.
func (d *DB) shred(ctx context.Context, tx *sql.Tx) error {
	if d.shredding.wanted == nil || d.shredding.wanted() == d.shredding.on {
		return nil
	}
	query := `PRAGMA secure_delete = OFF`
	if !d.shredding.on {
		query = `PRAGMA secure_delete = ON`
	}
	if _, err := tx.ExecContext(ctx, query); err != nil {
		return err
	}
	d.shredding.on = !d.shredding.on // only whoever has the one writing connection comes here
	return nil
}

// leaveNoTrace removes what was deleted from the log, from daily backups, from
// copies before upgrades, and from databases that were set aside.
func (d *DB) leaveNoTrace(ctx context.Context) error {
	if d.shredding.wanted == nil || !d.shredding.wanted() {
		return nil
	}
	var busy, logged, moved int
	err := d.w.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &logged, &moved)
	if err == nil && busy != 0 {
		d.log.Warn("what was deleted stays in the log of the database until its readers are done")
	}
	backups := filepath.Join(d.dir, backupsDir)
	return errors.Join(sqlite.Explain(err, "clear the log of what was deleted"), removeAll(dailies(backups)...), removeAll(copiesBeforeUpgrades(backups)...), dropAside(backups))
}

// dropAside removes the databases of damaged folders and of those before a restore,
// with their indexes; what else was set aside with them stays.
func dropAside(backups string) error {
	var all error
	for _, folder := range []string{damagedMark, restoreMark} {
		for _, name := range []string{fileName + "*", indexName} {
			found, err := filepath.Glob(filepath.Join(backups, folder+"*", name))
			for _, path := range found {
				err = errors.Join(err, os.RemoveAll(path))
			}
			all = errors.Join(all, err)
		}
	}
	return all
}
