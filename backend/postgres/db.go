package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"footnote/backend/fault"
)

// DB is a team's database, reached in two ways: as the owner of its tables, for
// people and their rights, and as a member, who is behind row-level security, for
// everything that is read from files. Safe for concurrent use. Close it once.
type DB struct {
	owner, member *pgxpool.Pool
	address       string
	log           *slog.Logger
	unchecked     bool    // tests only: the program's own checks are off, and the database's alone stand
	everybody     []int64 // tests only: whose records are asked for then
}

const (
	schema     = "footnote"
	memberRole = "footnote_member"
	ownerConns = 4
)

// Open connects to a database that Init has prepared; url is a postgres://
// address. The faults are invalid-setting for an address that is none,
// data-locked for a schema of another version, busy where the database is away.
func Open(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	d, err := connect(ctx, url, log)
	if err != nil {
		return nil, err
	}
	if err := d.checkVersion(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func connect(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	d := &DB{address: url, log: log}
	var err error
	if d.owner, err = pool(ctx, url, "", ownerConns); err != nil {
		return nil, err
	}
	if d.member, err = pool(ctx, url, memberRole, 0); err != nil {
		d.owner.Close()
		return nil, err
	}
	return d, nil
}

// pool makes a pool whose connections have the schema, and a role, if one is given.
func pool(ctx context.Context, url, role string, most int32) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, badAddress()
	}
	if most > 0 {
		config.MaxConns = most
	}
	config.MaxConnIdleTime = time.Minute
	config.ConnConfig.RuntimeParams["search_path"] = schema
	config.ConnConfig.RuntimeParams["application_name"] = "footnote"
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	if role == "" { // asked rarely: a connection that a restart of the server has ended is not used
		config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	} else {
		config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
			_, err := c.Exec(ctx, "SET ROLE "+pgx.Identifier{role}.Sanitize())
			return err
		}
	}
	p, err := pgxpool.NewWithConfig(ctx, config)
	return p, explain(err, "open the team's database")
}

func badAddress() error {
	return fault.New(fault.InvalidSetting, "The address of the team's database cannot be read.", "Set team.database to postgres://name:password@host/database.")
}

// Close ends all connections.
func (d *DB) Close() {
	d.member.Close()
	d.owner.Close()
}

// Codes of PostgreSQL that mean something to people.
const (
	codeDuplicate = "23505"
	codeThere     = "42710" // an object of this name
	codeDenied    = "42501"
	codeDiskFull  = "53100"
	codeNoTable   = "42P01"
	codeNoRole    = "22023" // what SET ROLE says of one that is not there
	codeNoSchema  = "3F000"
)

// explain turns an error of the database into a fault with words for people.
func explain(err error, doing string) error {
	var said *pgconn.PgError
	var dialed *pgconn.ConnectError
	var lost net.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &dialed):
		return err
	case fault.CodeOf(err) != fault.Internal:
		return err
	case errors.As(err, &said):
		return explainCode(said, err, doing)
	case errors.As(err, &dialed), errors.As(err, &lost), errors.Is(err, net.ErrClosed), pgconn.SafeToRetry(err):
		return away(err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func explainCode(said *pgconn.PgError, err error, doing string) error {
	switch {
	case said.Code == codeDiskFull:
		return fault.Wrap(err, fault.DiskFull, "The disk of the team's database is full.", "Free some space there; nothing that was stored is lost.")
	case said.Code == codeDenied:
		return fault.Wrap(err, fault.PathNotAllowed, "You may not do this to this collection.", "Ask one of its owners.")
	case said.Code == codeNoTable, said.Code == codeNoSchema, said.Code == codeNoRole:
		return fault.Wrap(err, fault.DataLocked, "The team's database is not prepared.", "Run: footnote team init")
	case said.Code[:2] == "57", said.Code[:2] == "08", said.Code[:2] == "53": // shut down, connection, resources
		return away(err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func away(err error) error {
	return fault.Wrap(err, fault.Busy, "The team's database cannot be reached just now.", "Try again in a moment; `footnote team doctor` says more.")
}

func isDuplicate(err error) bool { return hasCode(err, codeDuplicate) }

// isThere reports whether another process has made the same just now.
func isThere(err error) bool { return hasCode(err, codeThere) || isDuplicate(err) }

func hasCode(err error, code string) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == code
}

// Owning runs fn in a transaction of the owner of the tables, who is behind no
// policy: for people, and for what is of the house.
func Owning(ctx context.Context, d *DB, doing string, fn func(pgx.Tx) error) error {
	return explain(pgx.BeginFunc(ctx, d.owner, fn), doing)
}

// collect runs a query and reads all its rows.
func collect[T any](ctx context.Context, q querier, scan func(pgx.CollectableRow) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}
