package quote

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/answertype"
	"footnote/backend/embed"
	"footnote/backend/embed/meaning"
)

// encoderFixture is a question of the reference with what the encoder adds.
type encoderFixture struct {
	Name, Question string
	Passages       []struct {
		Title       string
		S2, Cos, BM float64
		Sentences   []string
	}
	Sentences []struct {
		P, I       int
		Mst, Score float64
		Near       float64
	}
	Chosen   [][2]int `json:"chosen_encoder"`
	Evidence float64  `json:"evidence_encoder"`
	State    string   `json:"state_encoder"`
}

func (x encoderFixture) passages() (out []Passage) {
	for i, p := range x.Passages {
		out = append(out, Passage{N: i + 1, Title: p.Title, BM: p.BM, S2: p.S2, Cosine: p.Cos, Text: strings.Join(p.Sentences, "\n")})
	}
	return out
}

func (x encoderFixture) sentence(s Sentence) [2]int {
	at := 0
	for i, text := range x.Passages[s.Passage].Sentences {
		if at += len(text) + 1; s.Span.Start < at {
			return [2]int{s.Passage, i}
		}
	}
	return [2]int{s.Passage, -1}
}

func encoderFixtures(t *testing.T) (all []encoderFixture) {
	t.Helper()
	if err := json.Unmarshal(sharedFile(t, "extractive/fixtures.json"), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// encoderMatcher is the built-in encoder; without its kernel the test is skipped.
func builtInEncoder(t *testing.T) Encoder {
	t.Helper()
	encoder, err := embed.NewEncoder()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("this processor has no kernel for the encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	judge := meaning.New(meaning.Config{Tokens: encoder, Options: func() meaning.Options { return meaning.Options{On: true, Top: 20, Wait: true} }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { judge.Close() })
	return judge
}

// scripted is an encoder of a test.
type scripted func(weigh func(word string) float64, sentences []string) ([]float64, bool)

func (s scripted) Matches(_ context.Context, _ string, weigh func(string) float64, sentences []string) ([]float64, bool) {
	return s(weigh, sentences)
}

// mixedKinds ask who, with a clause that says when: the reference takes them for
// questions for a time.
var mixedKinds = map[string]bool{"qed-3": true}

func TestEncoderScoresEqualTheReferenceFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c, encoder := checkerForTest(t), builtInEncoder(t)
	worst, sum, n := 0.0, 0.0, 0
	for _, x := range encoderFixtures(t) {
		q := NewQuery(c, x.Question)
		near := answertype.NewNearness(c, x.Question)
		var texts []string
		for _, s := range x.Sentences {
			texts = append(texts, titled(x.Passages[s.P].Title, x.Passages[s.P].Sentences[s.I]))
		}
		got, ok := encoder.Matches(t.Context(), x.Question, q.weighWord(), texts)
		if !ok {
			t.Fatal("the encoder did not answer")
		}
		for i, s := range x.Sentences {
			off := math.Abs(got[i] - s.Mst)
			worst, sum, n = max(worst, off), sum+off, n+1
			if off > 0.04 && !apartFromReference[x.Name] {
				t.Errorf("%s %d/%d: mst %.3f, want %.3f", x.Name, s.P, s.I, got[i], s.Mst)
			}
			if v := near.Of(x.Passages[s.P].Sentences[s.I]); v != s.Near && !mixedKinds[x.Name] {
				t.Errorf("%s %d/%d: near %v, want %v in %q for %q", x.Name, s.P, s.I, v, s.Near, x.Passages[s.P].Sentences[s.I], x.Question)
			}
		}
	}
	t.Logf("mst of %d sentences: mean difference %.4f, largest %.3f", n, sum/float64(n), worst)
}

func TestEncoderChoicesEqualTheReferenceFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c, encoder := checkerForTest(t), builtInEncoder(t)
	for _, x := range encoderFixtures(t) {
		r := extract(t.Context(), c, x.Question, x.passages(), encoder)
		if math.Abs(r.Evidence-x.Evidence) > 0.04 && !apartFromReference[x.Name] {
			t.Errorf("%s: evidence %.3f, want %.3f", x.Name, r.Evidence, x.Evidence)
		}
		if string(r.State) != x.State && math.Abs(x.Evidence-0.9) > 0.03 && math.Abs(x.Evidence-1.05) > 0.03 {
			t.Errorf("%s: state %s, want %s", x.Name, r.State, x.State)
		}
		var got [][2]int
		for _, s := range r.Sentences {
			got = append(got, x.sentence(s))
		}
		slices.SortFunc(got, slicesOrder)
		want := slices.Clone(x.Chosen)
		slices.SortFunc(want, slicesOrder)
		if got = slices.Compact(got); !slices.Equal(got, want) && !x.close(got, want) && !apartFromReference[x.Name] {
			t.Errorf("%s: chose %v, want %v", x.Name, got, want)
		}
	}
}

// close reports whether what differs between two choices lies within 0.03 of the
// border: of the score that is enough, or of the sixth sentence.
func (x encoderFixture) close(got, want [][2]int) bool {
	score := map[[2]int]float64{}
	var all []float64
	for _, s := range x.Sentences {
		score[[2]int{s.P, s.I}] = s.Score
		all = append(all, s.Score)
	}
	slices.Sort(all)
	border := all[len(all)-1] - encoderScale.delta
	if len(all) > mostSentences {
		border = max(border, all[len(all)-mostSentences])
	}
	for _, s := range slices.Concat(got, want) {
		if slices.Contains(got, s) != slices.Contains(want, s) && math.Abs(score[s]-border) > 0.03 {
			return false
		}
	}
	return true
}

// apartFromReference are fixtures of which a number of two words ("60 million") is one
// word to the reference, or whose sentences are cut otherwise.
var apartFromReference = map[string]bool{"hotpot-2": true, "hotpot-removed-0": true, "xquad-removed-1": true}

func TestWithoutAnAnswerOfTheEncoderWordsDecide(t *testing.T) {
	c := checkerForTest(t)
	late := scripted(func(func(string) float64, []string) ([]float64, bool) { return nil, false })
	want := extract(t.Context(), c, "When was the Old River Bridge opened?", bridge(), nil)
	got := extract(t.Context(), c, "When was the Old River Bridge opened?", bridge(), late)
	if got.Evidence != want.Evidence || len(got.Sentences) != len(want.Sentences) || got.Sentences[0].Score != want.Sentences[0].Score {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAMatchWithoutSharedWordsAnswers(t *testing.T) {
	c := checkerForTest(t)
	passages := []Passage{{N: 1, Title: "Notes", BM: 1, S2: 0.8, Cosine: 0.6, Text: "The lens weighs 3.2 tonnes. The keeper likes lens caps."}}
	encoder := scripted(func(weigh func(string) float64, sentences []string) ([]float64, bool) {
		if weigh("How") != 0 || weigh("is") != 0 || weigh("lens") <= 0 || !strings.HasPrefix(sentences[0], "Notes. The lens") {
			t.Errorf("weights %v %v, sentences %q", weigh("How"), weigh("lens"), sentences)
		}
		return []float64{0.8, 0.5}, true
	})
	r := extract(t.Context(), c, "How heavy is the lens?", passages, encoder)
	if r.State != Answer || len(r.Sentences) != 1 || !strings.Contains(r.Sentences[0].Text, "3.2") {
		t.Errorf("got %+v", r)
	}
}

// TestWhatTheEncoderPutsFirstIsQuoted holds for an answer in other words than the
// question's, beside a sentence with some of its words.
func TestWhatTheEncoderPutsFirstIsQuoted(t *testing.T) {
	c := checkerForTest(t)
	passages := []Passage{{N: 1, Title: "Rules", BM: 1, S2: 0.5, Cosine: 0.6, Text: "The water tank is repaired in March. The mains are shut off from 1 November to 1 March."}}
	for mains, want := range map[float64]string{
		0.8: "The water tank is repaired in March. | The mains are shut off from 1 November to 1 March.",
		0.5: "The water tank is repaired in March.",
	} {
		encoder := scripted(func(func(string) float64, []string) ([]float64, bool) { return []float64{0.7, mains}, true })
		question := "When is the water turned off?"
		r := NewQuery(c, question).refined(extract(t.Context(), c, question, passages, encoder), passages)
		if got := strings.Join(told(r), " | "); got != want || r.State != Answer {
			t.Errorf("mains %v: %s %q, want %q", mains, r.State, got, want)
		}
	}
}

func TestNearnessFindsTheKindThatIsAskedFor(t *testing.T) {
	c := checkerForTest(t)
	for _, x := range []struct {
		question, sentence string
		want               float64
	}{
		{"How many lamps has the tower?", "The tower has twelve lamps.", 1},
		{"How many lamps has the tower?", "The tower has lamps.", 0},
		{"How many lamps has the tower?", "Twelve people came.", 0},
		{"When was the tower built?", "They built the tower in March.", 1},
		{"When was the tower built?", "They built the tower in march.", 0},
		{"When was the tower built?", "The tower was built 12 years later.", 1},
		{"When was the tower of 1850 built?", "The tower was of 1850.", 0},
		{"Who built the tower?", "The tower was built by Ann Lee.", 1},
		{"Who built the tower?", "The tower was built by masons.", 0},
		{"Where is the tower?", "The tower stands in Leith.", 1},
		{"Why was the tower closed?", "The tower closed because of rain.", 1},
		{"What is a tower?", "A tower is 30 m high.", 0},
	} {
		if got := answertype.NewNearness(c, x.question).Of(x.sentence); got != x.want {
			t.Errorf("%q for %q: %v", x.sentence, x.question, got)
		}
	}
}
