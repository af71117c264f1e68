package store

import (
	"bytes"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/pack"
)

// flipped changes one bit of a packed value, the at-th of them.
func flipped(packed []byte, at int) []byte {
	packed = bytes.Clone(packed)
	packed[at/8] ^= 1 << (at % 8)
	return packed
}

// harm changes one bit of what a query finds: the data of a part, or a place.
func harmPart(t *testing.T, db *DB, part int) {
	t.Helper()
	var packed []byte
	must(t, db.w.QueryRow(`SELECT data FROM parts WHERE part = ?`, part).Scan(&packed))
	_, err := db.w.Exec(`UPDATE parts SET data = ? WHERE part = ?`, flipped(packed, 8*len(packed)/2), part)
	must(t, err)
}

// TestADamagedTextIsNeverShownAndIsReadAgain holds each way in which a text can be
// damaged, in a file that an answer cites.
func TestADamagedTextIsNeverShownAndIsReadAgain(t *testing.T) {
	for name, harm := range map[string]func(*testing.T, *DB){
		"words":  func(t *testing.T, db *DB) { harmPart(t, db, 0) },
		"blocks": func(t *testing.T, db *DB) { harmPart(t, db, pack.BlocksPart) },
		"place": func(t *testing.T, db *DB) {
			_, err := db.w.Exec(`UPDATE passages SET start = start + 1`)
			must(t, err)
		},
		"end": func(t *testing.T, db *DB) {
			_, err := db.w.Exec(`UPDATE passages SET stop = stop - 1`)
			must(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			told := 0
			db.OnRequeued(func() { told++ })
			doc, passages := document(evidence.File, "/docs/a.txt", "The dose is 15 mg.", "It is taken twice a day.")
			intake := library.Intake{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}
			must(t, db.Commit(t.Context(), []library.Intake{intake}))
			run := newRun("run_1", "thr_1", "asked")
			begin(t, db, run)
			must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
			must(t, db.End(t.Context(), citing(finish(run, "15 mg [1]."), doc)))

			harm(t, db)
			_, _, err := db.SourceText(t.Context(), doc.Source.ID)
			wantHarm(t, name == "words" || name == "blocks", err)
			_, _, err = db.Passage(t.Context(), passages[0].ID)
			wantHarm(t, name != "blocks", err)
			if placed, err := db.Passages(t.Context(), []evidence.PassageID{passages[0].ID}); err != nil || len(placed) != 0 {
				t.Errorf("a search gives %v, %v", placed, err)
			}
			files, _, err := db.Files(t.Context(), library.FileQuery{States: []library.State{library.Waiting}, Limit: 10})
			must(t, err)
			if len(files) != 1 || told != 1 {
				t.Fatalf("%d files are read again, told %d times", len(files), told)
			}

			must(t, db.Commit(t.Context(), []library.Intake{intake}))
			p, src, err := db.Passage(t.Context(), passages[0].ID)
			if err != nil || p.Text != passages[0].Text || src.ID != doc.Source.ID {
				t.Errorf("read again: %+v %+v %v", p, src, err)
			}
			if text, _, err := db.SourceText(t.Context(), doc.Source.ID); err != nil || text != doc.Text {
				t.Errorf("read again: %q %v", text, err)
			}
		})
	}
}

// citing has the answer of a run rest on a document.
func citing(run contract.Run, doc evidence.Document) contract.Run {
	run.Answer.Sources = []contract.SourceCard{{ID: doc.Source.ID}}
	return run
}

func wantHarm(t *testing.T, want bool, err error) {
	t.Helper()
	if harmed := fault.CodeOf(err) == fault.DataDamaged; harmed != want {
		t.Errorf("damaged %v: %v", want, err)
	}
}

func TestADamagedPageSaysSoWhenItsFootnoteIsOpened(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.Web, "https://example.org/dose", "The dose is 15 mg.")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
	harmPart(t, db, 0)
	for range 2 {
		_, _, err := db.Passage(t.Context(), passages[0].ID)
		wantHarm(t, true, err)
	}
	if _, _, err := db.Passage(t.Context(), "psg_unknown"); fault.CodeOf(err) != fault.NotFound {
		t.Error(err)
	}
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages})) // it was read again
	if p, _, err := db.Passage(t.Context(), passages[0].ID); err != nil || p.Text != passages[0].Text {
		t.Errorf("%+v %v", p, err)
	}
}

func TestWhoReadsOnlyIsNotShownDamagedTextEither(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	doc, passages := document(evidence.File, "/docs/a.txt", "The dose is 15 mg.")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	harmPart(t, db, 0)
	must(t, db.Close())
	reading, err := OpenReading(t.Context(), dir, shut, quiet(), clock())
	must(t, err)
	defer func() { must(t, reading.Close()) }()
	_, _, err = reading.Text(t.Context(), doc.Source.Digest)
	wantHarm(t, true, err)
}
