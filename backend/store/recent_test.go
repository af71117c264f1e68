package store

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/pack"
)

func TestTextsWithLongerPartsAreStillRead(t *testing.T) {
	db := open(t)
	doc, _ := document(evidence.File, "/docs/a.txt", strings.Repeat("zwölf plain words ", 3000))
	passages := evidence.Split(doc, evidence.SplitOptions{})
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	_, err := db.w.Exec(`DELETE FROM parts WHERE part >= 0; UPDATE texts SET part = 16384`)
	must(t, err)
	r := pack.NewRuler(doc.Text)
	for part := 0; ; part++ {
		text, ok := r.Slice(part*16384, min((part+1)*16384, 54000))
		if !ok {
			break
		}
		packed, err := db.packer.Pack([]byte(text))
		must(t, err)
		_, err = db.w.Exec(`INSERT INTO parts (text, part, data) SELECT n, ?, ? FROM texts`, part, packed)
		must(t, err)
	}
	placed, err := db.Unindexed(t.Context(), 1)
	must(t, err)
	if len(placed) != len(passages) || len(passages) < 30 {
		t.Fatalf("%d of %d passages", len(placed), len(passages))
	}
	for i, p := range placed {
		if p.Passage.Text != passages[i].Text {
			t.Errorf("passage %d: %q", i, p.Passage.Text)
		}
	}
}

func TestWhatWasDroppedIsNotServedFromWhatIsAtHand(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.File, "/docs/a.txt", "one", "two")
	f := fileOf("/docs/a.txt", doc)
	must(t, db.Commit(t.Context(), []library.Intake{{File: f, Document: &doc, Passages: passages}}))
	ids := []evidence.PassageID{passages[0].ID}
	for range 2 {
		if placed, err := db.Passages(t.Context(), ids); err != nil || len(placed) != 1 || placed[0].Passage.Text != passages[0].Text {
			t.Fatalf("%v %v", placed, err)
		}
	}
	must(t, db.DropFiles(t.Context(), []string{f.ID}))
	if placed, err := db.Passages(t.Context(), ids); err != nil || len(placed) != 0 {
		t.Errorf("after it went: %v %v", placed, err)
	}
}
