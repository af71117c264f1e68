package store

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

func TestPartsAtHandAreBoundedAndTheOldestGo(t *testing.T) {
	var r recentParts
	if r.get(1) != nil {
		t.Error("something is there at the start")
	}
	text := strings.Repeat("x", recentBytes/4)
	for key := range int64(4) {
		r.put(key, *newRuler(text))
	}
	r.get(0)
	r.put(4, *newRuler(text))
	r.put(4, *newRuler(text))
	for key, want := range map[int64]bool{0: true, 1: false, 2: true, 4: true} {
		if got := r.get(key); (got != nil) != want || want && got.text != text {
			t.Errorf("part %d: %v, want %v", key, got != nil, want)
		}
	}
	if r.bytes != recentBytes || r.used.Len() != 4 {
		t.Errorf("%d bytes in %d parts", r.bytes, r.used.Len())
	}
}

func TestAReaderMovesInItsOwnCopyOfAPart(t *testing.T) {
	var r recentParts
	r.put(1, *newRuler("äöü äöü"))
	one, other := r.get(1), r.get(1)
	if one.byteAt(5) != 9 || other.cp != 0 {
		t.Errorf("one stands at %d, the other at %d", one.cp, other.cp)
	}
}

func TestTextsWithLongerPartsAreStillRead(t *testing.T) {
	db := open(t)
	doc, _ := document(evidence.File, "/docs/a.txt", strings.Repeat("zwölf plain words ", 3000))
	passages := evidence.Split(doc, evidence.SplitOptions{})
	must(t, db.Commit(t.Context(), []library.Intake{{File: fileOf("/docs/a.txt", doc), Document: &doc, Passages: passages}}))
	_, err := db.w.Exec(`DELETE FROM parts WHERE part >= 0; UPDATE texts SET part = 16384`)
	must(t, err)
	r := newRuler(doc.Text)
	for part := 0; ; part++ {
		text, ok := r.slice(part*16384, min((part+1)*16384, 54000))
		if !ok {
			break
		}
		packed, err := db.packer.pack([]byte(text))
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

func BenchmarkUnpackingAPart(b *testing.B) {
	text := strings.Repeat("The keeper of the light wrote down each ship that passed, and the weather. ", 60)
	packed, err := new(packer).pack([]byte(text[:partChars]))
	if err != nil {
		b.Fatal(err)
	}
	var p packer
	for b.Loop() {
		if _, err := p.unpackText(packed); err != nil {
			b.Fatal(err)
		}
	}
}
