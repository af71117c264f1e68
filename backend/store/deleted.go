package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/store/sqlite"
)

// deletedName is the file that tells what was deleted since the oldest daily
// backup. It stands outside the database: a mended one must not bring that back.
const deletedName = "footnote.deleted"

// deletions are the lines of that file: day, table, and the digest of an id. The
// digest is not to be turned back, as ids are drawn by chance.
type deletions struct{ mu sync.Mutex }

// deletable are the tables of which rows are told, what is referred to first.
var deletable = []string{"threads", "runs", "collections", "notes", "tables"}

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
	data, err := os.ReadFile(path)
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
	sources []string // that the damaged database still had
}

// deletedIn reads the file of a folder; nothing where there is none.
func deletedIn(dir string) (gone, error) {
	data, err := os.ReadFile(filepath.Join(dir, deletedName))
	if errors.Is(err, fs.ErrNotExist) {
		return gone{}, nil
	}
	marks := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if _, mark, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			marks[mark] = true
		}
	}
	if err != nil {
		err = fmt.Errorf("read what was deleted: %w", err)
	}
	return gone{marks: marks}, err
}

// noteDeleted notes rows of a table in the transaction that deletes them: before
// it ends, so that a crash between the two keeps nothing that was to go.
func (d *DB) noteDeleted(table string, ids ...string) error {
	return d.shredding.deleted.note(d.dir, d.now().UTC().Format("20060102"), table, ids...)
}

// forgetDeleted keeps of what was deleted what a daily backup may still have.
func (d *DB) forgetDeleted() error {
	oldest := ""
	if files := dailies(filepath.Join(d.dir, backupsDir)); len(files) > 0 {
		oldest = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(files[len(files)-1]), dayMark), ".db")
	}
	return d.shredding.deleted.forget(d.dir, oldest)
}

func idsOf(ctx context.Context, tx *sqlite.Tx, table string) ([]string, error) {
	return sqlite.Collect(ctx, tx, sqlite.ScanString[string], `SELECT id FROM `+table)
}

// fillUp adds what a backup has of a table, but for what was deleted since. What
// the damaged database still had is no such row: it came back some other way.
func (d *DB) fillUp(ctx context.Context, tx *sqlite.Tx, backup *sql.DB, table string, without *gone) error {
	var alive []string
	told := len(without.marks) > 0 && (table == "sources" || slices.Contains(deletable, table))
	if told {
		var err error
		if alive, err = idsOf(ctx, tx, table); err != nil {
			return err
		}
	}
	if _, err := d.salvageTable(ctx, tx, backup, table); err != nil || !told {
		return err
	}
	if table == "sources" {
		without.sources = alive
		return nil
	}
	ids, err := idsOf(ctx, tx, table)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !without.marks[deletedMark(table, id)] || slices.Contains(alive, id) {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE id = ?`, id); err != nil {
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
		if slices.Contains(g.sources, s.id) {
			continue
		}
		if err := eraseSnapshots(ctx, tx, []string{s.digest}); err != nil {
			return err
		}
	}
	return nil
}
