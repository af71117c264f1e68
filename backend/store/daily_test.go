package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/notebook"
	words "footnote/backend/plain"
	"footnote/backend/records"
	"footnote/backend/refresh"
	"footnote/backend/store/sqlite"
	"footnote/backend/table"
)

// backedUp furnishes a directory and writes its daily backup.
func backedUp(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	furnish(t, dir)
	db := opened(t, dir)
	must(t, db.BackUpDaily(t.Context(), 7))
	must(t, db.Close())
	return dir
}

func TestWhatADamagedDatabaseLostComesFromTheNewestWholeBackup(t *testing.T) {
	for name, harm := range map[string]func(data []byte) []byte{
		"header":          func(data []byte) []byte { clear(data[:100]); return data },
		"page":            func(data []byte) []byte { clear(data[len(data)/2 : len(data)/2+8192]); return data },
		"whole file":      func(data []byte) []byte { clear(data); return data },
		"nothing of it":   func([]byte) []byte { return nil },
		"first half":      func(data []byte) []byte { clear(data[:len(data)/2]); return data },
		"end of the tree": func(data []byte) []byte { return data[:len(data)/2] },
	} {
		t.Run(name, func(t *testing.T) {
			dir := backedUp(t)
			newest := filepath.Join(dir, backupsDir, dayMark+"29991231.db") // the newest of all is damaged as well
			must(t, os.WriteFile(newest, bytes.Repeat([]byte("x"), 9000), 0o600))
			path := filepath.Join(dir, fileName)
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, harm(data), 0o600))
			must(t, os.WriteFile(path+"-wal", []byte("gone"), 0o600))
			must(t, touch(filepath.Join(dir, openName)))
			db := openIn(t, dir)
			threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
			must(t, err)
			if len(threads) != 20 {
				t.Errorf("%d of 20 conversations: %s", len(threads), db.Mended())
			}
			for i := range 40 {
				if run, err := db.Run(t.Context(), contract.RunID(fmt.Sprint("run_", i))); err != nil || run.Status != contract.Finished {
					t.Errorf("run %d: %v %v", i, run.Status, err)
				}
			}
			if n := wholeFiles(t, db); n != 40 {
				t.Errorf("%d of 40 files", n)
			}
			tellsTrue(t, db)
		})
	}
}

// tellsTrue holds what people are told of a mended database against what is there.
func tellsTrue(t *testing.T, db *DB) {
	t.Helper()
	count := func(states ...library.State) int {
		files, _, err := db.Files(t.Context(), library.FileQuery{States: states, Limit: 100})
		must(t, err)
		return len(files)
	}
	want := words.Plural(count(library.Ready, library.Partial), "file with its text", "files with their text") + "."
	if n := count(library.Waiting); n > 0 {
		want += " The text of " + words.Plural(n, "more file", "more files") + " was lost"
	}
	if !strings.Contains(db.Mended(), want) {
		t.Errorf("people are told %q, want %q", db.Mended(), want)
	}
}

func TestADatabaseThatLostItsHeaderLosesNothingElse(t *testing.T) {
	dir := backedUp(t)
	db := opened(t, dir)
	begin(t, db, newRun("run_late", "thr_late", "asked after the backup"))
	must(t, db.Close())
	path := filepath.Join(dir, fileName)
	data, err := os.ReadFile(path)
	must(t, err)
	clear(data[:100])
	must(t, os.WriteFile(path, data, 0o600))
	db = openIn(t, dir)
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	must(t, err)
	if len(threads) != 21 || wholeFiles(t, db) != 40 || strings.Contains(db.Mended(), "of the backup") {
		t.Errorf("%d of 21 conversations, %d of 40 files, told %q", len(threads), wholeFiles(t, db), db.Mended())
	}
}

func TestWhatWasDeletedDoesNotComeBackFromABackup(t *testing.T) {
	dir := backedUp(t)
	db := opened(t, dir)
	must(t, db.DeleteThread(t.Context(), "thr_3", false))
	must(t, db.Close())
	lost, err := sqlite.Connect(filepath.Join(dir, fileName), "", 1)
	must(t, err)
	_, err = lost.Exec(`DROP TABLE collections`)
	must(t, err)
	must(t, lost.Close())
	db = &DB{dir: dir, log: quiet(), now: clock()}
	must(t, db.mend(t.Context()))
	must(t, db.open(t.Context()))
	defer db.closePools()
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	must(t, err)
	if len(threads) != 19 || slices.ContainsFunc(threads, func(s records.ThreadInfo) bool { return s.ID == "thr_3" }) {
		t.Errorf("%d conversations", len(threads))
	}
}

