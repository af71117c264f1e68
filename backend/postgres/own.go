package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
	"footnote/backend/notebook"
	"footnote/backend/records"
	"footnote/backend/table"
)

// Own is what one person keeps, beside the library as this person sees it: threads,
// runs and their events, what was read for them, notes and preferences. Every
// statement names the person, and so do the policies of the tables. What an answer
// had from files is shown only as long as this person may read them (see withheld).
type Own struct {
	*View
	records.Preferences
	clock func() time.Time
}

var (
	_ journal.Store      = (*Own)(nil)
	_ journal.Enders     = (*Own)(nil)
	_ journal.Shared     = (*Own)(nil)
	_ answer.Records     = (*Own)(nil)
	_ answer.Past        = (*Own)(nil)
	_ answer.Archive     = (*Own)(nil)
	_ gather.Texts       = (*Own)(nil)
	_ answer.Preferences = (*Own)(nil)
	_ answer.Consents    = (*Own)(nil)
	_ trace.Traces       = (*Own)(nil)
	_ trace.Tapes        = (*Own)(nil)
	_ contract.Studies   = (*Own)(nil)
	_ notebook.Store     = (*Own)(nil)
)

// Own is what a person keeps.
func (d *DB) Own(person int64, now func() time.Time) *Own {
	o := &Own{View: d.View(person), clock: now}
	o.Preferences = records.Preferences{Kept: o, Now: now}
	return o
}

// change runs fn in one transaction that writes this person's records.
func (o *Own) change(ctx context.Context, doing string, fn func(pgx.Tx, scope) error) error {
	err := o.db.begin(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		s, err := o.enter(ctx, tx)
		if err != nil {
			return err
		}
		return fn(tx, s)
	})
	return explain(err, doing)
}

// exec runs one statement that writes; its first argument is whose records.
func (o *Own) exec(ctx context.Context, doing, query string, args ...any) (n int64, err error) {
	err = o.change(ctx, doing, func(tx pgx.Tx, s scope) error {
		tag, err := tx.Exec(ctx, query, append([]any{s.own}, args...)...)
		n = tag.RowsAffected()
		return err
	})
	return n, err
}

// kept reads rows; the first argument of the query is whose records.
func kept[T any](ctx context.Context, o *Own, doing string, scan func(pgx.CollectableRow) (T, error), query string, args ...any) (found []T, err error) {
	err = o.look(ctx, doing, func(tx pgx.Tx, s scope) (err error) {
		found, err = collect(ctx, tx, scan, query, append([]any{s.own}, args...)...)
		return err
	})
	return found, err
}

// answered is kept; the second argument is which runs are withheld.
func answered[T any](ctx context.Context, o *Own, doing string, scan func(pgx.CollectableRow) (T, error), query string, args ...any) (found []T, err error) {
	err = o.look(ctx, doing, func(tx pgx.Tx, s scope) (err error) {
		found, err = collect(ctx, tx, scan, query, append([]any{s.own, s.withheld}, args...)...)
		return err
	})
	return found, err
}

// only is the one row of a list; none is fault not-found.
func only[T any](list []T, err error, what string) (found T, _ error) {
	if err == nil && len(list) == 0 {
		err = missing(what)
	}
	if err != nil {
		return found, err
	}
	return list[0], nil
}

func missing(what string) error {
	return fault.New(fault.NotFound, "There is no such "+what+".", "It may have been deleted, or you may not open it.")
}

// there makes not-found of a change that met nothing.
func there(n int64, err error, what string) error {
	if err == nil && n == 0 {
		return missing(what)
	}
	return err
}

// Refused is why nothing can be stored: the database says so with every change.
func (o *Own) Refused() *fault.Fault { return nil }

// Preference implements records.Values.
func (o *Own) Preference(ctx context.Context, key string, into any) (ok bool, err error) {
	values, err := kept(ctx, o, "read preference", pgx.RowTo[string], `SELECT value FROM preferences WHERE person = ANY ($1) AND key = $2`, key)
	if err != nil || len(values) == 0 {
		return false, err
	}
	return true, json.Unmarshal([]byte(values[0]), into)
}

// SetPreference implements records.Values.
func (o *Own) SetPreference(ctx context.Context, key string, value any) error {
	if value == nil {
		_, err := o.exec(ctx, "remove preference", `DELETE FROM preferences WHERE person = ANY ($1) AND key = $2`, key)
		return err
	}
	return o.EditPreference(ctx, key, func([]byte) ([]byte, error) { return json.Marshal(value) })
}

