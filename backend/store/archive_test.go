package store

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
)

func TestWhatWasReadCanAlwaysBeShown(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.Web, "https://a.example/", "first line", strings.Repeat("zwölf ", 400), "last line")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages[:1]}))
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages})) // again, with more passages
	source, err := db.Source(t.Context(), doc.Source.ID)
	must(t, err)
	if source.Source != doc.Source || source.Coverage != doc.Coverage || !slices.Equal(source.Flags, doc.Flags) || source.Chars != len([]rune(doc.Text)) {
		t.Errorf("got %+v", source)
	}
	text, blocks, err := db.SourceText(t.Context(), doc.Source.ID)
	must(t, err)
	if text != doc.Text || !slices.Equal(blocks, doc.Blocks) {
		t.Error("the text changed in the store")
	}
	p, from, err := db.Passage(t.Context(), passages[1].ID)
	must(t, err)
	if p.Text != passages[1].Text || p.At != passages[1].At || from.ID != doc.Source.ID || p.Source != from.ID {
		t.Errorf("got %+v of %+v", p, from)
	}
	around, err := db.Neighbours(t.Context(), passages[1].ID)
	must(t, err)
	if len(around) != 2 || around[0].ID != passages[0].ID || around[1].ID != passages[2].ID {
		t.Errorf("neighbours %v", around)
	}
	_, _, err = db.Passage(t.Context(), "psg_unknown")
	wantFault(t, err, fault.NotFound)
	_, _, err = db.SourceText(t.Context(), "src_unknown")
	wantFault(t, err, fault.NotFound)
}

func TestASnapshotNeverChangesUnderItsReader(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.Web, "https://a.example/", "as first read")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
	later := doc
	later.Text = "something else under the same digest"
	must(t, db.Keep(t.Context(), answer.Kept{Document: later, Passages: nil}))
	if text, _, err := db.SourceText(t.Context(), doc.Source.ID); err != nil || text != "as first read" {
		t.Errorf("got %q %v", text, err)
	}
}

func TestASelectedFileKeepsItsTextFromThatMoment(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "line one")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	begin(t, db, newRun("run_1", "thr_1", "q"))
	journaled(t, db, "run_1", contract.Started{}, contract.Selected{Passages: []contract.SelectedPassage{{ID: passages[0].ID, Source: f.Source().ID}}})
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	if _, _, err := db.Passage(t.Context(), passages[0].ID); err != nil {
		t.Errorf("the running answer lost its passage: %v", err)
	}
	dropped, err := db.Dropped(t.Context(), 10)
	must(t, err)
	if !slices.Equal(dropped, []evidence.PassageID{passages[0].ID}) {
		t.Errorf("to be dropped from the index: %v", dropped)
	}
	placed, err := db.Passages(t.Context(), []evidence.PassageID{passages[0].ID})
	must(t, err)
	if len(placed) != 0 {
		t.Error("a removed file is still searched")
	}
}

func TestVectorsComeWithTheirPassages(t *testing.T) {
	db := open(t)
	words := make([]string, 3*vectorPage)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	want := map[evidence.PassageID]float32{}
	for i := range 2 * vectorPage {
		path := fmt.Sprintf("/docs/%d.txt", i)
		doc, passages := document(evidence.File, path, words[i:i+i%5+1]...)
		doc.Source.Digest += path
		vectors := make([][]float32, len(passages))
		for j, p := range passages {
			if j == 2 {
				continue // one without a vector
			}
			vectors[j] = []float32{1, float32(i%100) / 127}
			want[p.ID] = vectors[j][1]
		}
		must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf(path, doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: vectors}}))
		if i == 8 { // a row with a gap still has the others right
			_, err := db.w.ExecContext(t.Context(), `DELETE FROM passages WHERE id = ?`, storedID(passages[1].ID))
			must(t, err)
			delete(want, passages[1].ID)
		}
	}
	calls := 0
	must(t, db.EachVector(t.Context(), "e1", func(ids []evidence.PassageID, digests []string, stored []quantize.Steps) error {
		calls++
		for i, id := range ids {
			vector := stored[i].Vector()
			if v, ok := want[id]; !ok || math.Abs(float64(vector[1]/vector[0]-v)) > 1e-6 || digests[i] == "" {
				t.Errorf("passage %s of %q has %v, want %v", id, digests[i], vector, v)
			}
			delete(want, id)
		}
		return nil
	}))
	if len(want) > 0 || calls < 2 {
		t.Errorf("%d vectors are missing after %d batches", len(want), calls)
	}
	failure := errors.New("full")
	if err := db.EachVector(t.Context(), "e1", func([]evidence.PassageID, []string, []quantize.Steps) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("a failure comes back as %v", err)
	}
}

func TestAnOldDatabaseIsBackedUpAndBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	begin(t, db, newRun("run_1", "thr_1", "kept question"))
	more := fstest.MapFS{"99999_more.sql": {Data: []byte("-- +goose Up\nALTER TABLE threads ADD COLUMN extra TEXT NOT NULL DEFAULT 'new';\n")}}
	known, err := migrations.ReadDir("migrations")
	must(t, err)
	for _, step := range known {
		data, err := migrations.ReadFile("migrations/" + step.Name())
		must(t, err)
		more[step.Name()] = &fstest.MapFile{Data: data}
	}
	must(t, db.migrateTo(t.Context(), more))
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if thread.Items[0].Question.Text != "kept question" {
		t.Errorf("got %+v", thread)
	}
	must(t, db.Close())
	_, err = Open(t.Context(), dir, quiet(), clock()) // this version does not know the last migration
	wantFault(t, err, fault.DataLocked)
	copies, err := filepath.Glob(dir + "/backups/footnote-v*-*.db")
	must(t, err)
	if len(copies) != 1 {
		t.Fatalf("backups: %v", copies)
	}
	restored := t.TempDir()
	data, err := os.ReadFile(copies[0])
	must(t, err)
	must(t, os.WriteFile(restored+"/footnote.db", data, 0o600))
	if _, err := openIn(t, restored).Run(t.Context(), "run_1"); err != nil {
		t.Errorf("the backup: %v", err)
	}
}
