package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A daily backup holds what cannot be made again: conversations, what their
// answers rest on, settings, uploads. The text of files on disk stays out, they
// are read again; so a backup stays small beside a large library.

const (
	dayMark     = "footnote-day-" // daily backups: their names sort by date
	upgradeMark = "footnote-v"    // copies before upgrades: theirs end in the date
	keptCopies  = 3               // copies before upgrades
)

// BackUpDaily writes the backup of today where there is none yet, keeps those of
// the last days and the last copies before upgrades, and removes older ones. With
// no days there are no daily backups.
func (d *DB) BackUpDaily(ctx context.Context, days int) error {
	dir := filepath.Join(d.dir, backupsDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return CannotWrite(d.dir, err)
	}
	path := filepath.Join(dir, dayMark+d.now().UTC().Format("20060102")+".db")
	if days > 0 && !exists(path) {
		if err := d.copyTo(ctx, path, func(draft string) error { return d.slim(ctx, draft) }); err != nil {
			return errors.Join(err, removeAll(path+".part", path+".part-journal"))
		}
		d.log.Info("daily backup written", "file", filepath.Base(path))
	}
	return errors.Join(prune(dailies(dir), days), prune(copiesBeforeUpgrades(dir), keptCopies))
}

// slim takes what files give again out of a copy, and adds settings and uploads.
func (d *DB) slim(ctx context.Context, draft string) (err error) {
	db, err := connect(draft, "&_pragma=foreign_keys(1)", 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, query := range []string{
		`DELETE FROM vectors`,
		`UPDATE texts SET shelved = 0, indexed = 0, vectored = ''`,
		readLostAgain,
		`DELETE FROM sources WHERE kind = 'file' AND id NOT IN (SELECT source FROM held)`,
		`DELETE FROM texts WHERE digest NOT IN (SELECT digest FROM sources)`,
		`VACUUM`,
	} {
		if _, err := db.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("make backup small: %w", err)
		}
	}
	return d.carry(ctx, db)
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
