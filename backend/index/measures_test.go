package index

import (
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

func TestMeasuresAreReadOncePerBatch(t *testing.T) {
	x := openAt(t, t.TempDir())
	search := func(total int) {
		t.Helper()
		if _, err := x.Words(t.Context(), library.Query{Text: "light", N: 5}); err != nil {
			t.Fatal(err)
		}
		if x.last.total != total {
			t.Errorf("measured %d passages, want %d", x.last.total, total)
		}
	}
	search(0)
	put(t, x, entry("psg_1", "f1", "note", "the light of the tower"))
	search(1)
	x.last.total = 77 // shows that it is not read again
	search(77)
	put(t, x, entry("psg_2", "f1", "note", "a light far out"))
	search(2)
	if err := x.Drop(t.Context(), []evidence.PassageID{"psg_1"}); err != nil {
		t.Fatal(err)
	}
	search(1)
}
