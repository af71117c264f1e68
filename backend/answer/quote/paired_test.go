package quote

import (
	"strings"
	"testing"
)

func TestWhatTwoSidesComeToCitesBoth(t *testing.T) {
	r := Result{State: Answer, Short: "150 = 2,450 (2024) − 2,300 (2023)", Worked: true, Sides: true, Sentences: []Sentence{
		{N: 1, Text: "He is paid 2,300 euros.", Score: 1}, {N: 2, Passage: 1, Text: "He is paid 2,450 euros."},
	}}
	text := r.Quotations()
	short, _, _ := strings.Cut(text, "\n")
	if short != "**150 = 2,450 (2024) − 2,300 (2023)** [1][2]" {
		t.Errorf("%q", text)
	}
	said := strings.TrimSuffix(short, " [1][2]")
	for n, want := range map[int]string{1: "He is paid 2,300 euros.", 2: "He is paid 2,450 euros."} {
		if s, ok := r.Proof(said, 0, n); !ok || s.Text != want {
			t.Errorf("%d: %v %q", n, ok, s.Text)
		}
	}
	r.Sides = false
	if _, ok := r.Proof(said, 0, 2); ok || strings.Contains(r.Quotations(), "[1][2]") {
		t.Error("what is worked out of one cites two")
	}
}
