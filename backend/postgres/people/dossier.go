package people

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/fault"
	"footnote/backend/postgres"
	"footnote/backend/team/sharing"
)

// personal are the tables of what one person keeps.
var personal = []string{"threads", "runs", "outcomes", "events", "facts", "holds", "sources", "snapshots", "excerpts", "preferences", "remarks", "shared"}

// account tells of a person what the house keeps, without secrets; $1 is who.
var account = map[string]string{
	"account":     `SELECT id, name, administrator, blocked, made FROM people WHERE id = $1`,
	"groups":      `SELECT g.name FROM groups g JOIN members m ON m.grp = g.id WHERE m.person = $1`,
	"rights":      `SELECT c.name AS collection, g.level FROM grants g JOIN collections c ON c.id = g.collection WHERE g.person = $1`,
	"passes":      `SELECT kind, id, name, made, used, until FROM passes WHERE person = $1`,
	"audit":       `SELECT n, at, what, about FROM audit WHERE person = $1`,
	"shared_with": `SELECT shared, made FROM shares WHERE person = $1`,
}

// Export writes all that is kept of a person, a line of JSON a row. Of answers that
// rest on what they may not read any more is written only that they were asked for:
// a copy is taken as the person, behind all walls.
func Export(ctx context.Context, db *postgres.DB, person int64, w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	write := func(tx pgx.Tx, table, query string, who any) error {
		rows, err := tx.Query(ctx, `SELECT to_json(t)::text FROM (`+query+`) t`, who)
		if err != nil {
			return err
		}
		var row string
		_, err = pgx.ForEachRow(rows, []any{&row}, func() error {
			return out.Encode(map[string]any{"table": table, "row": json.RawMessage(row)})
		})
		return err
	}
	err := postgres.Owning(ctx, db, "export account", func(tx pgx.Tx) error {
		for table, query := range account {
			if err := write(tx, table, query, person); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return postgres.Reading(ctx, db.Own(person, time.Now), "export what a person keeps", func(tx pgx.Tx, may postgres.May) error {
		for _, table := range personal {
			if err := write(tx, table, `SELECT * FROM `+table+` WHERE person = ANY ($1)`, may.Own); err != nil {
				return err
			}
		}
		return nil
	})
}

// Erase removes a person with all that is kept of them, and their name from the
// audit log. What they added to collections is the collections', and stays. The last
// administrator is not erased: fault invalid-request.
func Erase(ctx context.Context, db *postgres.DB, person int64) error {
	return postgres.Owning(ctx, db, "erase person", func(tx pgx.Tx) error {
		var last bool
		err := tx.QueryRow(ctx, `SELECT administrator AND NOT EXISTS (SELECT 1 FROM people o WHERE o.administrator AND o.id <> p.id) FROM people p WHERE id = $1 FOR UPDATE`, person).Scan(&last)
		if err != nil {
			return err
		}
		if last {
			return fault.New(fault.InvalidRequest, "This is the last administrator.", "Make somebody else one first: footnote team person NAME --administrator")
		}
		batch := &pgx.Batch{}
		batch.Queue(`UPDATE audit SET about = '(erased)' WHERE (SELECT key FROM people WHERE id = $1) = ANY (string_to_array(lower(about), ', '))`, person)
		batch.Queue(`UPDATE audit SET person = -1, about = CASE WHEN what = 'asked' THEN about ELSE '(erased)' END WHERE person = $1`, person)
		batch.Queue(`DELETE FROM people WHERE id = $1`, person)
		return tx.SendBatch(ctx, batch).Close()
	})
}

// Showing is a share as the house sees it: of the conversation only its name.
type Showing struct {
	sharing.Share
	From, Thread string
}

// Showings lists all shares, the newest first.
func Showings(ctx context.Context, db *postgres.DB) (list []Showing, err error) {
	err = postgres.Owning(ctx, db, "list shares", func(tx pgx.Tx) error {
		list, err = rowsOf(ctx, tx, func(row pgx.CollectableRow) (s Showing, err error) {
			return s, row.Scan(&s.ID, &s.Kind, &s.To, &s.Made, &s.From, &s.Thread)
		}, `SELECT s.id, CASE WHEN s.link IS NOT NULL THEN 'link' WHEN s.grp IS NULL THEN 'person' ELSE 'group' END, n.name, s.made, p.name, d.thread
			FROM shares s JOIN shared d ON d.id = s.shared JOIN share_names n ON n.id = s.id JOIN people p ON p.id = d.person ORDER BY s.made DESC, s.id`)
		return err
	})
	return list, err
}

// DropShare ends a share, whoever's it is. One that is missing is fault not-found.
func DropShare(ctx context.Context, db *postgres.DB, id string) error {
	return postgres.Owning(ctx, db, "end share", func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM shares WHERE id = $1`, id)
		if err == nil && tag.RowsAffected() == 0 {
			err = fault.New(fault.NotFound, fmt.Sprintf("There is no share %s.", id), "footnote team shares lists all.")
		}
		return err
	})
}
