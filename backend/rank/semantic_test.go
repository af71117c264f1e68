package rank

import (
	"testing"
	"time"
)

func TestCosinesOfDifferentModelsAreNotCompared(t *testing.T) {
	encoded, static, none := web("encoded", "", "x"), web("static", "", "x"), web("none", "", "x")
	encoded.Score.Cosine, encoded.Score.Vector, encoded.Score.Encoded = 0.3, true, true
	static.Score.Cosine, static.Score.Vector = 0.9, true
	got := Rank("question", []Candidate{static, encoded, none}, general, time.Time{}, Options{})
	for _, c := range got {
		if *c.Scores.Semantic != 0.3 {
			t.Errorf("%s has %v: only the encoder's cosine counts, the others take the lowest", c.Passage.ID, *c.Scores.Semantic)
		}
	}
	for _, c := range Rank("question", []Candidate{static, none}, general, time.Time{}, Options{}) {
		if *c.Scores.Semantic != 0.9 {
			t.Errorf("%s has %v without the encoder", c.Passage.ID, *c.Scores.Semantic)
		}
	}
}