// lose takes the database away, and its log with it.
func lose(t *testing.T, dir string, harm func(path string) error) {
	t.Helper()
	must(t, harm(filepath.Join(dir, fileName)))
	must(t, removeAll(filepath.Join(dir, fileName+"-wal"), filepath.Join(dir, fileName+"-shm")))
}

func TestWhatWasDeletedStaysSoWhenTheDatabaseIsLost(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"gone":   os.Remove,
		"zeroed": func(path string) error { return os.WriteFile(path, make([]byte, 1<<16), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := backedUp(t)
			db := opened(t, dir)
			must(t, db.DeleteThread(t.Context(), "thr_3", false))
			must(t, db.BackUpDaily(t.Context(), 7)) // what a backup still has is not forgotten
			must(t, db.Close())
			lose(t, dir, harm)
			db = openIn(t, dir)
			threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
			must(t, err)
			if len(threads) != 19 || slices.ContainsFunc(threads, func(s records.ThreadInfo) bool { return s.ID == "thr_3" }) {
				t.Errorf("%d of 19 conversations: %s", len(threads), db.Mended())
			}
		})
	}
}

// answered stores an answer that rests on a page of its own.
func answered(t *testing.T, db *DB, n string) {
	t.Helper()
	src := evidence.Source{ID: evidence.SourceID("src_" + n), Kind: evidence.Web, Address: "https://example.org/" + n, Digest: evidence.Digest([]byte(n)), Seen: start}
	must(t, db.Keep(t.Context(), answer.Kept{Document: evidence.Document{Source: src, Text: "What was read for " + n}}))
	run := finish(begin(t, db, newRun(contract.RunID("run_"+n), contract.ThreadID("thr_"+n), "why?")), "Because.")
	run.Answer.Sources = []contract.SourceCard{{ID: src.ID}}
	must(t, db.End(t.Context(), run))
}

// Of every kind "stays" must come back from the backup and "goes" must not.
func TestNothingThatWasDeletedComesBackFromABackup(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	db := opened(t, dir)
	for _, n := range []string{"stays", "goes"} {
		answered(t, db, n)
		must(t, db.PutRoot(ctx, library.Root{ID: "root_" + n, Path: "/" + n, Folder: true, Reachable: true}))
		must(t, db.PutCollection(ctx, library.Collection{ID: "col_" + n, Name: n}))
		must(t, db.PutNote(ctx, notebook.Note{ID: "note_" + n, Collection: "col_stays", Text: "x"}))
		must(t, db.PutTable(ctx, table.Kept{ID: "table_" + n}))
		begin(t, db, newRun(contract.RunID("run_later_"+n), "thr_kept", "and then?"))
		must(t, db.PutSubscription(ctx, refresh.Subscription{Run: contract.RunID("run_" + n), Thread: contract.ThreadID("thr_" + n)}))
		must(t, db.Consent(ctx, n, true))
		must(t, db.PutFiles(ctx, []library.File{
			{ID: "file_" + n, Path: "/stays/" + n, Root: "root_stays", Listed: true, State: library.Waiting},
			{ID: "file_alone_" + n, Path: "/alone/" + n, State: library.Waiting}, {ID: "file_in_" + n, Path: "/" + n + "/in", Root: "root_" + n, Listed: true, State: library.Waiting},
		}))
	}
	loud, err := db.AddPersona(ctx, records.Persona{Name: "goes", Text: "Shout."})
	must(t, err)
	must(t, db.PutSubscription(ctx, refresh.Subscription{Run: "run_later_stays", Thread: "thr_kept"}))
	must(t, db.BackUpDaily(ctx, 7))
	must(t, errors.Join(db.DropSubscription(ctx, "run_later_stays"), db.DropFrom(ctx, "thr_kept", "run_later_goes"), db.DeleteThread(ctx, "thr_goes", true),
		db.DropRoot(ctx, "root_goes"), db.DropNote(ctx, "note_goes"), db.DropCollection(ctx, "col_goes"), db.DropTable(ctx, "table_goes"),
		db.Consent(ctx, "goes", false), db.DropPersona(ctx, loud.ID), db.DropFiles(ctx, []string{"file_alone_goes", "file_in_goes"}),
		db.PutFiles(ctx, []library.File{{ID: "file_goes", Path: "/stays/goes", Root: "root_stays", Listed: true, State: library.Removed}})))
	must(t, db.Close())
	lose(t, dir, os.Remove)
	db = openIn(t, dir)
	for table, want := range map[string]string{
		"threads": "thr_kept thr_stays", "runs": "run_later_stays run_stays", "roots": "root_stays", "collections": "col_stays", "notes": "note_stays",
		"tables": "table_stays", "standing": "run_stays", "sources": "src_stays",
		"files": "file_alone_stays file_goes file_in_stays file_stays",
	} {
		column := cmp.Or(deletable[table], "id")
		names, err := sqlite.Collect(ctx, db.r, sqlite.ScanString[string], `SELECT `+column+` FROM `+table+` ORDER BY 1`)
		must(t, err)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", table, got, want)
		}
	}
	files, _, err := db.Files(ctx, library.FileQuery{IDs: []string{"file_goes", "file_stays"}, Hidden: true})
	must(t, err)
	if len(files) != 2 || files[0].State != library.Waiting || files[1].State != library.Removed {
		t.Errorf("files: %+v", files)
	}
	consents, err := db.Consents(ctx)
	must(t, err)
	personas, err := db.Personas(ctx)
	must(t, err)
	if !slices.Equal(consents, []string{"stays"}) || len(personas) > 0 {
		t.Errorf("consents %q, personas %v", consents, personas)
	}
	if texts, err := sqlite.Collect(ctx, db.r, sqlite.ScanString[string], `SELECT digest FROM texts`); err != nil || len(texts) != 1 {
		t.Errorf("texts: %q %v", texts, err)
	}
}

