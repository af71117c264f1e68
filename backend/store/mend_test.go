package store

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/records"
	"footnote/backend/store/quantize"
	"footnote/backend/store/sqlite"
)

// furnish fills a data directory with files, one of them of several parts, and
// runs, and leaves it as a killed process does.
func furnish(t *testing.T, dir string) {
	t.Helper()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	for i := range 40 {
		path := fmt.Sprintf("/docs/%d.txt", i)
		lines := []string{fmt.Sprint("first of ", i), strings.Repeat(fmt.Sprintf("word%d ", i*i), 40+20*i), "last"}
		doc, passages := document(evidence.File, path, lines...)
		must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf(path, doc), Document: &doc, Passages: passages}}))
		run := newRun(contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i/2)), strings.Repeat("long question ", 50))
		begin(t, db, run)
		must(t, db.End(t.Context(), finish(run, "the answer")))
	}
	must(t, db.release())
}

// wholeFiles checks that what is said to be read can be read, and that all else
// waits to be. It gives the number of files that are there.
func wholeFiles(t *testing.T, db *DB) int {
	t.Helper()
	files, _, err := db.Files(t.Context(), library.FileQuery{Limit: 1000})
	must(t, err)
	for _, f := range files {
		if f.State == library.Waiting {
			continue
		}
		text, _, err := db.Text(t.Context(), f.Digest)
		if err != nil && fault.CodeOf(err) == fault.DataDamaged {
			sentBack(t, db, f)
		} else if err != nil || evidence.Digest([]byte(text)) != f.Digest {
			t.Errorf("%s is %s, and its text is not whole: %v", f.Path, f.State, err)
		}
	}
	due, err := db.Unindexed(t.Context(), 10_000)
	must(t, err)
	for _, p := range due {
		if p.Passage.Text == "" || p.Path == "" {
			t.Errorf("passage %s has no words or no file", p.Passage.ID)
		}
	}
	return len(files)
}

// sentBack fails unless a file whose text is damaged waits to be read again.
func sentBack(t *testing.T, db *DB, damaged library.File) {
	t.Helper()
	files, _, err := db.Files(t.Context(), library.FileQuery{Limit: 1000})
	must(t, err)
	for _, f := range files {
		if f.Digest == damaged.Digest && f.State != library.Waiting {
			t.Errorf("the text of %s is damaged, and it is %s", f.Path, f.State)
		}
	}
}

func TestADamagedDatabaseIsMendedAtTheStart(t *testing.T) {
	dir := t.TempDir()
	furnish(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, fileName))
	must(t, err)
	copy(data[len(data)*3/5:], strings.Repeat("garbage ", 3*4096/8)) // some pages of many, none of the schema
	must(t, os.WriteFile(filepath.Join(dir, fileName), data, 0o600))
	must(t, os.MkdirAll(filepath.Join(dir, indexName), 0o700))
	db := openIn(t, dir)
	if !strings.Contains(db.Mended(), "was damaged") {
		t.Fatalf("nobody is told: %q", db.Mended())
	}
	if n := wholeFiles(t, db); n == 0 {
		t.Error("no file was saved")
	}
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	must(t, err)
	if len(threads) == 0 {
		t.Error("no conversation was saved")
	}
	if exists(filepath.Join(dir, indexName)) || exists(filepath.Join(dir, mendingDir)) {
		t.Error("the index of before or the draft is still there")
	}
	if kept, err := filepath.Glob(filepath.Join(dir, backupsDir, "damaged-*", fileName)); err != nil || len(kept) != 1 {
		t.Errorf("the damaged file was not kept: %v %v", kept, err)
	}
}

