package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/disk"
	"footnote/backend/library"
	"footnote/backend/store/sqlite"
)

// deletedName is the file that tells what was deleted since the oldest daily
// backup. It stands outside the database: a mended one must not bring that back.
const deletedName = "footnote.deleted"

const deletedBytes = 256 << 20 // of it that are read: some millions of rows

// deletions are the lines of that file: day, table, and the digest of what names a
// row. Those of conversations cannot be turned back, as their ids are drawn by chance.
type deletions struct{ mu sync.Mutex }

// deletable are the tables whose deleted rows are noted, with the column that names a row.
var deletable = map[string]string{
	"threads": "id", "runs": "id", "collections": "id", "notes": "id", "tables": "id", "roots": "id", "standing": "run", "files": "id", "preferences": "key",
}

func deletedMark(table, id string) string {
	sum := sha256.Sum256([]byte(table + " " + id))
	return table + " " + hex.EncodeToString(sum[:])
}

// note puts ids of rows that are about to be deleted on the disk.
func (s *deletions) note(dir, day, table string, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines strings.Builder
	for _, id := range ids {
		lines.WriteString(day + " " + deletedMark(table, id) + "\n")
	}
	f, err := os.OpenFile(filepath.Join(dir, deletedName), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return sqlite.CannotWrite(dir, err)
	}
	_, err = f.WriteString(lines.String())
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return sqlite.CannotWrite(dir, err)
	}
	return nil
}

// forget drops what was deleted before the day of the oldest daily backup, which
// no longer has it; with no such day, all.
func (s *deletions) forget(dir, oldest string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(dir, deletedName)
	data, err := disk.ReadRegular(path, deletedBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what was deleted: %w", err)
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		if oldest != "" && string(line) >= oldest {
			kept.Write(line)
		}
	}
	if kept.Len() == len(data) {
		return nil
	}
	if kept.Len() == 0 {
		return removeAll(path)
	}
	if err := os.WriteFile(path+".part", kept.Bytes(), 0o600); err != nil {
		return sqlite.CannotWrite(dir, err)
	}
	if err := syncFile(path + ".part"); err != nil {
		return sqlite.CannotWrite(dir, err)
	}
	return os.Rename(path+".part", path)
}

// gone is what a mended database must not get from a backup.
type gone struct {
	marks   map[string]bool
	sources map[string]bool // that the damaged database still had
}

// deletedIn reads what a folder's file has of a day (20060102) and later ones;
// nothing where there is none. What a backup of a later day has was made anew.
func deletedIn(dir, day string) (gone, error) {
	data, err := disk.ReadRegular(filepath.Join(dir, deletedName), deletedBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return gone{}, nil
	}
	if err != nil {
		return gone{}, fmt.Errorf("read what was deleted: %w", err)
	}
	marks := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if on, mark, ok := strings.Cut(strings.TrimSpace(line), " "); ok && on >= day {
			marks[mark] = true
		}
	}
	return gone{marks: marks}, nil
}

// dayOf is the day in the name of a daily backup.
func dayOf(backup string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(backup), dayMark), ".db")
}

// noteDeleted notes rows of a table in the transaction that deletes them: before
// it ends, so that a crash between the two keeps nothing that was to go.
func (d *DB) noteDeleted(table string, ids ...string) error {
	return d.shredding.deleted.note(d.dir, d.now().UTC().Format("20060102"), table, ids...)
}

// dropRow notes and deletes a row of a table; one that does not exist is no error.
func (d *DB) dropRow(ctx context.Context, table, name string) error {
	if err := d.noteDeleted(table, name); err != nil {
		return err
	}
	_, err := d.w.ExecContext(ctx, `DELETE FROM `+table+` WHERE `+deletable[table]+` = ?`, name)
	return err
}

// forgetDeleted keeps of what was deleted what a daily backup may still have.
func (d *DB) forgetDeleted() error {
	oldest := ""
	if files := dailies(filepath.Join(d.dir, backupsDir)); len(files) > 0 {
		oldest = dayOf(files[len(files)-1])
	}
	return d.shredding.deleted.forget(d.dir, oldest)
}

