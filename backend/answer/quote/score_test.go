package quote

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote/regression"
	"footnote/backend/answer/quote/statements"
	"footnote/backend/evidence"
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

func (r reader) Near(ctx context.Context, question string, texts []string) ([]float64, bool) {
	odds, ok := r.Answers(ctx, question, texts)
	for i, o := range odds {
		odds[i] = 0.1
		if o > 0 {
			odds[i] = 0.7
		}
	}
	return odds, ok
}

func towers() []Passage {
	return []Passage{
		{ID: "a", N: 1, Title: "Guide", Text: "The tower was painted red in 1990. From its foot to the lamp one climbs 46 metres.", BM: 1, Cosine: 0.6},
		{ID: "b", N: 2, Title: "Log", Text: "The keeper wrote of the height of the waves around the tower.", BM: 0.8, Cosine: 0.5},
	}
}

func TestTheScorerPutsFirstWhatAnswers(t *testing.T) {
	r := Compose(t.Context(), "What is the height of the tower?", towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{"46 metres": 9}, Near: reader{"46 metres": 9}})
	if len(r.Sentences) == 0 || !strings.Contains(r.Sentences[0].Text, "46 metres") && !strings.Contains(r.Sentences[len(r.Sentences)-1].Text, "46 metres") || r.State == None {
		t.Errorf("%s %.2f %+v", r.State, r.Confidence, told(r))
	}
	if r.Trace == nil || len(r.Trace.Considered) != 3 || len(r.Trace.Considered[0].Features) != len(regression.FeatureNames) || r.Trace.Considered[0].LogOdds != 9 {
		t.Errorf("trace is %+v", r.Trace)
	}
}

func TestWhatNothingAnswersIsNotAnswered(t *testing.T) {
	r := Compose(t.Context(), "Who designed the lens of the tower in Harwick?", towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{}, Near: reader{}})
	if r.State == Answer || r.Confidence > 0.2 {
		t.Errorf("%s, %.2f", r.State, r.Confidence)
	}
}

func TestWithoutAScorerRulesDecide(t *testing.T) {
	if r := Compose(t.Context(), "What is the height of the tower?", towers(), nil, Deps{Checker: checkerForTest(t)}); r.Trace != nil || len(r.Sentences) == 0 {
		t.Errorf("%+v", r)
	}
}

func TestWhatTheCrossEncoderDoesNotReadIsScoredWithoutIt(t *testing.T) {
	for question, d := range map[string]Deps{
		"How many metres does one climb to the lamp?": {Scorer: reader(nil)},
		"塔の高さは何メートルですか?":                              {Scorer: reader{"46": 9}},
	} {
		d.Checker = checkerForTest(t)
		passages := append(towers(), Passage{ID: "c", N: 3, Title: "案内", Text: "塔は赤い。塔の高さは46メートルです。", BM: 0.9})
		r := Compose(t.Context(), question, passages, nil, d)
		if r.Trace == nil || len(r.Sentences) == 0 || !strings.Contains(r.Sentences[0].Text, "46") {
			t.Fatalf("%s: %+v", question, r)
		}
		for _, c := range r.Trace.Considered {
			if c.LogOdds != 0 || c.Features[regression.Cosine] != 0 || c.Features[regression.Read] != 0 || c.Features[regression.Foremost] != 0 {
				t.Errorf("%s: %+v was read", question, c)
			}
		}
	}
}

func TestOnlyEnglishQuestionsAreReadByTheCrossEncoder(t *testing.T) {
	for question, read := range map[string]bool{"How high is the tower?": true, "Wie hoch ist der Turm?": false, "Quanto costa il biglietto?": false, "Вежа яка заввишки?": false} {
		r := Compose(t.Context(), question, towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{"tower": 9}, Near: reader{"tower": 0.9}})
		if r.Trace == nil {
			t.Fatalf("%s: %+v", question, r)
		}
		if r.Late {
			t.Errorf("%s: the cross-encoder is said to be late", question)
		}
		for _, c := range r.Trace.Considered {
			if got := c.Features[regression.English] != 0; got != read || got != (c.Features[regression.Read] != 0) {
				t.Errorf("%s: %q was read: %v", question, c.Text, got)
			}
		}
	}
}