// A power cut may harm whatever was written last: whichever way, the start
// succeeds and nothing is half there.
func TestEveryStartAfterDamageSucceeds(t *testing.T) {
	origin := t.TempDir()
	furnish(t, origin)
	rnd := rand.New(rand.NewPCG(7, 8))
	harms := map[string]func(data []byte) []byte{
		"cut":  func(data []byte) []byte { return data[:rnd.IntN(len(data))] },
		"zero": func(data []byte) []byte { clear(data[max(0, len(data)-4096):]); return data },
		"flip": func(data []byte) []byte { data[rnd.IntN(len(data))] ^= 0x55; return data },
		"burn": func(data []byte) []byte { clear(data[:min(len(data), 100)]); return data }, // the header
	}
	for _, name := range []string{fileName, fileName + "-wal", fileName + "-shm"} {
		for how, harm := range harms {
			for round := range 4 {
				dir := filepath.Join(t.TempDir(), "data")
				must(t, os.CopyFS(dir, os.DirFS(origin)))
				must(t, touch(filepath.Join(dir, openName)))
				path := filepath.Join(dir, name)
				data, err := os.ReadFile(path)
				if os.IsNotExist(err) || len(data) == 0 {
					continue
				}
				must(t, err)
				must(t, os.WriteFile(path, harm(data), 0o600))
				db, err := Open(t.Context(), dir, quiet(), clock())
				if err != nil {
					t.Errorf("%s of %s, round %d: %v", how, name, round, err)
					continue
				}
				wholeFiles(t, db)
				must(t, db.SetPreference(t.Context(), "a", 1))
				must(t, db.Close())
			}
		}
	}
}

// Whichever table is harmed, after whichever end: what meets it is told so, and the
// next start mends it.
func TestDamageThatIsMetIsMendedByTheNextStart(t *testing.T) {
	origin := backedUp(t)
	met := 0
	for table, root := range rootPages(t, origin) {
		dir := filepath.Join(t.TempDir(), "data")
		must(t, os.CopyFS(dir, os.DirFS(origin)))
		burn(t, filepath.Join(dir, fileName), root)
		first := opened(t, dir)
		if err := lookEverywhere(t, first); fault.CodeOf(err) == fault.DataDamaged {
			met++
		}
		must(t, first.Close())
		next := opened(t, dir)
		if err := lookEverywhere(t, next); err != nil {
			t.Errorf("%s, told %q: %v", table, next.Mended(), err)
		}
		must(t, next.Close())
	}
	if met == 0 {
		t.Error("no damage was met")
	}
}

// rootPages gives where each table begins.
func rootPages(t *testing.T, dir string) map[string]int {
	t.Helper()
	db, err := sqlite.Connect(filepath.Join(dir, fileName), "", 1)
	must(t, err)
	defer db.Close()
	roots := map[string]int{}
	_, err = sqlite.Collect(t.Context(), db, func(rows *sql.Rows) (none struct{}, err error) {
		var table string
		var root int
		err = rows.Scan(&table, &root)
		roots[table] = root
		return none, err
	}, `SELECT name, rootpage FROM sqlite_master WHERE type = 'table'`)
	must(t, err)
	return roots
}

// burn makes noise of half a page, counted from 1.
func burn(t *testing.T, path string, page int) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	at := (page - 1) * 8192
	copy(data[at:at+4096], noise(page))
	must(t, os.WriteFile(path, data, 0o600))
}

func TestConversationsOfWhichOnlyTheQuestionsAreLeftAreListedByThem(t *testing.T) {
	dir := t.TempDir()
	furnish(t, dir)
	must(t, opened(t, dir).Close())
	burn(t, filepath.Join(dir, fileName), rootPages(t, dir)["threads"])
	must(t, touch(filepath.Join(dir, openName)))
	db := openIn(t, dir)
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	must(t, err)
	if len(threads) != 20 || !strings.HasPrefix(threads[0].Title, "long question") || !strings.Contains(db.Mended(), "20 conversations") {
		t.Errorf("%d of 20 conversations, told %q", len(threads), db.Mended())
	}
	if err := lookEverywhere(t, db); err != nil {
		t.Error(err)
	}
}

// lookEverywhere reads conversations, runs and files.
func lookEverywhere(t *testing.T, db *DB) error {
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	if err == nil && len(threads) != 20 {
		err = fmt.Errorf("%d of 20 conversations", len(threads))
	}
	for _, thread := range threads {
		_, none := db.Thread(t.Context(), thread.ID)
		err = errors.Join(err, none)
	}
	for i := range 40 {
		_, none := db.Run(t.Context(), contract.RunID(fmt.Sprint("run_", i)))
		err = errors.Join(err, none)
	}
	_, _, none := db.Files(t.Context(), library.FileQuery{Limit: 1000})
	return errors.Join(err, none)
}

