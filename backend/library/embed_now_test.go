package library_test

import (
	"strings"
	"testing"

	"footnote/backend/library"
)

func TestABuiltInEmbedderMakesVectorsWithTheText(t *testing.T) {
	h := newHouse(t)
	h.here = true
	h.open()
	path := h.write("lamp.txt", strings.Repeat("The lamp of the harbour burns all night. ", 200))
	h.addAll()
	totals, err := h.db.Totals(t.Context(), h.Embedder.ID())
	must(t, err)
	words, vectors := h.index.Count()
	if totals.Chunks < 2 || totals.Vectors != totals.Chunks || vectors != totals.Chunks || words != totals.Chunks || h.embedder.texts.Load() != int64(totals.Chunks) {
		t.Errorf("%+v, index has %d and %d, %d texts were embedded", totals, words, vectors, h.embedder.texts.Load())
	}
	must(t, h.Remove(t.Context(), path))
	h.eventually("its vectors leave the index", func() bool {
		words, vectors := h.index.Count()
		return words == 0 && vectors == 0
	})
	if files, _, err := h.Files(t.Context(), library.FileQuery{}); err != nil || len(files) != 0 {
		t.Errorf("left: %v %v", files, err)
	}
}
