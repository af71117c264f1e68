package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"footnote/backend/store/sqlite"
)

// A backup is a database of its own with everything that cannot be made again:
// the tables, and in one more the settings and the uploaded files. The access
// token and keys stay out.

// carriedNames are what a backup takes along from the data directory.
var carriedNames = []string{"config.toml", "uploads"}

const carriedTable = `CREATE TABLE carried (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`

// Backup writes everything to path as one file while work goes on. It appears
// under its name only when it is complete; an existing file is replaced.
func (d *DB) Backup(ctx context.Context, path string) error {
	return d.copyTo(ctx, path, func(draft string) error {
		db, err := sqlite.Connect(draft, "", 1)
		if err != nil {
			return err
		}
		return errors.Join(d.carry(ctx, db), db.Close())
	})
}

// carry adds settings and uploads to a copy.
func (d *DB) carry(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, carriedTable); err != nil {
		return err
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range carriedNames {
		err := fs.WalkDir(root.FS(), name, func(at string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			body, err := root.ReadFile(filepath.FromSlash(at))
			if err == nil {
				_, err = db.ExecContext(ctx, `INSERT INTO carried (name, body) VALUES (?, ?)`, at, body)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("carry %s: %w", name, err)
		}
	}
	return nil
}

// copyTo writes a consistent copy of the database, finished by more, to path.
func (d *DB) copyTo(ctx context.Context, path string, more func(draft string) error) error {
	draft := path + ".part"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear old draft of backup: %w", err)
	}
	source, err := sqlite.Connect(filepath.Join(d.dir, fileName), "", 1) // of its own: the writer goes on, and readers may not vacuum
	if err != nil {
		return sqlite.Explain(err, "write backup")
	}
	_, err = source.ExecContext(ctx, `VACUUM INTO ?`, draft)
	if err = errors.Join(err, source.Close()); err == nil {
		err = more(draft)
	}
	if err != nil {
		return sqlite.Explain(err, "write backup")
	}
	if err := syncFile(draft); err != nil {
		return fmt.Errorf("write backup: %w", err)
	}
	if err := os.Rename(draft, path); err != nil {
		return fmt.Errorf("finish backup: %w", err)
	}
	return nil
}

// backupBefore copies the database before it is changed for a new version.
func (d *DB) backupBefore(ctx context.Context, version int64) error {
	dir := filepath.Join(d.dir, backupsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	name := fmt.Sprintf("footnote-v%d-%s.db", version, d.now().UTC().Format("20060102T150405"))
	d.log.Info("backing up the database before an upgrade", "file", name)
	return d.copyTo(ctx, filepath.Join(dir, name), func(string) error { return nil })
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(os.Chmod(path, 0o600), f.Sync(), f.Close())
}
