package report

import (
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/quote"
	"footnote/backend/embed"
)

func TestASentenceOfNothingButNamesIsNearNothing(t *testing.T) {
	e, err := embed.NewMultilingual()
	if err != nil {
		t.Fatal(err)
	}
	w := &reporter{Input: Input{Vectors: e, Pipeline: &answer.Pipeline{}}}
	w.Pipeline.Plan.Standalone = "How does Marta Kessel of Oban Gears pay for her boats?"
	all := []quote.Sentence{{Text: "Marta Kessel, Oban Gears."}, {Text: "Boats are paid for in three parts."}, {Text: "The window is green."}}
	for range 2 { // the second time from what was kept
		near := w.nearness(t.Context(), "", all)
		if len(near) != 3 || near[0] != 0 || near[1] <= near[2] {
			t.Errorf("%v", near)
		}
	}
	w.Pipeline.Plan.Standalone = "Oban Gears"
	if near := w.nearness(t.Context(), "", all); len(near) != 3 || near[1] != 0 {
		t.Errorf("of a question of nothing but names: %v", near)
	}
}
