package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/pack"
	"footnote/backend/store/quantize"
	"footnote/backend/store/sqlite"
)

func TestIDsComeBackAsTheyAre(t *testing.T) {
	plain := evidence.NewPassageID("d", 1, 2)
	unusual := plain[:len(plain)-1] + "b" // letters that no 16 bytes are written with
	for id, bytes := range map[evidence.PassageID]bool{plain: true, unusual: false, "psg_1": false, "": false, "a b": false, evidence.PassageID(strings.ToUpper(string(plain))): false} {
		stored, err := storedID(id).Value()
		must(t, err)
		if key, ok := stored.([]byte); ok != bytes || ok && len(key) != 16 {
			t.Errorf("%q is stored as %v", id, stored)
		}
		var back evidence.PassageID
		must(t, ofID(&back).Scan(stored))
		if back != id {
			t.Errorf("%q came back as %q", id, back)
		}
	}
	var id evidence.PassageID
	if err := ofID(&id).Scan([]byte{1, 2}); err == nil {
		t.Error("two bytes were read as an id")
	}
}

// sectioned is a document of many passages and nearly as many headings.
func sectioned(path string) (evidence.Document, []evidence.Passage) {
	lines := make([]string, 3*pack.SectionsAtOnce)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d of %s", i, path)
	}
	doc, passages := document(evidence.File, path, lines...)
	for i := range passages {
		passages[i].At.Heading = fmt.Sprint("Manual > Part ", i*2/3)
	}
	passages[4].At.Heading, passages[5].At.Heading = "", "of two\nlines"
	return doc, passages
}

func TestHeadingsStandOnceInTheirText(t *testing.T) {
	db := open(t)
	doc, passages := sectioned("/docs/a.txt")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	db.fresh.clear()
	read, err := db.Unindexed(t.Context(), 1000)
	must(t, err)
	found, err := db.Passages(t.Context(), idsIn(passages))
	must(t, err)
	if len(read) != len(passages) || len(found) != len(passages) {
		t.Fatalf("%d and %d of %d passages", len(read), len(found), len(passages))
	}
	for i, p := range passages {
		one, _, err := db.Passage(t.Context(), p.ID)
		must(t, err)
		at := slices.IndexFunc(found, func(f library.Placed) bool { return f.Passage.ID == p.ID })
		if one.At != p.At || read[i].Passage.At != p.At || found[at].Passage.At != p.At || one.Text != p.Text {
			t.Errorf("%+v came back as %+v, %+v", p, one, read[i].Passage)
		}
	}
	around, err := db.Neighbours(t.Context(), passages[100].ID)
	must(t, err)
	if len(around) != 2 || around[0].At != passages[99].At || around[1].ID != passages[101].ID {
		t.Errorf("neighbours are %+v", around)
	}
	var own, parts int
	must(t, db.r.QueryRow(`SELECT (SELECT count(*) FROM passages WHERE heading <> ''), (SELECT count(*) FROM parts WHERE part < -1)`).Scan(&own, &parts))
	if own != 1 || parts != 2 {
		t.Errorf("%d passages have their heading, %d parts the others", own, parts)
	}
	text, blocks, err := db.Text(t.Context(), doc.Source.Digest)
	must(t, err)
	if text != doc.Text || !slices.Equal(blocks, doc.Blocks) {
		t.Error("the text is another one")
	}
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	must(t, db.r.QueryRow(`SELECT (SELECT count(*) FROM parts) + (SELECT count(*) FROM passages)`).Scan(&own))
	due, err := db.Dropped(t.Context(), 1000)
	must(t, err)
	if own != 0 || len(due) != len(passages) || !slices.Contains(due, passages[7].ID) {
		t.Errorf("%d rows are left, %d passages due to be dropped", own, len(due))
	}
	must(t, db.Forgotten(t.Context(), due[1:]))
	if left, err := db.Dropped(t.Context(), 1000); err != nil || !slices.Equal(left, due[:1]) {
		t.Errorf("left to drop: %v %v", left, err)
	}
}

func idsIn(passages []evidence.Passage) (ids []evidence.PassageID) {
	for _, p := range passages {
		ids = append(ids, p.ID)
	}
	return ids
}

func TestATextWithoutItsHeadingsIsReadAgain(t *testing.T) {
	db := open(t)
	doc, passages := sectioned("/docs/a.txt")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	other, kept := document(evidence.File, "/docs/b.txt", "as older versions wrote it")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/b.txt", other), Document: &other, Passages: kept}}))
	must(t, db.write(t.Context(), "harm", func(tx *sqlite.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `DELETE FROM parts WHERE part = -3`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(t.Context(), `UPDATE passages SET id = ? WHERE id = ?`, string(kept[0].ID), storedID(kept[0].ID)); err != nil {
			return err
		}
		return dropBroken(t.Context(), tx)
	}))
	files, _, err := db.Files(t.Context(), library.FileQuery{States: []library.State{library.Waiting}})
	must(t, err)
	if len(files) != 1 || files[0].Path != "/docs/a.txt" {
		t.Errorf("to be read again: %+v", files)
	}
	if p, _, err := db.Passage(t.Context(), kept[0].ID); err != nil || p.Text != kept[0].Text {
		t.Errorf("a passage named in letters: %+v %v", p, err)
	}
}

