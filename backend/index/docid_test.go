package index

import (
	"testing"

	"footnote/backend/evidence"
)

func TestAnIdIsWhatItWasInThePostings(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []evidence.PassageID{
		evidence.NewPassageID("d", 0, 10), evidence.NewPassageID("d", 10, 20), "a", "psg_", "0123456789abcdef", "another passage: a", evidence.NewPassageID("d", 0, 10) + "a",
	} {
		doc := docID(id)
		if seen[doc] {
			t.Errorf("%q is another one's", id)
		}
		seen[doc] = true
		if got := passageOf(doc); got != id {
			t.Errorf("%q came back as %q", id, got)
		}
	}
	if n := len(docID(evidence.NewPassageID("d", 0, 10))); n != len(key{}) {
		t.Errorf("%d bytes", n)
	}
}
