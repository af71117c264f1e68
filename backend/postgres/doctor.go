package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/plain"
)

// Finding is what an examination found out about one part of a team's database.
type Finding struct {
	Part, Says, Next string
	OK               bool
}

const (
	leastWorkMem = 4 << 10 // KB
	mostSkew     = 5 * time.Second
)

// Examine tells what a database has and lacks of what a team needs. An error is that
// it cannot be reached.
func Examine(ctx context.Context, url string, now func() time.Time) ([]Finding, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, badAddress()
	}
	config.ConnectTimeout = 10 * time.Second
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, explain(err, "open the team's database")
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var x examined
	sent := now()
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, pg_size_bytes(current_setting('work_mem')) / 1024, clock_timestamp(),
		coalesce((SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'), ''), EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector'),
		has_database_privilege(current_database(), 'CREATE'), EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1), pg_has_role(current_user, (SELECT oid FROM pg_roles WHERE rolname = $1), 'MEMBER') IS TRUE,
		(SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user), (SELECT rolsuper FROM pg_roles WHERE rolname = current_user), current_setting('server_encoding')`, memberRole).
		Scan(&x.version, &x.workMem, &x.at, &x.vector, &x.hasVector, &x.mayCreate, &x.role, &x.member, &x.mayMakeRole, &x.super, &x.encoding)
	if err != nil {
		return nil, explain(err, "look at the team's database")
	}
	x.skew = x.at.Sub(sent.Add(now().Sub(sent) / 2))
	found := []Finding{x.server(), x.text(), x.rights(), x.memory(), x.time(), x.vectors()}
	return append(found, schemaFinding(ctx, conn)), nil
}

type examined struct {
	version, workMem                                       int
	at                                                     time.Time
	skew                                                   time.Duration
	vector, encoding                                       string
	hasVector, mayCreate, role, member, mayMakeRole, super bool
}

func (x examined) server() Finding {
	return Finding{Part: "server", OK: x.version >= oldestServer, Says: fmt.Sprintf("PostgreSQL %d.%d", x.version/10000, x.version%10000), Next: "Install PostgreSQL 15 or newer."}
}

func (x examined) text() Finding {
	return Finding{Part: "encoding", OK: x.encoding == "UTF8", Says: x.encoding, Next: "Make the database with ENCODING 'UTF8'."}
}

func (x examined) rights() Finding {
	f := Finding{Part: "rights", OK: true, Says: "the tables and the role of members can be made"}
	switch {
	case !x.mayCreate:
		f.OK, f.Says, f.Next = false, "The name in team.database may not make a schema.", "Make it the owner of the database."
	case !x.role && !x.mayMakeRole:
		f.OK, f.Says, f.Next = false, "The role of members is missing and cannot be made.", "Have an administrator of the server run: CREATE ROLE "+memberRole+" NOLOGIN; GRANT "+memberRole+" TO CURRENT_USER"
	case x.role && !x.member:
		f.OK, f.Says, f.Next = false, "The name in team.database is no member of "+memberRole+".", "Have an administrator of the server run: GRANT "+memberRole+" TO the name"
	case x.super:
		f.Says = "everything: the name in team.database is a superuser, which is more than it needs"
	}
	return f
}

func (x examined) memory() Finding {
	return Finding{Part: "work_mem", OK: x.workMem >= leastWorkMem, Says: plain.Bytes(int64(x.workMem) << 10), Next: "Set work_mem to 4 MB or more: searches sort in it."}
}

func (x examined) time() Finding {
	return Finding{Part: "clock", OK: x.skew.Abs() <= mostSkew, Says: fmt.Sprintf("%.1f s from this computer's", x.skew.Seconds()), Next: "Have both computers set their clocks from the network: sessions end by them."}
}

// vectors are searched without the extension as well.
func (x examined) vectors() Finding {
	f := Finding{Part: "vector", OK: true, Says: "not needed: vectors are searched without an extension"}
	if x.hasVector {
		f.Says = "there, and not used yet"
	}
	return f
}

func schemaFinding(ctx context.Context, conn *pgx.Conn) Finding {
	f := Finding{Part: "tables", Next: "Run: footnote team init"}
	var current int64
	err := conn.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM `+schema+`.goose_db_version WHERE is_applied`).Scan(&current)
	target, wrong := newest()
	switch err = errors.Join(explain(err, "read the version of the team's database"), wrong); {
	case err != nil:
		f.Says = fault.Of(err).Message
	case current > target:
		f.Says, f.Next = "of a newer Footnote", "Install that version here as well."
	case current < target:
		f.Says = "of an older Footnote"
	default:
		f.OK, f.Says = true, fmt.Sprintf("version %d", current)
	}
	return f
}
