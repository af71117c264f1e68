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

func TestTextsGoToTheIndexOnceAndComeBackWhenTheirNameChanges(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two")
	empty, _ := document(evidence.File, "/docs/e.txt", "")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}, {File: fileOf("/docs/e.txt", empty), Document: &empty}}))
	due := func() []library.Placed {
		t.Helper()
		placed, err := db.Unindexed(t.Context(), 100)
		must(t, err)
		return placed
	}
	if placed := due(); len(placed) != 2 || placed[0].Path != "/docs/a.txt" || placed[1].Passage.Text != "two" {
		t.Fatalf("got %+v", placed)
	}
	must(t, db.MarkIndexed(t.Context(), []string{doc.Source.Digest}, true))
	if placed := due(); len(placed) != 0 {
		t.Errorf("still due: %+v", placed)
	}
	must(t, db.PutFiles(t.Context(), []library.File{f})) // nothing new
	if placed := due(); len(placed) != 0 {
		t.Errorf("due after no change: %+v", placed)
	}
	f.Path = "/docs/b.txt"
	must(t, db.PutFiles(t.Context(), []library.File{f}))
	if placed := due(); len(placed) != 2 || placed[0].Path != "/docs/b.txt" {
		t.Errorf("after a move: %+v", placed)
	}
	if _, err := db.Source(t.Context(), f.Source().ID); err != nil {
		t.Errorf("the new address is no source: %v", err)
	}
	must(t, db.MarkIndexed(t.Context(), nil, false))
	if placed := due(); len(placed) != 2 {
		t.Errorf("for a rebuild: %+v", placed)
	}
}

