package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
)

// written makes a data directory with a file, a run, settings and an upload, and
// a backup of it.
func written(t *testing.T) (dir, backup string) {
	t.Helper()
	dir, backup = t.TempDir(), filepath.Join(t.TempDir(), "kept.db")
	must(t, os.MkdirAll(filepath.Join(dir, "uploads", "a"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[library]"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "uploads", "a", "notes.txt"), []byte("uploaded"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "token"), []byte("SECRET"), 0o600))
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	doc, passages := document(evidence.File, "/docs/a.txt", "kept words")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	begin(t, db, newRun("run_1", "thr_1", "kept question"))
	must(t, db.Backup(t.Context(), backup))
	must(t, db.Close())
	return dir, backup
}

func TestABackupPutsEverythingBackAndKeepsWhatWasThere(t *testing.T) {
	_, backup := written(t)
	dir := t.TempDir()
	aside, err := Restore(t.Context(), dir, backup, clock())
	must(t, err)
	if aside != "" {
		t.Errorf("nothing was there, and %s is kept", aside)
	}
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	if _, err := db.Run(t.Context(), "run_1"); err != nil {
		t.Error(err)
	}
	if due, err := db.Unindexed(t.Context(), 10); err != nil || len(due) != 1 || due[0].Passage.Text != "kept words" {
		t.Errorf("%v %v", due, err)
	}
	begin(t, db, newRun("run_2", "thr_2", "asked later"))
	_, err = Restore(t.Context(), dir, backup, clock())
	wantFault(t, err, fault.DataLocked)
	must(t, db.Close())
	for name, want := range map[string]string{"config.toml": "[library]", "uploads/a/notes.txt": "uploaded"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if exists(filepath.Join(dir, "token")) {
		t.Error("the backup carried a secret")
	}
	must(t, os.MkdirAll(filepath.Join(dir, indexName), 0o700))
	aside, err = Restore(t.Context(), dir, backup, clock())
	must(t, err)
	if exists(filepath.Join(dir, indexName)) {
		t.Error("the old index is still there")
	}
	_, err = openIn(t, dir).Run(t.Context(), "run_2")
	wantFault(t, err, fault.NotFound)
	if _, err := openIn(t, aside).Run(t.Context(), "run_2"); err != nil {
		t.Errorf("what was there before: %v", err)
	}
}

func TestABadBackupChangesNothing(t *testing.T) {
	dir, backup := written(t)
	alter := func(query string) string {
		t.Helper()
		data, err := os.ReadFile(backup)
		must(t, err)
		path := filepath.Join(t.TempDir(), "bad.db")
		must(t, os.WriteFile(path, data, 0o600))
		db, err := sql.Open("sqlite", path)
		must(t, err)
		_, err = db.Exec(query)
		must(t, err)
		must(t, db.Close())
		return path
	}
	cut := filepath.Join(t.TempDir(), "cut.db")
	data, err := os.ReadFile(backup)
	must(t, err)
	must(t, os.WriteFile(cut, data[:len(data)/2], 0o600))
	for name, c := range map[string]struct {
		file string
		want fault.Code
	}{
		"missing":  {filepath.Join(dir, "nowhere.db"), fault.NotFound},
		"a folder": {t.TempDir(), fault.DataDamaged},
		"cut":      {cut, fault.DataDamaged},
		"foreign":  {filepath.Join(dir, "config.toml"), fault.DataDamaged},
		"stranger": {alter(`DROP TABLE threads`), fault.DataDamaged},
		"newer":    {alter(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`), fault.DataLocked},
		"outside":  {alter(`INSERT INTO carried VALUES ('uploads/../../away.txt', x'00')`), fault.DataDamaged},
		"trigger":  {alter(`CREATE TRIGGER evil AFTER INSERT ON threads BEGIN DELETE FROM runs; END`), fault.DataDamaged},
		"disguise": {alter(`PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('table', 'evil', 'threads', 0, 'CREATE TRIGGER evil AFTER INSERT ON threads BEGIN DELETE FROM runs; END')`), fault.DataDamaged},
		"virtual":  {alter(`CREATE VIRTUAL TABLE evil USING fts5(body)`), fault.DataDamaged},
		"view":     {alter(`DROP VIEW held; CREATE VIEW held AS SELECT id AS source FROM sources WHERE 0`), fault.DataDamaged},
		"no table": {alter(`ALTER TABLE threads RENAME TO were; CREATE VIEW threads AS SELECT * FROM were`), fault.DataDamaged},
		"token":    {alter(`INSERT INTO carried VALUES ('token', x'00')`), fault.DataDamaged},
	} {
		if _, err := Restore(t.Context(), dir, c.file, clock()); fault.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, fileName+".restore*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := openIn(t, dir).Run(t.Context(), "run_1"); err != nil {
		t.Error(err)
	}
}