// namesIn lists what names the rows of a table.
func namesIn(ctx context.Context, tx *sqlite.Tx, table, column string) (map[string]bool, error) {
	names, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT `+column+` FROM `+table)
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	return there, nil
}

// fillUp adds what a backup has of a table, but for what was deleted since. What
// the damaged database still had is no such row: it came back some other way.
func (d *DB) fillUp(ctx context.Context, tx *sqlite.Tx, backup *sql.DB, table string, without *gone) error {
	column, told := deletable[table]
	if table == "sources" {
		column, told = "id", true
	}
	if told = told && len(without.marks) > 0; !told {
		_, err := d.salvageTable(ctx, tx, backup, table)
		return err
	}
	alive, err := namesIn(ctx, tx, table, column)
	if err != nil {
		return err
	}
	if _, err := d.salvageTable(ctx, tx, backup, table); err != nil {
		return err
	}
	if table == "sources" {
		without.sources = alive
		return nil
	}
	filled, err := namesIn(ctx, tx, table, column)
	if err != nil {
		return err
	}
	if table == "files" {
		if err := dropRootless(ctx, tx, alive); err != nil {
			return err
		}
	}
	for name := range filled {
		if alive[name] {
			continue
		}
		if err := without.takeOut(ctx, tx, table, name); err != nil {
			return err
		}
	}
	return nil
}

// takeOut takes a row that a backup gave out again, if it was deleted since, or
// what was taken out of it.
func (g *gone) takeOut(ctx context.Context, tx *sqlite.Tx, table, name string) error {
	if table == "preferences" {
		return g.takeOutOf(ctx, tx, name)
	}
	if !g.marks[deletedMark(table, name)] {
		return nil
	}
	if table == "files" { // a scan of its folder would bring it back
		_, err := tx.ExecContext(ctx, `UPDATE files SET state = ?, digest = '', code = '', reason = '' WHERE id = ? AND root <> ''`, library.Removed, name)
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM files WHERE id = ? AND root = ''`, name)
		}
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE `+deletable[table]+` = ?`, name)
	return err
}

// takeOutOf takes elements out of a list that a backup gave.
func (g *gone) takeOutOf(ctx context.Context, tx *sqlite.Tx, key string) error {
	var value string
	if err := tx.QueryRowContext(ctx, `SELECT value FROM preferences WHERE key = ?`, key).Scan(&value); err != nil {
		return err
	}
	elements := elementsOf([]byte(value))
	kept := slices.DeleteFunc(slices.Clone(elements), func(e json.RawMessage) bool { return g.marks[deletedMark("preferences", elementName(key, e))] })
	if len(kept) == len(elements) {
		return nil
	}
	data, err := json.Marshal(kept)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE preferences SET value = ? WHERE key = ?`, string(data), key)
	}
	return err
}

// dropRootless takes out files that a backup gave of folders that were taken out.
func dropRootless(ctx context.Context, tx *sqlite.Tx, alive map[string]bool) error {
	ids, err := sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT id FROM files WHERE root <> '' AND root NOT IN (SELECT id FROM roots)`)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if alive[id] {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM files WHERE id = ?`, id); err != nil {
			return err
		}
	}
	return nil
}

// dropOrphans takes out the texts of pages that a backup brought and nothing kept
// refers to: those of deleted conversations are among them.
func (g *gone) dropOrphans(ctx context.Context, tx *sqlite.Tx) error {
	if len(g.marks) == 0 {
		return nil
	}
	type source struct{ id, digest string }
	scan := func(rows *sql.Rows) (s source, err error) { return s, rows.Scan(&s.id, &s.digest) }
	unheld, err := sqlite.Collect(ctx, tx, scan, `SELECT id, digest FROM sources WHERE kind <> 'file' AND id NOT IN (SELECT source FROM held)`)
	if err != nil {
		return err
	}
	for _, s := range unheld {
		if g.sources[s.id] {
			continue
		}
		if err := eraseSnapshots(ctx, tx, []string{s.digest}); err != nil {
			return err
		}
	}
	return nil
}
