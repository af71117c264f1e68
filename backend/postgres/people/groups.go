package people

import (
	"context"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/postgres"
)

// Group is a set of people, each of whom has the rights that it is given.
type Group struct {
	ID      int64
	Name    string
	Members []string // by name
}

// Groups lists all groups by name.
func Groups(ctx context.Context, db *postgres.DB) (list []Group, err error) {
	err = postgres.Owning(ctx, db, "list groups", func(tx pgx.Tx) error {
		list, err = rowsOf(ctx, tx, pgx.RowToStructByPos[Group], `SELECT g.id, g.name, coalesce((SELECT array_agg(p.name ORDER BY p.key) FROM members m JOIN people p ON p.id = m.person WHERE m.grp = g.id), '{}') FROM groups g ORDER BY g.key`)
		return err
	})
	return list, err
}

// DropGroup removes a group with all rights that it had. One that is missing is
// fault not-found.
func DropGroup(ctx context.Context, db *postgres.DB, id int64) error {
	return postgres.Owning(ctx, db, "remove group", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM groups WHERE id = $1`, id)
		if err == nil && tag.RowsAffected() == 0 {
			err = fault.New(fault.NotFound, "There is no such group.", "footnote team list shows all.")
		}
		return err
	})
}

// rowsOf runs a query and reads all its rows.
func rowsOf[T any](ctx context.Context, tx pgx.Tx, scan func(pgx.CollectableRow) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}
