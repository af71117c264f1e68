package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"footnote/backend/notebook"
	"footnote/backend/store/sqlite"
)

// Notes lists the notes of a collection, the newest first.
func (d *DB) Notes(ctx context.Context, collection string) ([]notebook.Note, error) {
	list, err := d.notes(ctx, `collection = ? ORDER BY made DESC, id`, collection)
	return list, sqlite.Explain(err, "list notes")
}

// NoteByID gives one; a missing one is fault not-found.
func (d *DB) NoteByID(ctx context.Context, id string) (notebook.Note, error) {
	list, err := d.notes(ctx, `id = ?`, id)
	if err == nil && len(list) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return notebook.Note{}, sqlite.NotFound(err, "note")
	}
	return list[0], nil
}

func (d *DB) notes(ctx context.Context, where string, arg string) ([]notebook.Note, error) {
	scan := func(rows *sql.Rows) (n notebook.Note, err error) {
		var quote string
		var made, changed int64
		if err = rows.Scan(&n.ID, &n.Collection, &n.Text, &quote, &made, &changed); err != nil {
			return n, err
		}
		n.Made, n.Changed = moment(made), moment(changed)
		if quote != "" {
			if err = json.Unmarshal([]byte(quote), &n.Quote); err != nil {
				return n, sqlite.Damaged(fmt.Errorf("read note %s: %w", n.ID, err))
			}
		}
		return n, nil
	}
	return sqlite.Collect(ctx, d.r, scan, `SELECT id, collection, text, quote, made, changed FROM notes WHERE `+where, arg)
}

// PutNote inserts a note or replaces it by id; what it quotes stays while it does.
// A collection or source that does not exist is fault not-found.
func (d *DB) PutNote(ctx context.Context, n notebook.Note) error {
	quote, source := "", ""
	if n.Quote != nil {
		data, err := json.Marshal(n.Quote)
		if err != nil {
			return fmt.Errorf("encode note: %w", err)
		}
		quote, source = string(data), string(n.Quote.Source)
	}
	return d.write(ctx, "store note", func(tx *sqlite.Tx) error {
		var there int
		if err := tx.QueryRowContext(ctx, `SELECT 1 FROM collections WHERE id = ?`, n.Collection).Scan(&there); err != nil {
			return sqlite.NotFound(err, "collection")
		}
		if source != "" {
			if err := tx.QueryRowContext(ctx, `SELECT 1 FROM sources WHERE id = ?`, source).Scan(&there); err != nil {
				return sqlite.NotFound(err, "source")
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO notes (id, collection, text, quote, source, made, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET text = excluded.text, changed = excluded.changed`,
			n.ID, n.Collection, n.Text, quote, source, millis(n.Made), millis(n.Changed))
		return err
	})
}

// DropNote deletes a note; the text that it alone quoted goes as well.
func (d *DB) DropNote(ctx context.Context, id string) error {
	return d.dropNotes(ctx, "notes", `n.id = ?`, id)
}

// DropCollection forgets a collection with its notes, and texts that they alone
// quoted; its threads stay. One that does not exist is no error.
func (d *DB) DropCollection(ctx context.Context, id string) error {
	return d.dropNotes(ctx, "collections", `n.collection = ?`, id)
}

func (d *DB) dropNotes(ctx context.Context, table, which, id string) error {
	err := d.write(ctx, "delete notes", func(tx *sqlite.Tx) error {
		held, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT DISTINCT s.digest FROM notes n JOIN sources s ON s.id = n.source WHERE `+which, id)
		if err != nil {
			return err
		}
		if err := d.noteDeleted(table, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE id = ?`, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE threads SET collection = '' WHERE collection = ?`, id); err != nil {
			return err
		}
		return eraseSnapshots(ctx, tx, held)
	})
	if err != nil {
		return err
	}
	return d.leaveNoTrace(ctx)
}

// CollectionCounts counts the threads and notes of a collection.
func (d *DB) CollectionCounts(ctx context.Context, id string) (threads, notes int, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM threads WHERE collection = ?1), (SELECT count(*) FROM notes WHERE collection = ?1)`, id).Scan(&threads, &notes)
	return threads, notes, sqlite.Explain(err, "count what a collection has")
}
