package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	words "footnote/backend/plain"
	"footnote/backend/records"
	"footnote/backend/store/sqlite"
)

// A database that a start finds damaged is mended: what can be read goes into a
// new one, what files give again is read again, and the damaged file is kept
// among the backups. So every start succeeds, and people are told.

const mendingDir = "mending" // where the new database is written until it is whole

// Mended tells people what became of a database that was damaged when it was
// opened; empty when it was not.
func (d *DB) Mended() string { return d.mended }

// openMended opens the database, and mends it first where it is damaged.
func (d *DB) openMended(ctx context.Context) error {
	err := d.missing()
	if err == nil {
		err = d.open(ctx)
	}
	if fault.CodeOf(err) != fault.DataDamaged {
		return err
	}
	d.log.Error("the database is damaged and is mended", "err", err)
	if err := d.closePools(); err != nil {
		d.log.Warn("close the damaged database", "err", err)
	}
	d.w.DB, d.r = nil, nil
	if err := d.mend(ctx); err != nil {
		return fmt.Errorf("mend database: %w", err)
	}
	return d.open(ctx)
}

// missing notices a database that is gone while its log or a daily backup is
// there: SQLite would begin an empty one and say nothing.
func (d *DB) missing() error {
	path := filepath.Join(d.dir, fileName)
	if sizeOf(path) == 0 && (sizeOf(path+"-wal") > 0 || len(dailies(filepath.Join(d.dir, backupsDir))) > 0) {
		return sqlite.Damaged(errors.New("the database file is gone"))
	}
	return nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// mend puts a new database in the place of the damaged one. The index goes: it
// may know passages that are lost.
func (d *DB) mend(ctx context.Context) error {
	draft := filepath.Join(d.dir, mendingDir)
	if err := errors.Join(os.RemoveAll(draft), os.MkdirAll(draft, 0o700)); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	fresh := &DB{dir: draft, log: d.log, now: d.now}
	err := errors.Join(rehead(filepath.Join(d.dir, fileName)), fresh.open(ctx))
	var kept salvaged
	if err == nil {
		kept, err = fresh.salvage(ctx, filepath.Join(d.dir, fileName), dailies(filepath.Join(d.dir, backupsDir)))
	}
	if err = errors.Join(err, fresh.closePools()); err != nil {
		return err
	}
	path := filepath.Join(d.dir, fileName)
	aside := filepath.Join(d.dir, backupsDir, damagedMark+d.now().UTC().Format("20060102T150405.000"))
	moved, err := setAside(d.dir, aside, fileName+"-wal", fileName+"-shm", fileName)
	if err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	if err := os.Rename(filepath.Join(draft, fileName), path); err != nil {
		return sqlite.CannotWrite(d.dir, err)
	}
	what, where := "was damaged", " The damaged one is kept in "+aside+"."
	if len(moved) == 0 {
		what, where = "was gone", ""
		err = os.Remove(aside)
	}
	d.mended = fmt.Sprintf("Footnote's database %s. What could be read of it%s is here: %s and %s.%s%s An older copy can be put back with footnote restore.",
		what, kept.also(), words.Plural(kept.threads, "conversation", "conversations"), words.Plural(kept.files, "file with its text", "files with their text"), kept.again(), where)
	return errors.Join(err, os.RemoveAll(filepath.Join(d.dir, indexName)), os.RemoveAll(draft))
}

// salvaged counts what a mended database has.
type salvaged struct {
	threads int
	files   int    // that have their text
	waiting int    // that are known by name alone
	backup  string // that gave what could not be read; empty when none was needed or there
}

// again says what is still to come.
func (s salvaged) again() string {
	if s.waiting == 0 {
		return ""
	}
	return " The text of " + words.Plural(s.waiting, "more file", "more files") + " was lost or is in no backup: those are read again while Footnote runs, and are not found before."
}

func (s salvaged) also() string {
	if s.backup == "" {
		return ""
	}
	return ", and what could not of the backup " + filepath.Base(s.backup) + ","
}

// made are the tables that are not taken along: what they hold is made again.
var made = []string{"goose_db_version", "dropped", "vectors"}

// salvage copies what can be read of the database at path into this new one, table
// by table in the order they were made: what is referred to comes first. A table
// that cannot be read to its end is filled up from the newest of the backups that
// is whole, before what refers to it: what was deleted from other tables stays
// deleted.
func (d *DB) salvage(ctx context.Context, path string, backups []string) (kept salvaged, err error) {
	tables, err := sqlite.Collect(ctx, d.r, sqlite.ScanString[string], `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY rowid`)
	if err != nil {
		return kept, sqlite.Explain(err, "list tables")
	}
	tables = slices.DeleteFunc(tables, func(table string) bool { return slices.Contains(made, table) })
	damaged, err := d.wreck(path)
	if err != nil {
		return kept, err
	}
	defer d.leave(damaged)
	var backup *sql.DB
	var without gone
	find := sync.OnceValue(func() (err error) {
		if kept.backup = d.newestWhole(ctx, backups); kept.backup == "" {
			return nil
		}
		if without, err = deletedIn(filepath.Dir(path), dayOf(kept.backup)); err == nil {
			backup, err = d.wreck(kept.backup)
		}
		return err
	})
	defer func() { d.leave(backup) }()
	err = d.write(ctx, "mend database", func(tx *sqlite.Tx) error {
		for _, table := range tables {
			whole, err := d.salvageTable(ctx, tx, damaged, table)
			if err == nil && !whole {
				if err = find(); err == nil {
					err = d.fillUp(ctx, tx, backup, table, &without)
				}
				if err == nil && table == "threads" {
					err = d.rethread(ctx, tx, damaged)
				}
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
		}
		if err := errors.Join(straighten(ctx, tx), dropBroken(ctx, tx)); err != nil {
			return err
		}
		if err := without.dropOrphans(ctx, tx); err != nil {
			return err
		}
		return kept.count(ctx, tx)
	})
	return kept, err
}

func (s *salvaged) count(ctx context.Context, tx *sqlite.Tx) error {
	return tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM threads), count(*) FILTER (WHERE state IN ('ready', 'partial')), count(*) FILTER (WHERE state = 'waiting')
		FROM files WHERE listed = 1`).Scan(&s.threads, &s.files, &s.waiting)
}

// wreck opens what is left of a database, nil when that is nothing: SQLite would
// begin an empty one, and remove the log beside it.
func (d *DB) wreck(path string) (*sql.DB, error) {
	if sizeOf(path) == 0 {
		return nil, nil
	}
	from, err := sqlite.Connect(path, "&_pragma=query_only(1)", 1)
	return from, sqlite.Explain(err, "open damaged database")
}

func (d *DB) leave(from *sql.DB) {
	if from == nil {
		return
	}
	if err := from.Close(); err != nil {
		d.log.Warn("close the damaged database", "err", err)
	}
}

// rethread makes the threads that were lost anew, from the questions asked in them.
func (d *DB) rethread(ctx context.Context, tx *sqlite.Tx, from *sql.DB) error {
	if from == nil {
		return nil
	}
	_, err := d.copyBothWays(ctx, tx, from, "runs", []string{"n"},
		"SELECT thread, question, lower(question), iif(json_extract(record, '$.question.mode') = '"+string(contract.ModeDeep)+"', '"+records.DeepResearch+"', '"+records.Chat+"'), started FROM runs NOT INDEXED WHERE aside = 0",
		"INSERT INTO threads (id, title, folded, type, created, updated) VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (id) DO UPDATE SET updated = max(updated, excluded.updated)", 5)
	return err
}

// newestWhole is the first of the backups that can be read, empty when none can.
func (d *DB) newestWhole(ctx context.Context, backups []string) string {
	for _, file := range backups {
		var verdict string
		db, err := sqlite.Connect(file, "&_pragma=query_only(1)", 1)
		if err == nil {
			err = errors.Join(db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict), db.Close())
		}
		if err == nil && verdict == "ok" {
			return file
		}
		d.log.Warn("a daily backup cannot be read", "file", filepath.Base(file), "err", err)
	}
	return ""
}

// salvageTable copies the rows of a table that can be read.
func (d *DB) salvageTable(ctx context.Context, tx *sqlite.Tx, from *sql.DB, table string) (whole bool, err error) {
	if from == nil {
		return false, nil
	}
	columns, order, err := d.columnsOf(ctx, from, table)
	if err != nil || len(columns) == 0 {
		return false, err
	}
	return d.copyBothWays(ctx, tx, from, table, order, "SELECT "+strings.Join(columns, ", ")+" FROM "+table+" NOT INDEXED",
		"INSERT OR IGNORE INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")", len(columns))
}

// copyBothWays copies the rows of a query on a table up to one that cannot be read,
// and then those from its end down to the last such one.
func (d *DB) copyBothWays(ctx context.Context, tx *sqlite.Tx, from *sql.DB, table string, order []string, query, insert string, columns int) (whole bool, err error) {
	for _, direction := range []string{"", " DESC"} {
		unread, err := copyRows(ctx, tx, from, query+" ORDER BY "+strings.Join(order, direction+", ")+direction, insert, columns)
		if err != nil || unread == nil {
			return direction == "" && err == nil, err
		}
		d.log.Warn("rows of the damaged database cannot be read", "table", table, "err", unread)
	}
	return false, nil
}

// columnsOf gives the columns that a table has both here and in the damaged
// database, none when it cannot be told; and those that its rows lie in the order
// of.
func (d *DB) columnsOf(ctx context.Context, from *sql.DB, table string) (columns, order []string, err error) {
	const names = `SELECT name FROM pragma_table_info(?)`
	if columns, err = sqlite.Collect(ctx, d.r, sqlite.ScanString[string], names, table); err != nil {
		return nil, nil, sqlite.Explain(err, "list columns")
	}
	there, unread := sqlite.Collect(ctx, from, sqlite.ScanString[string], names, table)
	if unread != nil {
		d.log.Warn("a table of the damaged database cannot be read", "table", table, "err", unread)
		return nil, nil, ctx.Err()
	}
	columns = slices.DeleteFunc(columns, func(c string) bool { return !slices.Contains(there, c) })
	if order, err = sqlite.Collect(ctx, d.r, sqlite.ScanString[string], names+` WHERE pk > 0 ORDER BY pk`, table); err != nil {
		return nil, nil, sqlite.Explain(err, "list columns")
	}
	if len(order) == 0 {
		order = []string{"rowid"}
	}
	return columns, order, nil
}

// copyRows copies rows until one cannot be read, which unread tells. Rows that
// refer to a lost one are left out.
func copyRows(ctx context.Context, tx *sqlite.Tx, from *sql.DB, query, insert string, columns int) (unread, err error) {
	rows, unread := from.QueryContext(ctx, query)
	if unread != nil {
		return unread, ctx.Err()
	}
	defer rows.Close()
	var holed error
	values, into := make([]any, columns), make([]any, columns)
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if unread := rows.Scan(into...); unread != nil {
			return unread, ctx.Err()
		}
		if slices.ContainsFunc(values, zeroed) {
			holed = errors.New("a row has lost its text")
			continue
		}
		_, err := tx.ExecContext(ctx, insert, values...)
		if sqlite.IsConstraint(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return cmp.Or(rows.Err(), holed), ctx.Err()
}

// zeroed reports a text with a byte that no text has: its block was lost.
func zeroed(value any) bool {
	text, ok := value.(string)
	return ok && strings.ContainsRune(text, 0)
}

// readLostAgain has files read again whose text is not there, looked up one by one
// as readers do: the index may be harmed where the rows are not.
const readLostAgain = `UPDATE files SET state = 'waiting', digest = '' WHERE state IN ('ready', 'partial')
	AND NOT EXISTS (SELECT 1 FROM texts t WHERE t.digest = files.digest AND t.shelved = 1)`

// unshelveLost takes texts from the shelf that no file has any more.
const unshelveLost = `UPDATE texts SET shelved = 0 WHERE shelved = 1 AND digest NOT IN (SELECT digest FROM files WHERE state <> 'removed')`

// straighten replaces what is no JSON any more where it stands beside something
// that can still be read: SQLite does not see such damage.
func straighten(ctx context.Context, on interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}) error {
	for _, query := range []string{
		`UPDATE texts SET coverage = '{}' WHERE NOT json_valid(coverage)`,
		`UPDATE texts SET flags = '[]' WHERE NOT json_valid(flags)`,
		`DELETE FROM topics WHERE NOT json_valid(words) OR NOT json_valid(chosen)`,
		`UPDATE collections SET files = '[]' WHERE NOT json_valid(files)`,
		`UPDATE collections SET folders = '[]' WHERE NOT json_valid(folders)`,
		`DELETE FROM standing WHERE NOT json_valid(files)`,
		`DELETE FROM tables WHERE NOT json_valid(files) OR NOT json_valid(questions)`,
		`DELETE FROM cells WHERE NOT json_valid(data)`,
		`UPDATE notes SET quote = '', source = '' WHERE quote <> '' AND NOT json_valid(quote)`,
		`DELETE FROM preferences WHERE NOT json_valid(value)`,
	} {
		if _, err := on.ExecContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// dropBroken takes out texts of which something is lost, with what stands on
// them, and lets the files that had them be read again.
func dropBroken(ctx context.Context, tx *sqlite.Tx) error {
	for _, query := range []string{
		`UPDATE OR IGNORE passages SET id = passage_key(id) WHERE typeof(id) = 'text'`, // of an older version
		`DELETE FROM texts WHERE (SELECT count(*) FROM passages WHERE text = texts.n) < passages
			OR NOT EXISTS (SELECT 1 FROM parts WHERE text = texts.n AND part = -1)
			OR EXISTS (SELECT 1 FROM passages p WHERE p.text = texts.n AND p.section IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM parts WHERE text = texts.n AND part = -2 - p.section / 64))
			OR (SELECT count(*) <> max(part) + 2 OR max(part) < (SELECT coalesce(max((p.stop - 1) / texts.part), 0) FROM passages p WHERE p.text = texts.n AND p.words IS NULL)
				FROM parts WHERE text = texts.n AND part >= -1)`,
		readLostAgain,
		unshelveLost,
		`DELETE FROM sources WHERE kind = 'file' AND digest NOT IN (SELECT digest FROM texts WHERE shelved = 1) AND id NOT IN (SELECT source FROM held)`,
		`DELETE FROM texts WHERE shelved = 0 AND digest NOT IN (SELECT digest FROM sources)`,
		`UPDATE texts SET indexed = 0, vectored = ''`,
	} {
		if _, err := tx.ExecContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// setAside moves files and folders of a directory, those that are there, into
// another one that it makes. It lists what it moved.
func setAside(dir, aside string, names ...string) (moved []string, err error) {
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return nil, err
	}
	for _, name := range names {
		err := os.Rename(filepath.Join(dir, name), filepath.Join(aside, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return moved, err
		}
		moved = append(moved, name)
	}
	return moved, nil
}