// A database of the tenth version keeps its passages, their vectors, and what the
// index must forget; no file is read again.
func TestALibraryOfTheTenthVersionIsKept(t *testing.T) {
	dir := t.TempDir()
	old, err := sql.Open("sqlite", filepath.Join(dir, fileName))
	must(t, err)
	run := func(query string, args ...any) {
		t.Helper()
		_, err := old.Exec(query, args...)
		must(t, err)
	}
	run(`CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`)
	run(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)`)
	scripts, err := filepath.Glob("migrations/000*.sql")
	must(t, err)
	for i, name := range scripts[:10] {
		script, err := migrations.ReadFile(filepath.ToSlash(name))
		must(t, err)
		run(string(script))
		run(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)`, i+1)
	}
	doc, passages := document(evidence.File, "/docs/a.txt", "first words", "second words", "third words")
	passages[1].ID = "psg_odd one"
	f := fileOf("/docs/a.txt", doc)
	part, err := new(pack.Packer).Pack([]byte(doc.Text))
	must(t, err)
	run(`INSERT INTO texts (n, digest, title, media, published, chars, coverage, flags, image, passages, shelved, indexed, vectored, part) VALUES (7, ?, 'T', '', 0, 40, '{}', 'null', '', 3, 1, 1, 'e', 4096)`, f.Digest)
	run(`INSERT INTO parts (text, part, data) VALUES (7, 0, ?), (7, -1, x'005b5d')`, part)
	for i, p := range passages {
		run(`INSERT INTO passages (n, id, text, idx, page, line, start, stop, heading, place) VALUES (?, ?, 7, ?, 0, ?, ?, ?, ?, '')`, i+10, string(p.ID), i, i+1, p.At.Start, p.At.End, fmt.Sprint("Head ", i))
	}
	run(`INSERT INTO vectors VALUES (10, 'e', 3, ?)`, quantize.Bytes([][]float32{{1, 0}, {0, 1}, {0.6, 0.8}}))
	run(`INSERT INTO encoded VALUES (12, 'm', x'0102')`)
	gone := evidence.NewPassageID("gone", 0, 9)
	run(`INSERT INTO dropped VALUES (?), ('psg_gone')`, string(gone))
	run(`INSERT INTO sources (id, digest, kind, title, address, media, published, seen) VALUES (?, ?, 'file', 'T', '/docs/a.txt', '', 0, 0)`, string(f.Source().ID), f.Digest)
	run(`INSERT INTO files (id, path, folded, root, listed, digest, size, modified, changed, state, code, reason, indexed) VALUES (?, '/docs/a.txt', '/docs/a.txt', '', 1, ?, 40, 0, 0, 'ready', '', '', 1)`, f.ID, f.Digest)
	must(t, old.Close())

	db := openIn(t, dir)
	for i, p := range passages {
		got, source, err := db.Passage(t.Context(), p.ID)
		must(t, err)
		if got.Text != p.Text || got.At.Heading != fmt.Sprint("Head ", i) || source.ID != f.Source().ID {
			t.Errorf("%+v came over as %+v of %+v", p, got, source)
		}
	}
	found, err := db.Passages(t.Context(), idsIn(passages))
	must(t, err)
	where, err := db.Where(t.Context(), idsIn(passages))
	must(t, err)
	encoded, err := db.Encoded(t.Context(), "m", idsIn(passages))
	must(t, err)
	if len(found) != 3 || len(where) != 3 || where["psg_odd one"] != f.Digest || string(encoded[passages[2].ID]) != "\x01\x02" {
		t.Errorf("found %v at %v, encoded %v", found, where, encoded)
	}
	var vectored []evidence.PassageID
	must(t, db.EachVector(t.Context(), "e", func(ids []evidence.PassageID, _ []string, _ []quantize.Steps) error {
		vectored = append(vectored, ids...)
		return nil
	}))
	if !slices.Equal(vectored, idsIn(passages)) {
		t.Errorf("vectors are of %v", vectored)
	}
	if due, err := db.Dropped(t.Context(), 9); err != nil || len(due) != 2 || !slices.Contains(due, gone) || !slices.Contains(due, "psg_gone") {
		t.Errorf("to be dropped: %v %v", due, err)
	}
	if due, err := db.Unindexed(t.Context(), 9); err != nil || len(due) != 0 {
		t.Errorf("to be indexed again: %v %v", due, err)
	}
	kept := answer.Kept{Document: doc, Passages: passages} // read once more: nothing is there twice
	must(t, db.Keep(t.Context(), kept))
	var rows int
	must(t, db.r.QueryRow(`SELECT count(*) FROM passages`).Scan(&rows))
	if rows != 3 {
		t.Errorf("%d passages", rows)
	}
}
