package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"footnote/backend/store/sqlite"
)

// A daily backup holds what cannot be made again: conversations, what their
// answers rest on, settings, uploads. The text of files on disk stays out, they
// are read again; so a backup stays small beside a large library.

const (
	dayMark     = "footnote-day-" // daily backups: their names sort by date
	upgradeMark = "footnote-v"    // copies before upgrades: theirs end in the date
	damagedMark = "damaged-"      // folders of databases that were mended
	restoreMark = "before-restore-"
	keptCopies  = 3 // copies before upgrades
)

// BackUpDaily writes the backup of today where there is none yet, keeps those of
// the last days and the last copies before upgrades, and removes older ones. With
// no days there are no daily backups.
func (d *DB) BackUpDaily(ctx context.Context, days int) error {
	dir := filepath.Join(d.dir, backupsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	path := d.today()
	if days > 0 && !exists(path) {
		if err := d.writeDaily(ctx, path); err != nil {
			return errors.Join(sqlite.Explain(err, "write daily backup"), removeAll(path+".part"))
		}
		d.log.Info("daily backup written", "file", filepath.Base(path))
	}
	return errors.Join(prune(dailies(dir), days), d.forgetDeleted(), prune(copiesBeforeUpgrades(dir), keptCopies))
}

// DailyDue reports whether today has no daily backup yet.
func (d *DB) DailyDue() bool { return !exists(d.today()) }

// today is where the daily backup of today is.
func (d *DB) today() string {
	return filepath.Join(d.dir, backupsDir, dayMark+d.now().UTC().Format("20060102")+".db")
}

// keptRows say which rows of a table a daily backup has: all, where a table is not named here.
// What is left out files give again. Texts come after the sources they belong to,
// and what belongs to texts after them.
var keptRows = []struct{ table, rows string }{
	{"vectors", "false"},
	{"encoded", "false"},
	{"topics", "false"},
	{"sources", "kind <> 'file' OR id IN (SELECT source FROM whole.held)"},
	{"texts", "digest IN (SELECT digest FROM main.sources)"},
	{"parts", "text IN (SELECT n FROM main.texts)"},
	{"passages", "text IN (SELECT n FROM main.texts)"},
}

// writeDaily writes a daily backup to path. It reads only what goes into it, so
// that a large library takes no longer than a small one.
func (d *DB) writeDaily(ctx context.Context, path string) error {
	draft := path + ".part"
	if err := removeAll(draft); err != nil {
		return err
	}
	db, err := sqlite.Connect(draft, "&_pragma=page_size(8192)&_pragma=journal_mode(off)&_pragma=synchronous(off)", 1)
	if err != nil {
		return err
	}
	if err = d.copyKept(ctx, db); err == nil {
		err = d.carry(ctx, db)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := syncFile(draft); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

// copyKept copies the schema and the rows that a daily backup has, as they are at
// one moment.
func (d *DB) copyKept(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, `ATTACH DATABASE ? AS whole`, filepath.Join(d.dir, fileName)); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if err := fill(ctx, tx); err != nil {
		return err
	}
	for _, query := range []string{
		`UPDATE texts SET shelved = 0, indexed = 0, vectored = ''`,
		readLostAgain,
		`DELETE FROM main.sqlite_sequence`,
		`INSERT INTO main.sqlite_sequence SELECT * FROM whole.sqlite_sequence`,
	} {
		if _, err := tx.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("make backup small: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `DETACH DATABASE whole`)
	return err
}

// fill makes the tables, fills them, and makes what stands on them.
func fill(ctx context.Context, tx *sql.Tx) error {
	type made struct{ kind, name, query string }
	scan := func(rows *sql.Rows) (m made, err error) { return m, rows.Scan(&m.kind, &m.name, &m.query) }
	all, err := sqlite.Collect(ctx, tx, scan, `SELECT type, name, sql FROM whole.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type <> 'table', rowid`)
	if err != nil {
		return err
	}
	rows := map[string]string{}
	for _, k := range keptRows {
		rows[k.table] = k.rows
	}
	copied := func(table, where string) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO main.`+table+` SELECT * FROM whole.`+table+` WHERE `+where)
		return err
	}
	var last []string
	for _, m := range all {
		if m.kind != "table" {
			last = append(last, m.query)
			continue
		}
		if _, err := tx.ExecContext(ctx, m.query); err != nil {
			return fmt.Errorf("make table %s: %w", m.name, err)
		}
		if rows[m.name] == "" {
			if err := copied(m.name, "true"); err != nil {
				return fmt.Errorf("copy table %s: %w", m.name, err)
			}
		}
	}
	for _, k := range keptRows {
		if err := copied(k.table, k.rows); err != nil {
			return fmt.Errorf("copy table %s: %w", k.table, err)
		}
	}
	for _, query := range last {
		if _, err := tx.ExecContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// dailies are the daily backups in a folder, the newest first.
func dailies(dir string) []string {
	files := matching(dir, dayMark+"*.db")
	slices.Sort(files)
	slices.Reverse(files)
	return files
}

// copiesBeforeUpgrades are those, the newest first.
func copiesBeforeUpgrades(dir string) []string {
	files := matching(dir, upgradeMark+"*.db")
	date := func(file string) string { return file[max(0, len(file)-len("20060102T150405.db")):] }
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(date(b), date(a)) })
	return files
}

func matching(dir, pattern string) []string {
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil // there are none
	}
	var files []string
	for _, e := range names {
		if fits, err := filepath.Match(pattern, e.Name()); err == nil && fits {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// prune removes all but the first so many files.
func prune(files []string, keep int) error {
	return removeAll(files[min(keep, len(files)):]...)
}