func TestWhatIsMadeAnewAfterItWasDeletedIsThere(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	db := opened(t, dir)
	db.now = func() time.Time { return now }
	root := library.Root{ID: "root_1", Path: "/papers"}
	must(t, db.PutRoot(t.Context(), root))
	must(t, db.BackUpDaily(t.Context(), 7))
	must(t, db.DropRoot(t.Context(), root.ID))
	must(t, db.PutRoot(t.Context(), root))
	now = now.AddDate(0, 0, 1)
	must(t, db.BackUpDaily(t.Context(), 7))
	must(t, db.Close())
	lose(t, dir, os.Remove)
	db = openIn(t, dir)
	if roots, err := db.Roots(t.Context()); err != nil || len(roots) != 1 {
		t.Errorf("%v %v", roots, err)
	}
}

func TestWhatNoBackupHasAnyMoreIsForgotten(t *testing.T) {
	dir := backedUp(t)
	db := opened(t, dir)
	defer db.Close()
	must(t, db.DeleteThread(t.Context(), "thr_3", false))
	if had, err := deletedIn(dir, ""); err != nil || !had.marks[deletedMark("threads", "thr_3")] {
		t.Fatalf("%v %v", had, err)
	}
	must(t, db.BackUpDaily(t.Context(), 0))
	if had, err := deletedIn(dir, ""); err != nil || len(had.marks) > 0 {
		t.Errorf("%v %v", had, err)
	}
}

func TestABackupIsWrittenOncePerDayAndTheOldOnesGo(t *testing.T) {
	day := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), func() time.Time { return day })
	must(t, err)
	defer db.Close()
	backups := filepath.Join(dir, backupsDir)
	must(t, os.MkdirAll(backups, 0o700))
	for _, name := range []string{"footnote-v9-20250101T000000.db", "footnote-v10-20250601T000000.db", "footnote-v2-20240101T000000.db", "footnote-v3-20240301T000000.db", "mine.db"} {
		must(t, os.WriteFile(filepath.Join(backups, name), nil, 0o600))
	}
	for range 5 {
		must(t, db.BackUpDaily(t.Context(), 3))
		must(t, db.BackUpDaily(t.Context(), 3))
		day = day.AddDate(0, 0, 1)
	}
	names := func() (names []string) {
		entries, err := os.ReadDir(backups)
		must(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	want := []string{"footnote-day-20260503.db", "footnote-day-20260504.db", "footnote-day-20260505.db", "footnote-v10-20250601T000000.db", "footnote-v3-20240301T000000.db", "footnote-v9-20250101T000000.db", "mine.db"}
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("kept %q", got)
	}
	must(t, db.BackUpDaily(t.Context(), 0))
	if got := names(); !slices.Equal(got, want[3:]) {
		t.Errorf("with no days %q", got)
	}
}

