package store

import (
	"path/filepath"
	"testing"

	"footnote/backend/store/sqlite"
)

// FuzzSchemaOfABackup puts a row into the schema of a database, as a stranger's file
// may have any. One that is let in does nothing by itself.
func FuzzSchemaOfABackup(f *testing.F) {
	for _, seed := range [][2]string{
		{"trigger", "CREATE TRIGGER x AFTER INSERT ON threads BEGIN DELETE FROM runs; END"},
		{"table", "CREATE TRIGGER x AFTER DELETE ON threads BEGIN DELETE FROM runs; END"},
		{"table", "create /* */ trigger x AFTER UPDATE ON threads BEGIN DELETE FROM runs; END"},
		{"view", "CREATE VIEW held AS SELECT source FROM runs"},
		{"table", "CREATE TABLE x (thread REFERENCES threads ON DELETE CASCADE)"},
		{"index", "CREATE UNIQUE INDEX x ON runs (id)"},
		{"table", "CREATE VIRTUAL TABLE x USING fts5(body)"},
		{"table", "CREATE TABLE IF NOT EXISTS x AS SELECT 1; CREATE TRIGGER y AFTER INSERT ON threads BEGIN DELETE FROM runs; END"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, kind, row string) {
		path := filepath.Join(t.TempDir(), "backup.db")
		db, err := sqlite.Connect(path, "", 1)
		must(t, err)
		_, err = db.ExecContext(t.Context(), `CREATE TABLE threads (id); CREATE TABLE runs (id, source); INSERT INTO runs VALUES (1, 1); PRAGMA writable_schema = ON`)
		must(t, err)
		_, err = db.ExecContext(t.Context(), `INSERT INTO sqlite_master VALUES (?, 'x', 'threads', 0, ?)`, kind, row)
		must(t, err)
		must(t, db.Close())
		db, err = sqlite.Connect(path, "&_pragma=foreign_keys(1)", 1)
		must(t, err)
		defer db.Close()
		if err := onlyOurs(t.Context(), db); err != nil {
			return
		}
		for _, act := range []string{`INSERT INTO threads VALUES (1)`, `UPDATE threads SET id = 2`, `DELETE FROM threads`} {
			if _, err := db.ExecContext(t.Context(), act); err != nil {
				return // SQLite refuses the schema by itself
			}
		}
		var left int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM runs`).Scan(&left); err == nil && left != 1 {
			t.Fatalf("%q of %q acts: %d runs", row, kind, left)
		}
	})
}