func TestVectorsAreMadeOncePerPassageAndEmbedder(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two", "three")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	var kept []float32
	for range 2 {
		placed, err := db.Unvectored(t.Context(), "e1", 2)
		must(t, err)
		ids, vectors := []evidence.PassageID{}, [][]float32{}
		for i, p := range placed {
			ids, vectors = append(ids, p.Passage.ID), append(vectors, []float32{float32(i), 0.5})
		}
		vectors[0] = nil // cannot have one
		must(t, db.PutVectors(t.Context(), "e1", false, append(ids, "psg_gone"), append(vectors, []float32{1})))
		for _, v := range vectors {
			kept = append(kept, v...)
		}
	}
	placed, err := db.Unvectored(t.Context(), "e1", 2)
	must(t, err)
	totals, err := db.Totals(t.Context(), "e1")
	must(t, err)
	if len(placed) != 0 || totals.Vectors != 3 {
		t.Errorf("left %v, totals %+v", placed, totals)
	}
	var seen []float32
	must(t, db.EachVector(t.Context(), "e1", func(batch []library.Placed) error {
		for _, p := range batch {
			seen = append(seen, p.Vector...)
		}
		return nil
	}))
	if !slices.Equal(seen, kept) || len(seen) != 2 || math.Abs(float64(seen[1]-0.5)) > 1./254 {
		t.Errorf("vectors %v, kept %v", seen, kept)
	}
	if placed, err = db.Unvectored(t.Context(), "e2", 10); err != nil || len(placed) != 3 {
		t.Errorf("another embedder: %v %v", placed, err)
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
	must(t, db.EachVector(t.Context(), "e1", func(batch []library.Placed) error {
		calls++
		for _, p := range batch {
			if v, ok := want[p.Passage.ID]; !ok || math.Abs(float64(p.Vector[1]/p.Vector[0]-v)) > 1e-6 || p.Digest == "" {
				t.Errorf("passage %s of %q has %v, want %v", p.Passage.ID, p.Digest, p.Vector, v)
			}
			delete(want, p.Passage.ID)
		}
		return nil
	}))
	if len(want) > 0 || calls < 2 {
		t.Errorf("%d vectors are missing after %d batches", len(want), calls)
	}
	failure := errors.New("full")
	if err := db.EachVector(t.Context(), "e1", func([]library.Placed) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("a failure comes back as %v", err)
	}
}

func TestPassagesWithoutVectorsAreGivenAcrossTextsUntilAllHaveThem(t *testing.T) {
	db := open(t)
	want := map[evidence.PassageID]bool{}
	for i, words := range [][]string{{"one", "two", "three"}, {}, {"four"}, {}, {"five", "six"}, {}, {}} {
		path := fmt.Sprintf("/docs/%d.txt", i)
		doc, passages := document(evidence.File, path, words...)
		doc.Source.Digest += path
		for i, p := range passages {
			passages[i].ID = evidence.NewPassageID(doc.Source.Digest, p.At.Start, p.At.End)
		}
		f := fileOf(path, doc)
		must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
		for _, p := range passages {
			want[p.ID] = true
		}
	}
	for range 10 {
		placed, err := db.Unvectored(t.Context(), "e1", 2)
		must(t, err)
		if len(placed) > 2 {
			t.Fatalf("%d at once", len(placed))
		}
		ids, vectors := []evidence.PassageID{}, [][]float32{}
		for _, p := range placed {
			if !want[p.Passage.ID] || p.Path == "" {
				t.Errorf("given: %+v", p)
			}
			delete(want, p.Passage.ID)
			ids, vectors = append(ids, p.Passage.ID), append(vectors, []float32{1, 2})
		}
		must(t, db.PutVectors(t.Context(), "e1", false, ids, vectors))
	}
	totals, err := db.Totals(t.Context(), "e1")
	must(t, err)
	if len(want) != 0 || totals.Vectors != totals.Chunks {
		t.Errorf("left %v, totals %+v", want, totals)
	}
}

func TestFilesAreSelectedByEveryField(t *testing.T) {
	db := open(t)
	must(t, db.PutRoot(t.Context(), library.Root{ID: "rot_1", Path: "/docs", Folder: true, Reachable: true, Added: start}))
	must(t, db.PutRoot(t.Context(), library.Root{ID: "rot_2", Path: "/drive", Folder: true, Added: start}))
	put := func(path, root string, state library.State, listed bool) {
		must(t, db.PutFiles(t.Context(), []library.File{{ID: evidence.ID("fil", path), Path: path, Root: root, Listed: listed, State: state}}))
	}
	put("/docs/a.txt", "rot_1", library.Ready, true)
	put("/docs/ÄB_c.txt", "rot_1", library.Waiting, true)
	put("/docs/sub/d.txt", "rot_1", library.Failed, true)
	put("/docs/out.txt", "rot_1", library.Removed, true)
	put("/docs2/e.txt", "", library.Ready, false)
	put("/drive/f.txt", "rot_2", library.Ready, true)
	for want, q := range map[string]library.FileQuery{
		"a.txt ÄB_c.txt d.txt f.txt":               {},
		"a.txt ÄB_c.txt d.txt out.txt e.txt f.txt": {Unlisted: true, Hidden: true},
		"ÄB_c.txt":    {Q: "äb_C"},
		"a.txt":       {States: []library.State{library.Ready}},
		"a.txt f.txt": {States: []library.State{library.Ready, library.NotReachable}},
		"d.txt":       {Under: []string{"/docs/sub"}},
		"d.txt f.txt": {Under: []string{"/docs/sub/", "/drive/f.txt"}},
		"f.txt":       {Root: "rot_2"},
		"d.txt e.txt": {IDs: []string{evidence.ID("fil", "/docs2/e.txt"), evidence.ID("fil", "/docs/sub/d.txt")}, Unlisted: true},
	} {
		files, _, err := db.Files(t.Context(), q)
		must(t, err)
		var names []string
		for _, f := range files {
			names = append(names, filepath.Base(f.Path))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	var all []string
	for after := ""; ; {
		page, next, err := db.Files(t.Context(), library.FileQuery{Limit: 3, After: after})
		must(t, err)
		for _, f := range page {
			all = append(all, f.Path)
		}
		if after = next; next == "" {
			break
		}
	}
	if len(all) != 4 {
		t.Errorf("paged %v", all)
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
