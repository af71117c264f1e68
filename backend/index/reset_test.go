package index

import (
	"testing"

	"footnote/backend/evidence"
)

func TestAfterAResetVectorsMayHaveAnotherLength(t *testing.T) {
	v := newVectors()
	x := &Index{vectors: v}
	if err := v.put("a", "d", []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	if err := v.put("b", "d", []float32{1, 0, 0}); err == nil {
		t.Error("two lengths in one index")
	}
	x.ResetVectors()
	if err := v.put("b", "d", []float32{1, 0, 0}); err != nil || v.count() != 1 {
		t.Errorf("%v, %d vectors", err, v.count())
	}
	hits, err := v.nearest(t.Context(), []float32{1, 0, 0}, nil, 5)
	if err != nil || len(hits) != 1 || hits[0].ID != evidence.PassageID("b") {
		t.Errorf("%v, %v", hits, err)
	}
}
