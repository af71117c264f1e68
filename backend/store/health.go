package store

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// checkLimit bounds the check of a start after a crash: a start takes less than
// five seconds, whatever the size of the library. Pages that were not reached
// are still guarded by SQLite when they are read.
const checkLimit = 3 * time.Second

// quickCheck looks through the database after an unclean end, and through all of
// it, whatever that takes, where damage was met.
func (d *DB) quickCheck(ctx context.Context) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if met, err := disk.ReadRegular(filepath.Join(d.dir, openName), int64(len(metDamage))); err != nil || string(met) != metDamage {
		limited, cancel = context.WithTimeout(ctx, checkLimit)
	}
	defer cancel()
	var verdict string
	err := d.r.QueryRowContext(limited, `PRAGMA quick_check(1)`).Scan(&verdict)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		d.log.Warn("database check after a crash not finished in time", "limit", checkLimit)
		return nil
	case err != nil:
		return sqlite.Explain(err, "check database")
	case verdict != "ok":
		return sqlite.Damaged(errors.New(verdict))
	}
	return nil
}

// unmigrated is why a database could not be brought up to date: damage, where there
// is some, whatever it looked like.
func (d *DB) unmigrated(ctx context.Context, err error) error {
	if fault.CodeOf(err) == fault.Internal {
		return cmp.Or(d.quickCheck(ctx), err)
	}
	return err
}
