package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/team"
)

// Level is what a person or a group may do with a collection.
type Level string

// Levels, each with what the ones before it may.
const (
	Reader Level = "reader" // sees what is in it
	Editor Level = "editor" // adds and removes files
	Owner  Level = "owner"
)

// Grantee is who is given a right: a person or a group, the other one is 0.
type Grantee struct{ Person, Group int64 }

// AddPerson adds a person by name, upper and lower case alike. A name that is
// taken is fault invalid-request.
func (d *DB) AddPerson(ctx context.Context, name string) (id int64, err error) {
	return d.add(ctx, "person", `INSERT INTO people (name, key) VALUES ($1, $2) RETURNING id`, name)
}

// AddGroup adds a group of people, as AddPerson does.
func (d *DB) AddGroup(ctx context.Context, name string) (id int64, err error) {
	return d.add(ctx, "group", `INSERT INTO groups (name, key) VALUES ($1, $2) RETURNING id`, name)
}

// AddCollection adds a collection, as AddPerson does. Nobody may see it yet.
func (d *DB) AddCollection(ctx context.Context, name string) (int, error) {
	id, err := d.add(ctx, "collection", `INSERT INTO collections (name, key) VALUES ($1, $2) RETURNING id`, name)
	return int(id), err
}

func (d *DB) add(ctx context.Context, what, query, name string) (id int64, err error) {
	name = strings.TrimSpace(plainText(name))
	if name == "" {
		return 0, fault.New(fault.InvalidRequest, "A "+what+" needs a name.", "Give one.")
	}
	if what != "collection" { // both are given rights by their names
		var taken bool
		if err := d.owner.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM people WHERE key = $1 UNION ALL SELECT 1 FROM groups WHERE key = $1)`, keyOf(name)).Scan(&taken); err != nil {
			return 0, explain(err, "look up name")
		}
		if taken {
			return 0, fault.New(fault.InvalidRequest, fmt.Sprintf("There is a person or group “%s” already.", name), "Choose another name.")
		}
	}
	err = d.owner.QueryRow(ctx, query, name, keyOf(name)).Scan(&id)
	if isDuplicate(err) {
		return 0, fault.New(fault.InvalidRequest, fmt.Sprintf("There is a %s “%s” already.", what, name), "Choose another name.")
	}
	return id, explain(err, "add "+what)
}

// Block takes all rights from a person, or gives them back.
func (d *DB) Block(ctx context.Context, person int64, blocked bool) error {
	_, err := d.owner.Exec(ctx, `UPDATE people SET blocked = $2 WHERE id = $1`, person, blocked)
	return explain(err, "block person")
}

// Join makes a person a member of a group, Leave ends that.
func (d *DB) Join(ctx context.Context, group, person int64) error {
	_, err := d.owner.Exec(ctx, `INSERT INTO members (grp, person) VALUES ($1, $2) ON CONFLICT DO NOTHING`, group, person)
	return explain(err, "add to group")
}

// Leave takes a person out of a group.
func (d *DB) Leave(ctx context.Context, group, person int64) error {
	_, err := d.owner.Exec(ctx, `DELETE FROM members WHERE grp = $1 AND person = $2`, group, person)
	return explain(err, "remove from group")
}

// Grant gives a right to a collection, in the place of the one that there was. It
// holds from the next statement on, as does Revoke.
func (d *DB) Grant(ctx context.Context, collection int, to Grantee, level Level) error {
	_, err := d.owner.Exec(ctx, `INSERT INTO grants (collection, person, grp, level) VALUES ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), $4)
		ON CONFLICT (collection, person, grp) DO UPDATE SET level = excluded.level`, collection, to.Person, to.Group, string(level))
	return explain(err, "grant right")
}

// Revoke takes a right away.
func (d *DB) Revoke(ctx context.Context, collection int, from Grantee) error {
	_, err := d.owner.Exec(ctx, `DELETE FROM grants WHERE collection = $1 AND (person = $2 OR grp = $3)`, collection, from.Person, from.Group)
	return explain(err, "revoke right")
}

// DropCollection removes a collection with all that it holds.
func (d *DB) DropCollection(ctx context.Context, collection int) error {
	_, err := d.owner.Exec(ctx, `DELETE FROM collections WHERE id = $1`, collection)
	return explain(err, "remove collection")
}

// Level is what a person may do with a collection; empty for nothing.
func (d *DB) Level(ctx context.Context, person int64, collection int) (level Level, err error) {
	err = d.owner.QueryRow(ctx, `SELECT level FROM rights WHERE person = $1 AND collection = $2
		ORDER BY array_position(ARRAY['owner', 'editor', 'reader'], level) LIMIT 1`, person, collection).Scan(&level)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return level, explain(err, "look up right")
}

// Collection is one of a team's, with who may what.
type Collection struct {
	ID     int
	Name   string
	Files  int
	Rights []string // "ann: owner"
}

// Collections lists all of them by name.
func (d *DB) Collections(ctx context.Context) ([]Collection, error) {
	list, err := collect(ctx, d.owner, pgx.RowToStructByPos[Collection], `SELECT c.id, c.name, (SELECT count(*) FROM files f WHERE f.collection = c.id AND f.state <> 'removed'),
		coalesce((SELECT array_agg(coalesce(p.name, g.name || ' (group)') || ': ' || r.level ORDER BY p.name, g.name) FROM grants r LEFT JOIN people p ON p.id = r.person LEFT JOIN groups g ON g.id = r.grp
			WHERE r.collection = c.id), '{}') FROM collections c ORDER BY c.key`)
	return list, explain(err, "list collections")
}

// CollectionNamed finds a collection; none is fault not-found.
func (d *DB) CollectionNamed(ctx context.Context, name string) (int, error) {
	ids, err := collect(ctx, d.owner, pgx.RowTo[int], `SELECT id FROM collections WHERE key = $1`, keyOf(name))
	id, err := only(ids, err, fmt.Sprintf("collection “%s”", name))
	return id, explain(err, "look up collection")
}

// GranteeNamed finds a person or group; none is fault not-found.
func (d *DB) GranteeNamed(ctx context.Context, name string) (Grantee, error) {
	found, err := collect(ctx, d.owner, pgx.RowToStructByPos[Grantee], `SELECT id, 0::bigint FROM people WHERE key = $1 UNION ALL SELECT 0, id FROM groups WHERE key = $1 LIMIT 1`, keyOf(name))
	to, err := only(found, err, fmt.Sprintf("person or group “%s”", name))
	return to, explain(err, "look up person")
}

// People lists all people by name.
func (d *DB) People(ctx context.Context) ([]team.Account, error) {
	list, err := collect(ctx, d.owner, func(row pgx.CollectableRow) (a team.Account, err error) {
		return a, row.Scan(&a.ID, &a.Name, &a.Administrator, &a.Password, &a.Blocked)
	}, `SELECT id, name, administrator, password, blocked FROM people ORDER BY key`)
	return list, explain(err, "list people")
}

// Ready is nil where the database answers.
func (d *DB) Ready(ctx context.Context) error {
	return explain(d.owner.Ping(ctx), "look for the team's database")
}

// reading is the kind of advisory locks of processes that read files in.
const reading = 0x666f6f75

// Lease has this process alone read files into a collection, until release or the
// end of the process. Where another one does, it is fault data-in-use.
func (d *DB) Lease(ctx context.Context, collection int) (release func(), err error) {
	conn, err := d.owner.Acquire(ctx)
	if err != nil {
		return nil, explain(err, "reach the team's database")
	}
	var got bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, int32(reading), collection).Scan(&got); err != nil || !got {
		conn.Release()
		if err != nil {
			return nil, explain(err, "lease collection")
		}
		return nil, fault.New(fault.DataInUse, "Another process is reading files into this collection just now.", "Wait until it is done, then try again.")
	}
	return func() { // with the connection the lock ends
		_ = conn.Hijack().Close(context.WithoutCancel(ctx)) // it ends however it is closed
	}, nil
}