// EditPreference implements records.Values.
func (o *Own) EditPreference(ctx context.Context, key string, change func([]byte) ([]byte, error)) error {
	return o.change(ctx, "change "+key, func(tx pgx.Tx, s scope) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, int32(o.person), key); err != nil {
			return err
		}
		var stored *string
		err := tx.QueryRow(ctx, `SELECT value FROM preferences WHERE person = ANY ($1) AND key = $2`, s.own, key).Scan(&stored)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		var before []byte
		if stored != nil {
			before = []byte(*stored)
		}
		data, err := change(before)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO preferences (person, key, value) VALUES ($1, $2, $3) ON CONFLICT (person, key) DO UPDATE SET value = excluded.value`, o.person, key, string(data))
		return err
	})
}

// Notes lists the notes of a collection, the newest first. What was quoted from a
// source that may not be read any more is left out of them.
func (o *Own) Notes(ctx context.Context, collection string) ([]notebook.Note, error) {
	return o.remarks(ctx, `collection = $2 ORDER BY made DESC, id`, collection)
}

// NoteByID gives one; a missing one is fault not-found.
func (o *Own) NoteByID(ctx context.Context, id string) (notebook.Note, error) {
	list, err := o.remarks(ctx, `id = $2`, id)
	return only(list, err, "note")
}

func (o *Own) remarks(ctx context.Context, where, arg string) ([]notebook.Note, error) {
	list, err := kept(ctx, o, "read notes", func(row pgx.CollectableRow) (n notebook.Note, err error) {
		return n, scanJSON(row, &n)
	}, `SELECT data FROM remarks WHERE person = ANY ($1) AND `+where, arg)
	for i := range list {
		if list[i].Quote == nil || err != nil {
			continue
		}
		_, _, err = o.SourceText(ctx, list[i].Quote.Source)
		if fault.CodeOf(err) == fault.NotFound {
			list[i].Quote, err = nil, nil
		}
	}
	return list, err
}

// PutNote inserts a note or replaces it by id. A source that does not exist is
// fault not-found.
func (o *Own) PutNote(ctx context.Context, n notebook.Note) error {
	if n.Quote != nil {
		if _, err := o.Source(ctx, n.Quote.Source); err != nil {
			return err
		}
	}
	data, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode note: %w", err)
	}
	return o.change(ctx, "store note", func(tx pgx.Tx, s scope) error {
		_, err := tx.Exec(ctx, `INSERT INTO remarks (person, id, collection, made, data) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (person, id) DO UPDATE SET data = excluded.data`,
			o.person, n.ID, n.Collection, millis(n.Made), string(data))
		return err
	})
}

// DropNote deletes a note; one that does not exist is no error.
func (o *Own) DropNote(ctx context.Context, id string) error {
	_, err := o.exec(ctx, "delete note", `DELETE FROM remarks WHERE person = ANY ($1) AND id = $2`, id)
	return err
}

// Tables of evidence are not kept here.
func (o *Own) Tables(context.Context) ([]table.Kept, error) { return []table.Kept{}, nil }

// Table is fault not-found.
func (o *Own) Table(context.Context, string, int) (table.Kept, error) {
	return table.Kept{}, missing("table")
}

// CollectionCounts counts what a collection has beside its files.
func (o *Own) CollectionCounts(ctx context.Context, id string) (threads, notes int, err error) {
	err = o.look(ctx, "count what a collection has", func(tx pgx.Tx, s scope) error {
		return tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM threads WHERE person = ANY ($1) AND collection = $2), (SELECT count(*) FROM remarks WHERE person = ANY ($1) AND collection = $2)`, s.own, id).Scan(&threads, &notes)
	})
	return threads, notes, err
}

// RootCounts counts the files of a root; partly read ones count as ready.
func (o *Own) RootCounts(ctx context.Context, root string) (c records.Counts, err error) {
	err = o.read(ctx, "count files", func(tx pgx.Tx, reads []int) error {
		return tx.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE state IN ('ready', 'partial')), count(*) FILTER (WHERE state = 'waiting')
			FROM files WHERE collection = ANY ($1) AND root = $2 AND listed AND state <> 'removed'`, reads, root).Scan(&c.Files, &c.Ready, &c.Waiting)
	})
	return c, err
}

// scanJSON reads a row of one column.
func scanJSON(row pgx.CollectableRow, into any) error {
	var data string
	if err := row.Scan(&data); err != nil {
		return err
	}
	return json.Unmarshal([]byte(data), into)
}
