package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"footnote/backend/fault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrating is the advisory lock under which one process at a time brings the
// schema up to date.
const migrating = 0x666f6f74

// oldestServer is the first version of PostgreSQL that has what is used here.
const oldestServer = 150000

// Init makes the schema and the role of members, or brings them up to date. It may
// be called from several processes at once. The faults are data-locked for a
// database that a newer Footnote wrote, invalid-setting for a server that is too
// old or a name that may not make what is needed.
func Init(ctx context.Context, url string, log *slog.Logger) error {
	if _, err := pgx.ParseConfig(url); err != nil || url == "" {
		return badAddress()
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return explain(err, "open the team's database")
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, migrating); err != nil {
		return explain(err, "wait for others who prepare the database")
	}
	if err := prepare(ctx, conn); err != nil {
		return err
	}
	return migrate(ctx, url, log)
}

// prepare makes what migrations stand on.
func prepare(ctx context.Context, conn *pgx.Conn) error {
	var version int
	var role bool
	if err := conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)`, memberRole).Scan(&version, &role); err != nil {
		return explain(err, "look at the team's database")
	}
	if version < oldestServer {
		return fault.New(fault.InvalidSetting, fmt.Sprintf("The team's database is PostgreSQL %d.", version/10000), "Footnote needs PostgreSQL 15 or newer.")
	}
	if !role {
		if _, err := conn.Exec(ctx, `CREATE ROLE `+memberRole+` NOLOGIN NOSUPERUSER NOBYPASSRLS`); err != nil && !isThere(err) {
			return fault.Wrap(err, fault.InvalidSetting, "The name in team.database may not make the role of members.",
				"Have an administrator of the server run: CREATE ROLE "+memberRole+" NOLOGIN; GRANT "+memberRole+" TO CURRENT_USER")
		}
	}
	for _, statement := range []string{
		`GRANT ` + memberRole + ` TO CURRENT_USER`, `CREATE SCHEMA IF NOT EXISTS ` + schema, `GRANT USAGE ON SCHEMA ` + schema + ` TO ` + memberRole,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fault.Wrap(err, fault.InvalidSetting, "The name in team.database may not prepare the database.", "It must own the database. The server says: "+err.Error())
		}
	}
	return nil
}

func migrate(ctx context.Context, url string, log *slog.Logger) error {
	steps, done, err := provider(url, log)
	if err != nil {
		return err
	}
	defer done()
	if err := notNewer(ctx, steps); err != nil {
		return err
	}
	_, err = steps.Up(ctx)
	return explain(err, "bring the team's database up to date")
}

func provider(url string, log *slog.Logger) (steps *goose.Provider, done func() error, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, nil, err
	}
	config.RuntimeParams["search_path"] = schema
	db := stdlib.OpenDB(*config)
	files, err := fs.Sub(migrations, "migrations")
	if err == nil {
		steps, err = goose.NewProvider(goose.DialectPostgres, db, files, goose.WithDisableGlobalRegistry(true), goose.WithSlog(log))
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("read migrations: %w", err), db.Close())
	}
	return steps, db.Close, nil
}

func notNewer(ctx context.Context, steps *goose.Provider) error {
	current, target, err := steps.GetVersions(ctx)
	if err != nil {
		return explain(err, "read the version of the team's database")
	}
	if current > target {
		return fault.New(fault.DataLocked, "The team's database was written by a newer Footnote.", "Install that version here as well.")
	}
	return nil
}

// newest is the last migration of this program.
func newest() (version int64, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err == nil && len(files) > 0 {
		version, err = goose.NumericComponent(files[len(files)-1])
	}
	return version, err
}

// checkVersion refuses a schema that is not this program's.
func (d *DB) checkVersion(ctx context.Context) error {
	var current int64
	if err := d.owner.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&current); err != nil {
		return explain(err, "read the version of the team's database")
	}
	target, err := newest()
	switch {
	case err != nil:
		return fmt.Errorf("read migrations: %w", err)
	case current > target:
		return fault.New(fault.DataLocked, "The team's database was written by a newer Footnote.", "Install that version here as well.")
	case current < target:
		return fault.New(fault.DataLocked, "The team's database is of an older Footnote.", "Run: footnote team init")
	}
	return nil
}
