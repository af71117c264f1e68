package store

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/pack"
)

func TestPassagesAreCutOutOfTheirTextWhereverItsPartsEnd(t *testing.T) {
	line := strings.Repeat("zwölf Boxkämpfer ", 61) // crosses the border of a part again and again
	lines := slices.Repeat([]string{line, "plain words " + line[:40], "日本語" + line}, 30)
	doc, _ := document(evidence.File, "/docs/long.txt", lines...)
	doc.Source.MediaType = "text/plain"
	passages := evidence.Split(doc, evidence.SplitOptions{})
	passages[3].At.Place = "Slide 4"
	passages[5].Text = "words that stand nowhere in the text"
	passages[6].At.Start, passages[6].At.End = 1<<30, 1<<30+5
	db := open(t)
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/long.txt", doc), Document: &doc, Passages: passages}}))
	placed, err := db.Unindexed(t.Context(), 1)
	must(t, err)
	if len(placed) != len(passages) || len(doc.Text) < 3*pack.PartChars {
		t.Fatalf("%d of %d passages of %d bytes", len(placed), len(passages), len(doc.Text))
	}
	for i, p := range placed {
		if p.Passage.Text != passages[i].Text || p.Passage.At != passages[i].At || p.Path != "/docs/long.txt" {
			t.Errorf("passage %d: %+v, want %+v", i, p.Passage, passages[i])
		}
	}
	text, blocks, err := db.Text(t.Context(), doc.Source.Digest)
	must(t, err)
	if text != doc.Text || !slices.Equal(blocks, doc.Blocks) {
		t.Error("the text changed in the store")
	}
}

// A reader that holds the number of a text must never meet another one under it.
func TestNumbersOfTextsAndPassagesAreNotGivenAgain(t *testing.T) {
	db := open(t)
	numbers := func() (text, passage int) {
		t.Helper()
		must(t, db.r.QueryRow(`SELECT max(text), max(n) FROM passages`).Scan(&text, &passage))
		return text, passage
	}
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	text, passage := numbers()
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	if again, next := numbers(); again <= text || next <= passage {
		t.Errorf("text %d, passage %d after %d, %d", again, next, text, passage)
	}
}

// What a version before the third migration wrote is read by this one.
func TestTextsOfTheFirstVersionsAreKept(t *testing.T) {
	dir := t.TempDir()
	old, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	for _, name := range []string{"00001_start.sql", "00002_encoded.sql"} {
		script, err := migrations.ReadFile("migrations/" + name)
		must(t, err)
		_, err = old.Exec(string(script))
		must(t, err)
	}
	packer := new(pack.Packer)
	text, err := packer.Pack([]byte(strings.Repeat("old words here\n", 3000)))
	must(t, err)
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`INSERT INTO threads VALUES ('thr_1', 't', 't', 'chat', NULL, 0, 1, 1)`, nil},
		{`INSERT INTO texts (digest, title, media, published, chars, coverage, flags, image, passages, shelved, indexed, vectored) VALUES ('d1', 'T', '', 0, 45000, '{}', 'null', '', 2, 1, 1, 'e')`, nil},
		{`INSERT INTO bodies VALUES ('d1', ?, x'005b7b2273223a302c2265223a332c226b223a22636f6465227d5d')`, []any{text}},
		{`INSERT INTO sources VALUES ('src_1', 'd1', 'file', 'T', '/docs/a.txt', '', 0, 0)`, nil},
		{`INSERT INTO passages (n, id, digest, idx, page, line, start, stop, heading, text) VALUES (1, 'psg_1', 'd1', 0, 0, 1, 0, 9, 'H', 'old words'), (2, 'psg_2', 'd1', 1, 0, 2000, 30000, 30009, 'H', 'old words')`, nil},
		{`INSERT INTO vectors VALUES (1, 'e', x'00000000')`, nil},
		{`INSERT INTO files VALUES (1, 'fil_1', '/docs/a.txt', '/docs/a.txt', '', 1, 'd1', 45000, 0, 0, 'ready', '', '', 1)`, nil},
		{`CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`, nil},
		{`INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1), (1, 1), (2, 1)`, nil},
	} {
		_, err := old.Exec(step.query, step.args...)
		must(t, err)
	}
	must(t, old.Close())
	db := openIn(t, dir)
	p, source, err := db.Passage(t.Context(), "psg_2")
	must(t, err)
	if p.Text != "old words" || p.At.Line != 2000 || source.ID != "src_1" {
		t.Errorf("got %+v of %+v", p, source)
	}
	whole, blocks, err := db.SourceText(t.Context(), "src_1")
	must(t, err)
	if len(whole) != 45000 || len(blocks) != 1 {
		t.Errorf("text of %d bytes, %d blocks", len(whole), len(blocks))
	}
	due, err := db.Unvectored(t.Context(), "e", 10)
	must(t, err)
	if len(due) != 2 {
		t.Errorf("vectors are made again for %d passages", len(due))
	}
	if copies, err := filepath.Glob(filepath.Join(dir, backupsDir, "*.db")); err != nil || len(copies) != 1 {
		t.Errorf("backups %v %v", copies, err)
	}
	must(t, db.DropFiles(t.Context(), []string{"fil_1"}))
	if _, _, err := db.Text(t.Context(), "d1"); err == nil {
		t.Error("a removed text is still there")
	}
	var left int
	must(t, db.r.QueryRow(`SELECT (SELECT count(*) FROM passages) + (SELECT count(*) FROM parts) + (SELECT count(*) FROM vectors)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are left behind", left)
	}
	begin(t, db, newRun("run_1", contract.ThreadID("thr_1"), "goes on"))
}
