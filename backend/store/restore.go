package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/pattern"
	"footnote/backend/store/sqlite"
)

// indexName is the folder of caches: what stands there is made again.
const indexName = "index"

// Restore puts a backup in the place of the data directory's contents, which it
// moves into a folder of backups; aside names that, empty when there was
// nothing. The file is copied and checked before anything is changed. Faults:
// data-locked while another process works on the directory and for a backup of a
// newer version, data-damaged for a file that is no whole backup, not-found,
// disk-full.
func Restore(ctx context.Context, dir, file string, now func() time.Time) (aside string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("find data directory: %w", err)
	}
	if err := prepareDir(dir); err != nil {
		return "", sqlite.CannotWrite(dir, err)
	}
	lock, err := sqlite.Lock(filepath.Join(dir, lockName))
	if errors.Is(err, sqlite.ErrLocked) {
		return "", sqlite.LockedElsewhere(dir, err)
	}
	if err != nil {
		return "", sqlite.CannotWrite(dir, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	draft := filepath.Join(dir, fileName+".restore")
	defer func() { err = errors.Join(err, removeAll(draft, draft+"-wal", draft+"-shm", draft+"-journal")) }()
	if err := copyFile(draft, file); err != nil {
		return "", err
	}
	carried, err := inspect(ctx, draft, filepath.Base(file))
	if err != nil {
		return "", err
	}
	aside = filepath.Join(dir, backupsDir, restoreMark+now().UTC().Format("20060102T150405.000"))
	moved, err := setAside(dir, aside, slices.Concat([]string{fileName + "-wal", fileName + "-shm", fileName, openName, deletedName, indexName}, carriedNames)...)
	if err == nil {
		err = put(dir, draft, carried)
	}
	if err != nil {
		return "", errors.Join(sqlite.CannotWrite(dir, err), takeBack(dir, aside, moved))
	}
	if len(moved) == 0 {
		return "", os.Remove(aside)
	}
	return aside, nil
}

// copyFile copies a regular file to a new one and syncs it.
func copyFile(to, from string) error {
	in, _, err := disk.OpenRegular(from)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "There is no file "+filepath.Base(from)+".", "Name a file that footnote backup wrote.")
	}
	if err != nil {
		return noBackup(from, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return sqlite.CannotWrite(filepath.Dir(to), err)
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return sqlite.CannotWrite(filepath.Dir(to), err)
	}
	return nil
}

func noBackup(file string, err error) error {
	return fault.Wrap(err, fault.DataDamaged, filepath.Base(file)+" is no whole backup of Footnote.", "Choose another file that footnote backup wrote. Nothing was changed.")
}

// inspect checks a copy of a backup and takes the carried files out of it.
func inspect(ctx context.Context, draft, name string) (carried map[string][]byte, err error) {
	db, err := sqlite.Connect(draft, "", 1)
	if err != nil {
		return nil, noBackup(name, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var verdict string
	var version, tables, carries int64
	err = db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict)
	if err == nil && verdict != "ok" {
		err = errors.New(verdict)
	}
	if err == nil {
		err = db.QueryRowContext(ctx, `SELECT max(version_id), (SELECT count(*) FROM sqlite_master WHERE name IN ('threads', 'files') AND type = 'table'),
			(SELECT count(*) FROM sqlite_master WHERE name = 'carried') FROM goose_db_version`).Scan(&version, &tables, &carries)
	}
	if err == nil {
		err = onlyOurs(ctx, db)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || tables < 2:
		return nil, noBackup(name, err)
	case version > newest():
		return nil, fault.New(fault.DataLocked, name+" was written by a newer Footnote.", "Install that version to restore it. Nothing was changed.")
	case carries == 0: // a copy that was made before an upgrade
		return nil, nil
	}
	carried = map[string][]byte{}
	scan := func(rows *sql.Rows) (struct{}, error) {
		var at string
		var body []byte
		err := rows.Scan(&at, &body)
		carried[at] = body
		return struct{}{}, err
	}
	if _, err := sqlite.Collect(ctx, db, scan, `SELECT name, body FROM carried`); err != nil {
		return nil, noBackup(name, err)
	}
	for at := range carried {
		if first, _, _ := strings.Cut(at, "/"); !fs.ValidPath(at) || !filepath.IsLocal(filepath.FromSlash(at)) || !slices.Contains(carriedNames, first) {
			return nil, noBackup(name, fmt.Errorf("it carries %q", at))
		}
	}
	_, err = db.ExecContext(ctx, `DROP TABLE carried`)
	return carried, sqlite.Explain(err, "read backup")
}

var ourView = pattern.New(`^CREATE VIEW held AS SELECT source FROM \w+(?: UNION ALL SELECT source FROM \w+)*$`)

// holding is how SQLite keeps what defines tables and their indexes.
var holding = pattern.New(`^CREATE (?:TABLE|INDEX|UNIQUE INDEX) `)

// onlyOurs refuses a schema with triggers, or with views that are not ours: those of
// a stranger's backup would act on whatever is stored or deleted later. Virtual tables
// run code of their own: only plain tables and indexes are let in besides.
func onlyOurs(ctx context.Context, db *sql.DB) error {
	rows, err := sqlite.Collect(ctx, db, sqlite.ScanString[string], `SELECT CAST(sql AS TEXT) FROM sqlite_master WHERE sql IS NOT NULL`)
	for _, row := range rows {
		if !holding.MatchString(row) && !ourView.MatchString(row) {
			return fmt.Errorf("it has %q", row)
		}
	}
	return err
}

// newest is the number of the last migration that this version knows.
func newest() (version int64) {
	names, err := migrations.ReadDir("migrations")
	if err != nil {
		return 0
	}
	for _, e := range names {
		var n int64
		if _, err := fmt.Sscanf(path.Base(e.Name()), "%d_", &n); err == nil {
			version = max(version, n)
		}
	}
	return version
}

// put writes the carried files, then gives the checked copy its name.
func put(dir, draft string, carried map[string][]byte) error {
	for at, body := range carried {
		to := filepath.Join(dir, filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, body, 0o600); err != nil {
			return err
		}
		if err := syncFile(to); err != nil {
			return err
		}
	}
	if err := syncFile(draft); err != nil {
		return err
	}
	return os.Rename(draft, filepath.Join(dir, fileName))
}

// takeBack undoes setAside after an error.
func takeBack(dir, aside string, moved []string) error {
	var err error
	for _, name := range moved {
		at := filepath.Join(dir, name)
		err = errors.Join(err, os.RemoveAll(at), os.Rename(filepath.Join(aside, name), at))
	}
	return err
}

func removeAll(paths ...string) error {
	var err error
	for _, p := range paths {
		if e := os.Remove(p); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