func TestOverTextsInAnotherLanguageTheNearestComesClose(t *testing.T) {
	for question, abroad := range map[string]bool{"Wie viele Stufen führen hinauf zum Licht?": true, "How many steps lead up to the light?": false} {
		r := Compose(t.Context(), question, towers(), nil, Deps{Checker: checkerForTest(t), Scorer: reader{"46 metres": 9}, Near: reader{"46 metres": 9}})
		if len(r.Sentences) == 0 || !strings.Contains(r.Sentences[0].Text, "46 metres") {
			t.Fatalf("%s: %+v", question, told(r))
		}
		if read := r.Trace.Considered[0].LogOdds != 0; read == abroad || abroad && r.State != Closest {
			t.Errorf("%s: %s at %.2f, the cross-encoder read: %v", question, r.State, r.Confidence, read)
		}
	}
}

func (r reader) Joined(ctx context.Context, question string, texts []string) ([]float64, bool) {
	return r.Answers(ctx, question, texts)
}

// What reads question and sentence together moves the order and the certainty, where the
// sentence encoder reads too.
func TestTheJointEncoderHasTheLastWord(t *testing.T) {
	const question = "Wie hoch ist der Turm?"
	passages := []Passage{{ID: "a", N: 1, Title: "Türme", Text: "Wie hoch der Turm ist, fragen alle. Bis zur Spitze misst der Turm 46 Meter.", BM: 1}}
	near := reader{"": 0.5}
	without := Compose(t.Context(), question, passages, nil, Deps{Checker: checkerForTest(t), Scorer: reader{}, Near: near})
	with := Compose(t.Context(), question, passages, nil, Deps{Checker: checkerForTest(t), Scorer: reader{}, Near: near, Joint: reader{"46 Meter": 6}})
	if len(with.Sentences) == 0 || !strings.Contains(with.Sentences[0].Text, "46 Meter") {
		t.Fatalf("%+v", told(with))
	}
	if with.Trace.Considered[0].Joint == 0 || with.Confidence <= without.Confidence {
		t.Errorf("joint %v, confidence %.2f with and %.2f without", with.Trace.Considered[0].Joint, with.Confidence, without.Confidence)
	}
	if alone := Compose(t.Context(), question, passages, nil, Deps{Checker: checkerForTest(t), Scorer: reader{}, Joint: reader{"46 Meter": 6}}); alone.Trace.Considered[0].Joint != 0 {
		t.Error("it read where the sentence encoder did not")
	}
}

func TestTheScorersWeightsFitItsFeatures(t *testing.T) {
	s := regression.Trained()
	if regression.FeatureNames[regression.Cosine] != "cosine" || regression.FeatureNames[regression.Read] != "read" || regression.FeatureNames[regression.Foremost] != "foremost" || regression.FeatureNames[regression.Meant] != "meant" {
		t.Errorf("features are %q", regression.FeatureNames)
	}
	right, answered := len(regression.FeatureNames), len(regression.FeatureNames)+len(regression.QuestionNames)
	for name, l := range map[string]struct {
		regression.Logistic
		n int
	}{"read, right": {s.Read.Right, right}, "read, answered": {s.Read.Answered, answered}, "read, listed": {s.Read.Listed, answered}, "meant, right": {s.Meant.Right, right}, "meant, answered": {s.Meant.Answered, answered}, "meant, listed": {s.Meant.Listed, answered}, "alone, right": {s.Alone.Right, right}, "alone, answered": {s.Alone.Answered, answered}, "alone, listed": {s.Alone.Listed, answered}, "abroad, right": {s.Abroad.Right, right}, "abroad, answered": {s.Abroad.Answered, answered}, "abroad, listed": {s.Abroad.Listed, answered}} {
		if len(l.Mean) != l.n || len(l.Scale) != l.n || len(l.Weight) != l.n {
			t.Errorf("%s has %d, %d, %d weights for %d features", name, len(l.Mean), len(l.Scale), len(l.Weight), l.n)
		}
		for i, v := range l.Scale {
			if v <= 0 || math.IsNaN(l.Weight[i]) {
				t.Errorf("%s: feature %d has scale %v, weight %v", name, i, v, l.Weight[i])
			}
		}
	}
	for name, c := range map[string]regression.Calibrated{"read": s.Read, "meant": s.Meant} {
		if len(c.Joined.Weight) != 2 || len(c.Sure.Weight) != 8 || min(c.Joined.Weight[0], c.Joined.Weight[1]) <= 0 {
			t.Errorf("%s: joined %v, sure %v", name, c.Joined.Weight, c.Sure.Weight)
		}
	}
	if !(0 < s.Closest && s.Closest < s.ClosestJoined && s.ClosestJoined < s.Answers && s.Answers < s.AnswersJoined && s.AnswersJoined < 1) || s.Read.Right.Weight[0] <= 0 {
		t.Errorf("thresholds %v, %v; the cross-encoder weighs %v", s.Closest, s.Answers, s.Read.Right.Weight[0])
	}
}

