package store

import (
	"maps"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

// encodedShelf is a store with one file of three passages.
func encodedShelf(t *testing.T) (*DB, library.File, []evidence.PassageID) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two", "three")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	var ids []evidence.PassageID
	for _, p := range passages {
		ids = append(ids, p.ID)
	}
	return db, f, ids
}

func TestEncoderVectorsAreMadeOnceNewestFirst(t *testing.T) {
	db, _, ids := encodedShelf(t)
	for left := 3; left > 0; left-- {
		due, have, all, err := db.Unencoded(t.Context(), "m", 1)
		must(t, err)
		if len(due) != 1 || due[0].Passage.ID != ids[left-1] || due[0].Path != "/docs/a.txt" || have != 3-left || all != 3 {
			t.Fatalf("due %+v, %d of %d", due, have, all)
		}
		must(t, db.PutEncoded(t.Context(), "m", []evidence.PassageID{due[0].Passage.ID, "psg_gone"}, [][]byte{[]byte(due[0].Passage.Text), {1}}))
	}
	must(t, db.PutEncoded(t.Context(), "m", ids[:1], [][]byte{nil}))
	got, err := db.Encoded(t.Context(), "m", append(ids, "psg_gone"))
	must(t, err)
	if _, known := got[ids[0]]; len(got) != 3 || !known || len(got[ids[0]]) != 0 || string(got[ids[1]]) != "two" {
		t.Errorf("stored %v", got)
	}
	seen := map[evidence.PassageID]string{}
	must(t, db.EachEncoded(t.Context(), "m", func(ids []evidence.PassageID, digests []string, packed [][]byte) error {
		for i, id := range ids {
			seen[id] = string(packed[i])
			if digests[i] == "" {
				t.Error("no digest")
			}
		}
		return nil
	}))
	if !maps.Equal(seen, map[evidence.PassageID]string{ids[0]: "", ids[1]: "two", ids[2]: "three"}) {
		t.Errorf("walked %v", seen)
	}
	must(t, db.DropEncoded(t.Context(), "next"))
	if due, have, _, err := db.Unencoded(t.Context(), "m", 9); err != nil || len(due) != 3 || have != 0 {
		t.Errorf("after another model came %d are due, %v", len(due), err)
	}
}

func TestRemovedTextTakesItsEncoderVectorsAlong(t *testing.T) {
	db, f, ids := encodedShelf(t)
	must(t, db.PutEncoded(t.Context(), "m", ids, [][]byte{{1}, {2}, {3}}))
	moved := f
	moved.Path = "/docs/else/a.txt"
	must(t, db.PutFiles(t.Context(), []library.File{moved}))
	if got, err := db.Encoded(t.Context(), "m", ids); err != nil || len(got) != 3 {
		t.Errorf("after a move %v, %v", got, err)
	}
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	if got, err := db.Encoded(t.Context(), "m", ids); err != nil || len(got) != 0 {
		t.Errorf("after removal %v, %v", got, err)
	}
	must(t, db.PutEncoded(t.Context(), "m", ids, [][]byte{{1}, {2}, {3}}))
	var rows int
	must(t, db.r.QueryRow(`SELECT count(*) FROM encoded`).Scan(&rows))
	if rows != 0 {
		t.Errorf("%d rows for passages that are gone", rows)
	}
}
