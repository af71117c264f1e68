package store

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/librarytest"
)

var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// clock gives times a second apart.
func clock() func() time.Time {
	t := start
	return func() time.Time { t = t.Add(time.Second); return t }
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func openIn(t testing.TB, dir string) *DB {
	t.Helper()
	db, err := Open(t.Context(), dir, quiet(), clock())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

func open(t testing.TB) *DB { return openIn(t, t.TempDir()) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantFault(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Fatalf("fault %q (%v), want %q", got, err, code)
	}
}

func newRun(id contract.RunID, thread contract.ThreadID, text string) contract.Run {
	return contract.Run{ID: id, Thread: thread, Status: contract.Running, Started: start, Question: contract.Question{Text: text, Thread: thread, Mode: contract.ModeBalanced}}
}

func finish(run contract.Run, text string) contract.Run {
	at := start.Add(time.Minute)
	run.Status, run.Ended = contract.Finished, &at
	run.Answer = &contract.Answer{Question: run.Question.Text, Answer: text, Outcome: contract.Answered, Run: run.ID, Thread: run.Thread}
	return run
}

func begin(t testing.TB, db *DB, run contract.Run) contract.Run {
	t.Helper()
	must(t, db.Begin(t.Context(), run, ""))
	return run
}

func event(run contract.RunID, seq int, body contract.Body) contract.Event {
	return contract.Event{Run: run, Seq: seq, At: start, Kind: body.Kind(), Body: body}
}

func journaled(t testing.TB, db *DB, run contract.RunID, bodies ...contract.Body) {
	t.Helper()
	for i, b := range bodies {
		must(t, db.Append(t.Context(), event(run, i+1, b)))
	}
}

// document makes a text of n passages, one a line.
func document(kind evidence.Kind, address string, lines ...string) (evidence.Document, []evidence.Passage) {
	doc, passages := librarytest.Document(address, lines...)
	doc.Source.ID, doc.Source.Kind, doc.Source.Seen = evidence.NewSourceID(kind, address, doc.Source.Digest), kind, start
	return doc, passages
}

func fileOf(path string, doc evidence.Document) library.File {
	f := librarytest.FileOf(path, doc)
	f.Indexed = start
	return f
}

func TestASecondOpenerIsTurnedAwayUntilTheFirstCloses(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	_, err = Open(t.Context(), dir, quiet(), clock())
	wantFault(t, err, fault.DataLocked)
	must(t, db.Close())
	openIn(t, dir)
}

func TestTheDataDirectoryIsForItsOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755))
	openIn(t, dir)
	info, err := os.Stat(dir)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, want 0700", info.Mode().Perm())
	}
	info, err = os.Stat(dir + "/footnote.db")
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("database mode %v, want 0600", info.Mode().Perm())
	}
}

func TestPathsWithOddCharactersOpen(t *testing.T) {
	for _, name := range []string{"a b", "per%20cent", "hash#mark", "what?", "ümläut"} {
		db, err := Open(t.Context(), t.TempDir()+"/"+name, quiet(), clock())
		must(t, err)
		if _, err := os.Stat(db.Dir() + "/footnote.db"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		must(t, db.Close())
	}
}

func TestSQLiteIsNewEnoughAndSafelySet(t *testing.T) {
	db := open(t)
	for query, want := range map[string]string{
		`SELECT sqlite_version() >= '3.51.3'`: "1", `PRAGMA journal_mode`: "wal", `PRAGMA page_size`: "8192", `PRAGMA synchronous`: "2",
		`PRAGMA foreign_keys`: "1", `PRAGMA busy_timeout`: "10000", `PRAGMA mmap_size`: "0",
	} {
		var got string
		must(t, db.w.QueryRow(query).Scan(&got))
		if got != want {
			t.Errorf("%s = %s, want %s", query, got, want)
		}
	}
	if _, err := db.r.Exec(`DELETE FROM threads`); err == nil {
		t.Error("a reader connection wrote")
	}
}

func TestACleanEndIsToldFromACrash(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	if db.Unclean() {
		t.Error("a new directory counts as crashed")
	}
	must(t, db.Close())
	db, err = Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	if db.Unclean() {
		t.Error("a closed database counts as crashed")
	}
	must(t, db.release()) // ends without the note of Close
	if !openIn(t, dir).Unclean() {
		t.Error("a crash was not noticed")
	}
}

func TestAFullDiskIsAStateWithAMessage(t *testing.T) {
	db := open(t)
	must(t, db.SetPreference(t.Context(), "a", 1))
	_, err := db.w.Exec(`PRAGMA max_page_count = 1`) // the smallest SQLite takes: the pages in use
	must(t, err)
	err = db.SetPreference(t.Context(), "b", strings.Repeat("x", 100_000))
	wantFault(t, err, fault.DiskFull)
	_, err = db.w.Exec(`PRAGMA max_page_count = 1000000`)
	must(t, err)
	must(t, db.SetPreference(t.Context(), "b", strings.Repeat("x", 100_000)))
}

func TestAReadOnlyFolderIsAStateWithAMessage(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser writes everywhere")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	_, err := Open(t.Context(), dir+"/data", quiet(), clock())
	wantFault(t, err, fault.DiskFull)
}

func TestPreferencesAreKept(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	must(t, db.SetPreference(t.Context(), "role.chat", map[string]string{"model": "a/b"}))
	must(t, db.Close())
	db = openIn(t, dir)
	var got map[string]string
	ok, err := db.Preference(t.Context(), "role.chat", &got)
	must(t, err)
	if !ok || got["model"] != "a/b" {
		t.Errorf("got %v %v", ok, got)
	}
	must(t, db.SetPreference(t.Context(), "role.chat", nil))
	if ok, err = db.Preference(t.Context(), "role.chat", &got); ok || err != nil {
		t.Errorf("removed preference: %v %v", ok, err)
	}
}

func TestACancelledCallerGetsItsOwnError(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.SetPreference(ctx, "a", 1); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
