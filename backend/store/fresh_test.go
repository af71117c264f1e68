package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
)

func TestJustStoredPassagesAreThoseOfTheTables(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "zwei Wörter", "three")
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	first, err := db.Unindexed(t.Context(), 10)
	must(t, err)
	again, err := db.Unindexed(t.Context(), 10) // they are no longer at hand
	must(t, err)
	if len(first) != 3 || first[0].Path != "/docs/a.txt" || !reflect.DeepEqual(first, again) {
		t.Errorf("at hand %+v, stored %+v", first, again)
	}
}

func TestATextThatWentBeforeItWasIndexedIsNotGiven(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	if due, err := db.Unindexed(t.Context(), 10); err != nil || len(due) != 0 {
		t.Errorf("given: %v %v", due, err)
	}
	f.Path = "/docs/b.txt"
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	f.Path = "/docs/c.txt"
	must(t, db.PutFiles(t.Context(), []library.File{f}))
	if due, err := db.Unindexed(t.Context(), 10); err != nil || len(due) != 2 || due[0].Path != "/docs/c.txt" {
		t.Errorf("after a move: %+v %v", due, err)
	}
}

func TestTextsAtHandKeepToTheirBytes(t *testing.T) {
	var f freshTexts
	for n := range int64(40) {
		f.put(n, []library.Placed{{Passage: evidence.Passage{Text: strings.Repeat("x", 1<<20)}}})
		if f.bytes > freshBytes || len(f.by) != f.bytes>>20 {
			t.Fatalf("%d bytes in %d texts", f.bytes, len(f.by))
		}
	}
	if f.take(0) != nil || f.take(39) == nil || f.take(39) != nil {
		t.Error("the oldest do not go first, or one is given twice")
	}
	f.clear()
	if f.bytes != 0 || f.take(38) != nil {
		t.Errorf("%d bytes after all was forgotten", f.bytes)
	}
}

func TestVectorsAreStoredWithTheTextTheyComeWith(t *testing.T) {
	db := open(t)
	var lines []string
	var vectors [][]float32
	for i := range 2*rowVectors + 5 {
		lines = append(lines, fmt.Sprintf("line %d", i))
		vectors = append(vectors, []float32{float32(i), 100, 0.3})
	}
	vectors[7] = nil
	doc, passages := document(evidence.File, "/docs/a.txt", lines...)
	in := library.Intake{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: vectors}
	must(t, db.Commit(t.Context(), []library.Intake{in}))
	totals, err := db.Totals(t.Context(), "e1")
	must(t, err)
	due, err := db.Unvectored(t.Context(), "e1", 10)
	must(t, err)
	if totals.Vectors != len(lines) || len(due) != 0 {
		t.Errorf("%d vectors, due %v", totals.Vectors, due)
	}
	found := map[evidence.PassageID][]float32{}
	must(t, db.EachVector(t.Context(), "e1", func(ids []evidence.PassageID, _ []string, stored []quantize.Steps) error {
		for i, id := range ids {
			found[id] = stored[i].Vector()
		}
		return nil
	}))
	for i, p := range passages {
		if !slices.Equal(found[p.ID], vectors[i]) {
			t.Errorf("passage %d has %v, was set to %v", i, found[p.ID], vectors[i])
		}
	}
}

func TestVectorsOfATextThatIsThereAreLeftToBeMade(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages[:1]}))
	in := library.Intake{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages, Embedder: "e1", Vectors: [][]float32{{1}, {1}}}
	must(t, db.Commit(t.Context(), []library.Intake{in}))
	if due, err := db.Unvectored(t.Context(), "e1", 10); err != nil || len(due) != 2 {
		t.Errorf("due %v: %v", due, err)
	}
}
