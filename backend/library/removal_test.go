package library_test

import (
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/store/quantize"
)

// Removal takes the words out of every place they were in: index, vectors,
// store, suggestions while typing.
func TestARemovedTextIsNowhere(t *testing.T) {
	h := newHouse(t).open()
	path := h.write("secret.txt", "the zanzibar paper about lamps")
	h.write("other.txt", "something else about lamps")
	h.addAll()
	digest := h.files()[0].Digest
	if h.files()[0].Path != path {
		digest = h.files()[1].Digest
	}
	gone := func() string {
		h.index.mu.Lock()
		for _, e := range h.index.entries {
			if strings.Contains(e.Body, "zanzibar") || e.Digest == digest {
				h.index.mu.Unlock()
				return "the index has it"
			}
		}
		h.index.mu.Unlock()
		if _, _, err := h.db.Text(t.Context(), digest); err == nil {
			return "the store has it"
		}
		typed, err := h.SearchWords(t.Context(), "zanzi", 5)
		must(t, err)
		if typed.Total > 0 {
			return "it is suggested while typing"
		}
		var left string
		must(t, h.db.EachVector(t.Context(), h.Embedder.ID(), func(_ []evidence.PassageID, digests []string, _ []quantize.Steps) error {
			for _, of := range digests {
				if of == digest {
					left = "its vectors are there"
				}
			}
			return nil
		}))
		return left
	}
	if gone() == "" {
		t.Fatal("it was never there")
	}
	must(t, h.Remove(t.Context(), path))
	h.eventually("nothing of it is left", func() bool { return gone() == "" })
	wantNames(t, h.finds("lamps"), "other.txt")
}
