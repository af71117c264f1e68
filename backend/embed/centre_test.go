package embed

import (
	"errors"
	"testing"
)

func TestALineWithANameIsNotNearToQuestionsInOtherLanguages(t *testing.T) {
	e, err := NewMultilingual()
	if errors.Is(err, ErrNoKernel) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	texts := []Piece{e.Query("Qui a découvert la matière noire ?"), e.Cut("", "Jasem Mutlaq")[0], e.Cut("", "The story began in 1933 when an astronomer weighed a cluster of galaxies: most of what it is made of cannot be seen, and is called dark matter.")[0], e.Cut("", "The mast of the telescope is folded for the journey.")[0]}
	v, err := e.Encode(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	asked := e.Distinct(v[0])
	name, found, other := e.NearnessOf(Dot(asked, v[1])), e.NearnessOf(Dot(asked, v[2])), e.NearnessOf(Dot(asked, v[3]))
	if found <= name || found <= other {
		t.Errorf("what answers is %.2f near, a name %.2f, another thing %.2f", found, name, other)
	}
	if plain := e.Nearness(Dot(v[0], v[2])); found < plain-0.3 || found > plain+0.3 {
		t.Errorf("the scale changed: %.2f, %.2f before", found, plain)
	}
	if e.Distinct(Vector{}) != (Vector{}) {
		t.Error("a question without a vector has one")
	}
}
