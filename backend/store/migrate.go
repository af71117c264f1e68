package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"footnote/backend/fault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the file to this version. An existing database is copied to
// backups first; one of a newer Footnote is refused and left as it is.
func (d *DB) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return d.migrateTo(ctx, files)
}

// ofNewer is the fault of a database that a newer Footnote wrote.
func ofNewer() error {
	return fault.New(fault.DataLocked, "The data folder was written by a newer Footnote.", "Install that version, or choose another folder with --data.")
}

func (d *DB) migrateTo(ctx context.Context, files fs.FS) error {
	steps, err := goose.NewProvider(goose.DialectSQLite3, d.w.DB, files, goose.WithDisableGlobalRegistry(true), goose.WithSlog(d.log))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	current, target, err := steps.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read database version: %w", err)
	}
	if current > target {
		return ofNewer()
	}
	if current == target {
		return nil
	}
	if current > 0 {
		if err := d.backupBefore(ctx, current); err != nil {
			return err
		}
	}
	if _, err := steps.Up(ctx); err != nil {
		return fmt.Errorf("migrate from version %d to %d: %w", current, target, err)
	}
	return nil
}
