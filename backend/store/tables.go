package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"footnote/backend/store/sqlite"
	"footnote/backend/table"
)

// Tables lists the evidence tables without their cells, newest first.
func (d *DB) Tables(ctx context.Context) ([]table.Kept, error) {
	list, err := d.tables(ctx, d.r, "")
	return list, sqlite.Explain(err, "list tables")
}

// Table gives an evidence table with its cells after a number, in the order in
// which they were filled. A missing one is fault not-found.
func (d *DB) Table(ctx context.Context, id string, after int) (table.Kept, error) {
	list, err := d.tables(ctx, d.r, id)
	if err == nil && len(list) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return table.Kept{}, sqlite.NotFound(err, "table")
	}
	kept := list[0]
	kept.Cells, err = d.cells(ctx, kept, after)
	return kept, err
}

func (d *DB) tables(ctx context.Context, q sqlite.Querier, id string) ([]table.Kept, error) {
	scan := func(rows *sql.Rows) (table.Kept, error) {
		t := table.Kept{Table: table.Table{Cells: []table.Cell{}}}
		var files, questions string
		var made int64
		if err := rows.Scan(&t.ID, &t.Title, &files, &questions, &t.Paused, &made, &t.Filled); err != nil {
			return t, err
		}
		t.Made = moment(made)
		if err := errors.Join(json.Unmarshal([]byte(files), &t.Files), json.Unmarshal([]byte(questions), &t.Questions)); err != nil {
			return t, sqlite.Damaged(fmt.Errorf("read table %s: %w", t.ID, err))
		}
		return t, nil
	}
	return sqlite.Collect(ctx, q, scan, `SELECT id, title, files, questions, paused, made, (SELECT count(*) FROM cells WHERE tbl = tables.id) FROM tables
		WHERE ?1 = '' OR id = ?1 ORDER BY made DESC, id`, id)
}

// cells are those of a table after a number, placed by their file and question.
func (d *DB) cells(ctx context.Context, t table.Kept, after int) ([]table.Cell, error) {
	scan := func(rows *sql.Rows) (c table.Cell, err error) {
		var file, question, data string
		if err = rows.Scan(&file, &question, &c.Seq, &data); err != nil {
			return c, err
		}
		seq := c.Seq
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			return c, sqlite.Damaged(fmt.Errorf("read a cell of table %s: %w", t.ID, err))
		}
		c.Seq, c.Row, c.Column = seq, t.RowOf(file), slices.Index(t.Questions, question)
		return c, nil
	}
	list, err := sqlite.Collect(ctx, d.r, scan, `SELECT file, question, seq, data FROM cells WHERE tbl = ? AND seq > ? ORDER BY seq`, t.ID, after)
	list = slices.DeleteFunc(list, func(c table.Cell) bool { return c.Row < 0 || c.Column < 0 })
	return append([]table.Cell{}, list...), sqlite.Explain(err, "read cells")
}

// PutTable inserts a table or replaces it by id. Cells of rows and columns that
// it no longer has go.
func (d *DB) PutTable(ctx context.Context, t table.Kept) error {
	files, err := json.Marshal(t.Files)
	if err != nil {
		return fmt.Errorf("encode table: %w", err)
	}
	questions, err := json.Marshal(t.Questions)
	if err != nil {
		return fmt.Errorf("encode table: %w", err)
	}
	return d.write(ctx, "store table", func(tx *sqlite.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO tables (id, title, files, questions, paused, made) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET title = excluded.title, files = excluded.files, questions = excluded.questions, paused = excluded.paused`,
			t.ID, t.Title, string(files), string(questions), t.Paused, millis(t.Made)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM cells WHERE tbl = ?1 AND NOT (question IN (SELECT value FROM json_each(?2))
			AND file IN (SELECT json_extract(value, '$.id') FROM json_each(?3)))`, t.ID, string(questions), string(files))
		return err
	})
}

// KeepCell stores a cell, whose source stays while it does, and gives its number.
// A table or place in it that is gone is fault not-found.
func (d *DB) KeepCell(ctx context.Context, id, file, question string, c table.Cell) (seq int, err error) {
	data, err := json.Marshal(c)
	if err != nil {
		return 0, fmt.Errorf("encode cell: %w", err)
	}
	err = d.write(ctx, "store cell", func(tx *sqlite.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT (SELECT coalesce(max(seq), 0) + 1 FROM cells WHERE tbl = ?1) FROM tables WHERE id = ?1
			AND ?2 IN (SELECT json_extract(value, '$.id') FROM json_each(files)) AND ?3 IN (SELECT value FROM json_each(questions))`, id, file, question).Scan(&seq); err != nil {
			return sqlite.NotFound(err, "table")
		}
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO cells (tbl, file, question, seq, source, data) VALUES (?, ?, ?, ?, ?, ?)`,
			id, file, question, seq, c.Source, string(data))
		return err
	})
	return seq, err
}

// EmptyFailed takes out the cells that were not read, so that they are asked again.
func (d *DB) EmptyFailed(ctx context.Context, id string) error {
	_, err := d.w.ExecContext(ctx, `DELETE FROM cells WHERE tbl = ? AND data ->> '$.state' = ?`, id, table.Failed)
	return sqlite.Explain(err, "empty cells")
}

// DropTable removes a table with its cells; texts that nothing else needs go as
// well. One that does not exist is no error.
func (d *DB) DropTable(ctx context.Context, id string) error {
	err := d.write(ctx, "delete table", func(tx *sqlite.Tx) error {
		held, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT DISTINCT s.digest FROM cells c JOIN sources s ON s.id = c.source WHERE c.tbl = ?`, id)
		if err != nil {
			return err
		}
		if err := d.noteDeleted("tables", id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM tables WHERE id = ?`, id); err != nil {
			return err
		}
		return eraseSnapshots(ctx, tx, held)
	})
	if err != nil {
		return err
	}
	return d.leaveNoTrace(ctx)
}
