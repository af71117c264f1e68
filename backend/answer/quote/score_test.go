package quote

import (
	"context"
	"math"
	"strings"
	"testing"

	"footnote/backend/rank"
)

// reader answers with log-odds by a word of the text.
type reader map[string]float64

func (r reader) Answers(_ context.Context, _ string, texts []string) ([]float64, bool) {
	if r == nil {
		return nil, false
	}
	out := make([]float64, len(texts))
	for i, text := range texts {
		out[i] = -10
		for word, odds := range r {
			if strings.Contains(text, word) {
				out[i] = odds
			}
		}
	}
	return out, true
}

func towers() []Passage {
	return []Passage{
		{ID: "a", N: 1, Title: "Guide", Text: "The tower was painted red in 1990. From its foot to the lamp one climbs 46 metres.", BM: 1, Cosine: 0.6},
		{ID: "b", N: 2, Title: "Log", Text: "The keeper wrote of the height of the waves around the tower.", BM: 0.8, Cosine: 0.5},
	}
}

func TestTheScorerPutsFirstWhatAnswers(t *testing.T) {
	r := Compose(t.Context(), "What is the height of the tower?", towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{"46 metres": 9}, Gate: rank.English})
	if len(r.Sentences) == 0 || !strings.Contains(r.Sentences[0].Text, "46 metres") && !strings.Contains(r.Sentences[len(r.Sentences)-1].Text, "46 metres") || r.State != Answer {
		t.Errorf("%s %.2f %+v", r.State, r.Confidence, told(r))
	}
	if r.Trace == nil || len(r.Trace.Considered) != 3 || len(r.Trace.Considered[0].Features) != len(FeatureNames) || r.Trace.Considered[0].LogOdds != 9 {
		t.Errorf("trace is %+v", r.Trace)
	}
}

func TestWhatNothingAnswersIsNotAnswered(t *testing.T) {
	r := Compose(t.Context(), "Who designed the lens of the tower in Harwick?", towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{}, Gate: rank.English})
	if r.State == Answer || r.Confidence > 0.2 {
		t.Errorf("%s, %.2f", r.State, r.Confidence)
	}
}

func TestWithoutAScorerRulesDecide(t *testing.T) {
	question := "What is the height of the tower?"
	for name, d := range map[string]Deps{"none": {}, "late": {Scorer: reader(nil)}} {
		d.Checker = checkerForTest(t)
		if r := Compose(t.Context(), question, towers(), nil, d); r.Trace != nil || len(r.Sentences) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	other := Compose(t.Context(), "Как высока башня?", towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{"46": 9}})
	if other.Trace != nil {
		t.Error("the scorer was asked about a text in an alphabet that it does not read")
	}
}

func TestTheScorersWeightsFitItsFeatures(t *testing.T) {
	s := scorer()
	right, answered := len(FeatureNames), len(FeatureNames)+len(questionNames)
	for name, l := range map[string]struct {
		logistic
		n int
	}{"right": {s.Right, right}, "answered": {s.Answered, answered}} {
		if len(l.Mean) != l.n || len(l.Scale) != l.n || len(l.Weight) != l.n {
			t.Errorf("%s has %d, %d, %d weights for %d features", name, len(l.Mean), len(l.Scale), len(l.Weight), l.n)
		}
		for i, v := range l.Scale {
			if v <= 0 || math.IsNaN(l.Weight[i]) {
				t.Errorf("%s: feature %d has scale %v, weight %v", name, i, v, l.Weight[i])
			}
		}
	}
	if !(0 < s.Closest && s.Closest < s.Answers && s.Answers < 1) || s.Right.Weight[0] <= 0 {
		t.Errorf("thresholds %v, %v; the cross-encoder weighs %v", s.Closest, s.Answers, s.Right.Weight[0])
	}
}

func TestNamesAndNumbersThatAPassageLacks(t *testing.T) {
	if got := namesIn("When did Ada Lovelace's brother visit O'Hara?"); len(got) != 3 || got[1] != "Lovelace" {
		t.Errorf("names %q", got)
	}
	if got := lacking([]string{"Ada", "1932"}, "ada was there"); got != 0.5 {
		t.Errorf("lacking %v", got)
	}
	if !otherAlphabet("東京の人口は?") || otherAlphabet("Wie hoch ist der Turm (башня)?") || otherAlphabet("2+2") {
		t.Error("alphabets are wrong")
	}
}