func TestADailyBackupIsSmallAndCanBeRestored(t *testing.T) {
	dir := t.TempDir()
	db := opened(t, dir)
	for i := range 60 {
		doc, passages := document(evidence.File, fmt.Sprint("/docs/", i, ".txt"), fmt.Sprint("first of ", i), string(noise(i)), "last")
		must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf(fmt.Sprint("/docs/", i, ".txt"), doc), Document: &doc, Passages: passages}}))
	}
	begin(t, db, newRun("run_1", "thr_1", "kept question"))
	must(t, db.BackUpDaily(t.Context(), 1))
	must(t, db.Close())
	file := dailies(filepath.Join(dir, backupsDir))[0]
	if small, large := sizeOf(file), sizeOf(filepath.Join(dir, fileName)); small*2 > large {
		t.Errorf("the backup has %d bytes, the database %d", small, large)
	}
	other := t.TempDir()
	_, err := Restore(t.Context(), other, file, clock())
	must(t, err)
	back := openIn(t, other)
	if _, err := back.Run(t.Context(), "run_1"); err != nil {
		t.Error(err)
	}
	files, _, err := back.Files(t.Context(), library.FileQuery{Limit: 100})
	must(t, err)
	if len(files) != 60 || files[0].State != library.Waiting {
		t.Errorf("%d files, the first %v: they are to be read again", len(files), files[0].State)
	}
}

func TestABackupThatIsGivenUpLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	furnish(t, dir)
	db := openIn(t, dir)
	for wait := time.Duration(0); ; wait += 500 * time.Microsecond { // at any moment, until it is in time
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		err := db.BackUpDaily(ctx, 3)
		cancel()
		left, none := os.ReadDir(filepath.Join(dir, backupsDir))
		must(t, none)
		if err == nil {
			if len(left) != 1 || db.DailyDue() {
				t.Errorf("there are %v", left)
			}
			return
		}
		if len(left) != 0 || !db.DailyDue() {
			t.Fatalf("after %v there are %v: %v", wait, left, err)
		}
	}
}

// noise is text that packs badly.
func noise(seed int) (text []byte) {
	rnd := rand.New(rand.NewPCG(uint64(seed), 1))
	for range 20_000 {
		text = append(text, 'a'+byte(rnd.IntN(26)))
	}
	return text
}

// opened is a database that the test closes itself.
func opened(t *testing.T, dir string) *DB {
	t.Helper()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	return db
}

func TestWhatIsDeletedIsOverwrittenWhereThatIsWanted(t *testing.T) {
	const secret, replaced = "Quenneborough", "Vornmouth"
	left := func(on bool) (found []string) {
		dir := t.TempDir()
		db := opened(t, dir)
		db.SecureDelete(func() bool { return on })
		for i := range 20 {
			begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i)), fmt.Sprint("question ", i)))
		}
		begin(t, db, newRun("run_s", "thr_s", "What of "+secret+"?"))
		begin(t, db, newRun("run_r", "thr_1", "And of "+replaced+"?"))
		must(t, db.BackUpDaily(t.Context(), 7))
		must(t, os.WriteFile(filepath.Join(dir, "backups", "footnote-v1-20250101T000000.db"), []byte(secret), 0o600))
		for _, folder := range []string{"damaged-20250101T000000.000", "before-restore-20250101T000000.000"} {
			aside := filepath.Join(dir, backupsDir, folder)
			must(t, os.MkdirAll(filepath.Join(aside, indexName), 0o700))
			for _, name := range []string{fileName, fileName + "-wal", filepath.Join(indexName, "words")} {
				must(t, os.WriteFile(filepath.Join(aside, name), []byte(secret), 0o600))
			}
		}
		must(t, db.DeleteThread(t.Context(), "thr_s", true))
		must(t, db.BackUpDaily(t.Context(), 7))
		must(t, db.DropFrom(t.Context(), "thr_1", "run_r"))
		must(t, db.Close())
		must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, word := range []string{secret, replaced} {
				if bytes.Contains(data, []byte(word)) {
					found = append(found, word+" in "+filepath.Base(path))
				}
			}
			return err
		}))
		return found
	}
	if found := left(true); len(found) > 0 {
		t.Errorf("it stands in %q", found)
	}
	if found := left(false); len(found) == 0 {
		t.Error("without the setting nothing is found either: this test sees nothing")
	}
}

func TestWhatCannotBeDeletedCostsNoBackup(t *testing.T) {
	dir := t.TempDir()
	db := opened(t, dir)
	db.SecureDelete(func() bool { return true })
	begin(t, db, newRun("run_1", "thr_1", "why?"))
	must(t, db.BackUpDaily(t.Context(), 7))
	for what, err := range map[string]error{
		"a run": db.DropFrom(t.Context(), "thr_1", "run_none"), "a thread": db.DeleteThread(t.Context(), "thr_none", true),
	} {
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s that is not there: %v", what, err)
		}
	}
	if n := len(dailies(filepath.Join(dir, "backups"))); n != 1 {
		t.Errorf("%d daily backups are left", n)
	}
}