func TestADatabaseThatIsGoneComesBackFromTheDailyBackup(t *testing.T) {
	dir := backedUp(t)
	for _, left := range matching(dir, "footnote.*") {
		must(t, os.Remove(left))
	}
	db := openIn(t, dir)
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 100})
	must(t, err)
	if len(threads) != 20 || !strings.HasPrefix(db.Mended(), "Footnote's database was gone.") || strings.Contains(db.Mended(), "kept in") {
		t.Errorf("%d of 20 conversations, told %q", len(threads), db.Mended())
	}
}

func TestADatabaseThatIsGoneIsNotPassedOver(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	begin(t, db, newRun("run_1", "thr_1", "asked"))
	killed := filepath.Join(t.TempDir(), "data")
	must(t, os.CopyFS(killed, os.DirFS(dir)))
	must(t, db.Close())
	must(t, os.Remove(filepath.Join(killed, fileName)))
	if openIn(t, killed).Mended() == "" {
		t.Error("nobody is told")
	}
	if kept, err := filepath.Glob(filepath.Join(killed, backupsDir, "damaged-*", fileName+"-wal")); err != nil || len(kept) != 1 {
		t.Errorf("the log was not kept: %v %v", kept, err)
	}
}

func TestAForeignFileIsSetAside(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, fileName), []byte(strings.Repeat("not a database ", 1000)), 0o600))
	if openIn(t, dir).Mended() == "" {
		t.Error("nobody is told")
	}
	kept, err := filepath.Glob(filepath.Join(dir, backupsDir, "damaged-*", fileName))
	if err != nil || len(kept) != 1 {
		t.Fatalf("the file was not kept: %v %v", kept, err)
	}
	if data, err := os.ReadFile(kept[0]); err != nil || !strings.HasPrefix(string(data), "not a database") {
		t.Errorf("the file was changed: %v", err)
	}
}

func TestDamageThatSQLiteDoesNotSeeIsMended(t *testing.T) {
	dir := t.TempDir()
	furnish(t, dir)
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	must(t, db.write(t.Context(), "harm", func(tx *sqlite.Tx) error {
		for _, query := range []string{
			`UPDATE texts SET coverage = '{"pages":' || char(0, 0, 0) WHERE n % 3 = 0`,
			`UPDATE texts SET flags = '[' WHERE n % 3 = 1`,
			`INSERT OR REPLACE INTO topics (text, words, chosen) SELECT n, '', '[]' FROM texts`,
			`INSERT INTO preferences (key, value) VALUES ('broken', '{')`,
		} {
			if _, err := tx.ExecContext(t.Context(), query); err != nil {
				return err
			}
		}
		return nil
	}))
	if _, _, err := db.Files(t.Context(), library.FileQuery{Limit: 1000}); err == nil {
		t.Fatal("the damage does no harm")
	}
	must(t, db.Close())
	must(t, os.WriteFile(filepath.Join(dir, openName), nil, 0o600)) // as after a power cut
	db = openIn(t, dir)
	if n := wholeFiles(t, db); n != 40 {
		t.Errorf("%d files are left", n)
	}
	if _, err := db.TopicWords(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDamagedVectorsAreMadeAgain(t *testing.T) {
	db := open(t)
	for i, harm := range []string{`zeroblob(length(vectors))`, `substr(vectors, 1, 3)`, `vectors`} {
		path := fmt.Sprintf("/docs/%d.txt", i)
		doc, passages := document(evidence.File, path, "one of "+path, "two", "three")
		vectors := make([][]float32, len(passages))
		for k := range vectors {
			vectors[k] = []float32{1, float32(k), float32(i), 1, 1, 1, 1, 1}
		}
		must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf(path, doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: vectors}}))
		_, err := db.w.ExecContext(t.Context(), `UPDATE vectors SET vectors = `+harm+` WHERE passage = (SELECT max(passage) FROM vectors)`)
		must(t, err)
	}
	read := 0
	must(t, db.EachVector(t.Context(), "e1", func(ids []evidence.PassageID, _ []string, _ []quantize.Steps) error { read += len(ids); return nil }))
	due, err := db.Unvectored(t.Context(), "e1", 100)
	must(t, err)
	if per := len(due) / 2; read != per || per == 0 || len(due) != 2*per {
		t.Errorf("%d vectors are left, %d passages wait for theirs", read, len(due))
	}
}