func TestWordsThatAllCandidatesHaveWeighLittle(t *testing.T) {
	q := NewQuery(checkerForTest(t), "Which film had the role of Mandy Murphy?")
	passages := []Passage{{ID: "a", Title: "Films", Text: "Film: Rocky. Role: Adrian.\nFilm: Hook. Role: Jack.\nFilm: Ice. Role: Mandy Murphy."}}
	pool := []Sentence{{Text: "Film: Rocky. Role: Adrian."}, {Text: "Film: Hook. Role: Jack.", Order: 1, Span: evidence.Span{Start: 1, End: 2}}, {Text: "Film: Ice. Role: Mandy Murphy.", Order: 2, Span: evidence.Span{Start: 2, End: 3}}}
	chosen, _ := q.shortlisted(pool, nil, passages, make([][]rank.Window, 1), 2)
	if len(chosen) != 2 || chosen[0].byRules != 0 || chosen[1].Order != 2 || chosen[1].byRare != 0 || chosen[1].rare < 0.7 {
		t.Errorf("%+v", chosen)
	}
}

func TestWhatMeansTheSameInOtherWordsIsRead(t *testing.T) {
	text := strings.Repeat("Members of the club pay their fee in March. The members choose who leads the club. ", 3) + "Whoever wants out writes by the end of June. The club has a fee for boats of members."
	q := NewQuery(checkerForTest(t), "How do members leave the club?")
	var pool []Sentence
	for i, s := range evidence.Sentences(text) {
		pool = append(pool, Sentence{Text: text[s.Start:s.End], Span: s, Order: i})
	}
	out := pool[6].Span
	windows := [][]rank.Window{{{End: out.Start, Near: 0.1}, {End: out.End, Near: 0.8}, {End: len(text), Near: 0.2}}} // as the sentence encoder has them
	has := func(windows [][]rank.Window) bool {
		chosen, _ := q.shortlisted(pool, nil, []Passage{{ID: "a", Title: "Club", Text: text}}, windows, 2)
		return slices.ContainsFunc(chosen, func(c candidate) bool { return c.Order == 6 })
	}
	if has(make([][]rank.Window, 1)) || !has(windows) {
		t.Error("words find it, or windows do not")
	}
}

func TestASentenceWithoutSpacesIsNoLabel(t *testing.T) {
	passages := []Passage{{ID: "a", N: 1, Title: "简历", Text: "1973年10月，任长春市邮局国际联邮员。1974年4月，任长春市邮局副科长。", BM: 1}}
	r := Compose(t.Context(), "1973年10月担任什么职务？", passages, nil, Deps{Checker: checkerForTest(t), Scorer: reader{}})
	if len(r.Sentences) == 0 || !strings.HasPrefix(r.Sentences[0].Text, "1973年10月") {
		t.Errorf("%+v", told(r))
	}
	if n := statements.WordCount("Wie hoch ist der Turm?"); n != 5 {
		t.Errorf("%d words", n)
	}
}

func TestAnEncoderThatIsLateIsTold(t *testing.T) {
	english, russian := "What is the height of the tower?", "Какова высота башни?"
	for name, c := range map[string]struct {
		question     string
		scorer, near reader
		want         bool
	}{
		"both in time":              {english, reader{"46 metres": 9}, reader{"46 metres": 9}, false},
		"the sentence encoder late": {english, reader{"46 metres": 9}, nil, true},
		"the cross-encoder late":    {english, nil, reader{"46 metres": 9}, true},
		"one that is not read":      {russian, nil, reader{"46 metres": 9}, false},
		"the second part alone":     {english + "|" + russian, nil, reader{"46 metres": 9}, true},
	} {
		d := Deps{Checker: checkerForTest(t), Scorer: c.scorer, Near: c.near, Parts: func(q string) []string { return strings.Split(q, "|") }}
		if r := Compose(t.Context(), c.question, towers(), nil, d); r.Late != c.want {
			t.Errorf("%s: late is %v", name, r.Late)
		}
	}
}

func TestOnlyRowsWithFiguresAreOfSeveralPeriods(t *testing.T) {
	rows := []Sentence{{N: 1, Text: "locking  See the chapter on locks", foundRow: foundRow{label: "locking"}}, {N: 2, Text: "locking  See the chapter on mail", foundRow: foundRow{label: "locking"}}}
	if shareLabel(rows) {
		t.Error("rows without a figure tell of two periods")
	}
	rows[0].Text, rows[1].Text = "rent  2019  900", "rent  2020  950"
	if !shareLabel(rows) {
		t.Error("rows of two years do not")
	}
}
