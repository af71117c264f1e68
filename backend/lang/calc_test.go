package lang

import "testing"

func TestFiguresOfSeveralTimesAreAskedFor(t *testing.T) {
	for text, want := range map[string]bool{
		"How did revenue develop over the years?":           true,
		"Did margins fluctuate?":                            true,
		"Wie hat sich die Miete über die Jahre entwickelt?": true,
		"Comment le loyer a-t-il évolué au fil des ans ?":   true,
		"¿Cómo han variado las ventas mes a mes?":           true,
		"家賃の推移は？":                                           true,
		"历年的房租是多少？":                                         true,
		"How high was the rent in 2023?":                    false,
		"Wie hoch war die Miete im Mai?":                    false,
		"Quel était le loyer en mai ?":                      false,
	} {
		if got := OverPeriods(Spoken(text), text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
