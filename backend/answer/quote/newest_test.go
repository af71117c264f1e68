package quote

import (
	"testing"

	"footnote/backend/answer/quote/versions"
)

func TestWhatTakesTheLikeliestBackStandsBeforeIt(t *testing.T) {
	checker := checkerForTest(t)
	old, mended := "Renewed with Fenland Mutual at £421 for the year from 1 April.", "The insurance premium was written down wrongly: it is £412, not £421."
	was, moved := "Outside broadcast from the Wexcombe fete on Saturday 19 July.", "The fete, and our outside broadcast with it, has been moved to Saturday 26 July."
	for _, c := range []struct {
		question, first, second string
		behind                  float64
		dated                   [2]int
		want                    string
	}{
		{"What is the insurance premium this time?", old, mended, 2, [2]int{}, mended},
		{"What is the insurance premium this time?", old, mended, 6, [2]int{}, old},
		{"What is the insurance premium this time?", old, mended, 2, [2]int{20250501, 20250301}, old}, // an older text mends no newer one
		{"What is the insurance premium this time?", old, mended, 2, [2]int{20250501, 0}, mended},     // when it is from is not known
		{"What was the old insurance premium?", old, mended, 2, [2]int{}, old},
		{"When is the broadcast from the fete?", was, moved, 1, [2]int{}, moved},
		{"Where is the broadcast from the fete?", was, moved, 1, [2]int{}, was},
	} {
		passages := []Passage{{Version: versions.Version{Dated: c.dated[0]}}, {Version: versions.Version{Dated: c.dated[1]}}}
		all := []judged{{candidate: candidate{Sentence: Sentence{Text: c.first}}}, {candidate: candidate{Sentence: Sentence{Text: c.second, Passage: 1}}, likely: -c.behind}}
		queryOver(checker, c.question, passages).correctedFirst(all, passages)
		if all[0].Text != c.want {
			t.Errorf("%s: %q stands first, want %q", c.question, all[0].Text, c.want)
		}
	}
}
