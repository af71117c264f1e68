package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

// OpenReading opens the database of a data directory that takes no file, because
// it is write-protected or its disk is full. Every write gives why, the fault
// disk-full that Open gave; the other faults are those of Open.
func OpenReading(ctx context.Context, dir string, why error, log *slog.Logger, now func() time.Time) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find data directory: %w", err)
	}
	path := filepath.Join(dir, fileName)
	if sizeOf(path) == 0 {
		return nil, why
	}
	lock, err := sqlite.Lock(filepath.Join(dir, lockName))
	if errors.Is(err, sqlite.ErrLocked) {
		return nil, sqlite.LockedElsewhere(dir, err)
	}
	if err != nil { // nobody writes where no lock can be had
		log.Info("read without a lock", "err", err)
	}
	d := &DB{dir: dir, log: log, now: now, lock: lock, reading: true}
	d.Preferences = records.Preferences{Kept: d, Now: now}
	d.refused.Store(fault.Of(fault.Wrap(why, fault.DiskFull, fault.Of(why).Message, "See that it has free space and may be written to, then start Footnote again.")))
	d.w.Shut = d.Refused()
	if err := d.openLeft(ctx, path); err != nil {
		return nil, errors.Join(err, d.closePools(), d.dropCopy(), d.unlock())
	}
	return d, nil
}

// openLeft opens what is there. Without a log nothing can change the file. What a
// crash left in the log of the database is read where the system lets it, else
// from a copy, which takes what reading a log takes: a folder that can be written to.
func (d *DB) openLeft(ctx context.Context, path string) error {
	if sizeOf(path+"-wal") == 0 {
		return d.openAs(ctx, path, "&immutable=1")
	}
	first := d.openAs(ctx, path, "&mode=ro")
	if first == nil || ctx.Err() != nil {
		return first
	}
	if err := errors.Join(d.closePools(), d.copyAside(path)); err != nil {
		return errors.Join(first, err)
	}
	return d.openAs(ctx, filepath.Join(d.copied, fileName), "&mode=rw&_pragma=query_only(1)")
}

// copyAside copies the database with its log to a folder for the time it is open.
func (d *DB) copyAside(path string) (err error) {
	if d.copied, err = os.MkdirTemp("", "footnote-reading-"); err != nil {
		return sqlite.CannotWrite(os.TempDir(), err)
	}
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(filepath.Join(d.copied, fileName+end), path+end); err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) dropCopy() error {
	if d.copied == "" {
		return nil
	}
	return os.RemoveAll(d.copied)
}

// openAs opens the pools and looks whether this version can read what is there.
func (d *DB) openAs(ctx context.Context, path, mode string) (err error) {
	if d.w.DB, err = sqlite.Connect(path, mode, 1); err != nil {
		return sqlite.Explain(err, "open database")
	}
	if d.r, err = sqlite.Connect(path, mode+"&_pragma=query_only(1)", 4); err != nil {
		return sqlite.Explain(err, "open database")
	}
	d.often.DB = d.r
	var version int64
	if err := d.r.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
		return sqlite.Explain(err, "read database version")
	}
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	switch target := int64(len(steps)); {
	case version > target:
		return ofNewer()
	case version < target:
		return fault.New(fault.DiskFull, "The data folder was written by another version of Footnote, and it cannot be written to.", "Give your user write access to it; it is brought up to date then.")
	}
	return nil
}

// Reading reports whether the database can only be read.
func (d *DB) Reading() bool { return d.reading }

func (d *DB) unlock() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.Close()
}

// noteClosed notes the clean end of a process that could write. One that met
// damage says so: the next start looks through the whole database and mends it.
func (d *DB) noteClosed() error {
	mark := filepath.Join(d.dir, openName)
	switch {
	case d.reading:
		return nil
	case sqlite.Harms() > d.damage.before:
		return os.WriteFile(mark, []byte(metDamage), 0o600)
	}
	return os.Remove(mark)
}
