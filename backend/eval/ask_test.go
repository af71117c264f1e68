package eval

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
)

// shelf is a product that quotes one file by rote.
type shelf struct {
	text string
	said map[string]contract.Answer
}

func (s shelf) Ranking(_ context.Context, run contract.RunID) (trace.Ranking, error) {
	if run == "" {
		return trace.Ranking{}, errors.New("no ranking")
	}
	return trace.Ranking{Answer: &quote.Trace{Question: string(run)}}, nil
}

func (s shelf) Ask(_ context.Context, question string) (contract.Answer, error) {
	a, ok := s.said[question]
	if !ok {
		return a, errors.New("no such question")
	}
	return a, nil
}

func (s shelf) Passage(_ context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error) {
	if id != "psg_tower" {
		return evidence.Passage{}, evidence.Source{}, errors.New("no such passage")
	}
	return evidence.Passage{ID: id, Text: "Thé tower is high.", At: evidence.Locator{Start: 2, End: 20}}, evidence.Source{}, nil
}

func (s shelf) SourceText(context.Context, evidence.SourceID) (string, []evidence.Block, error) {
	return s.text, nil, nil
}

func quoting(path, quote string, start int) contract.Answer {
	return contract.Answer{
		Outcome: contract.Extracted, LatencyMs: 120, Timing: contract.Timing{Waited: 100, FirstText: 90},
		Sources: []contract.SourceCard{{N: 1, ID: "src_1", Path: path}, {N: 2, ID: "src_2", URL: "http://127.0.0.1:8888/page/MED-7"}},
		Citations: []contract.Citation{{
			Marker: 1, Passage: "psg_tower", Source: "src_1", Verdict: contract.Supported,
			Quote: contract.Quoted{Start: start, End: start + len([]rune(quote)), Text: quote},
		}},
		Usage: contract.UsagePair{Chat: contract.ModelUsage{Calls: 1}, System: contract.ModelUsage{Calls: 1}},
	}
}

const fewQuestions = `{"id":"1","question":"How high?","source_docs":["Tower.pdf"]}
{"id":"2","question":"How old?","source_docs":["Tower.pdf"]}
{"id":"3","question":"How wide?","source_docs":["Tower.pdf","Lamp.pdf"],"gold":["MED-7"]}
{"id":"4","question":"How come?"}
{"id":"5","question":"Who?"}
`

func TestAnswersAreMeasuredAgainstFilesPagesAndStoredText(t *testing.T) {
	s := shelf{"A Thé tower is high. So it is.", map[string]contract.Answer{
		"How high?": quoting("/x/Tower.pdf", "tower is", 4),
		"How old?":  quoting("/x/Lamp.pdf", "tower was", 4),
		"How wide?": quoting("/x/Lamp.pdf", "tower is", 4),
		"How come?": {Outcome: contract.NoEvidence, LatencyMs: 20},
	}}
	out := filepath.Join(t.TempDir(), "scores.jsonl")
	r, err := Ask(context.Background(), write(t, "tower.jsonl", fewQuestions), s, AskOptions{ScoresFile: out})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]float64{
		"questions": {float64(r.Questions), 5}, "failed": {float64(r.Failed), 1}, "right": {r.CitedRight, 0.5}, "first": {r.CitedFirst, 0.5},
		"any of several": {r.CitedAny, 1}, "share": {r.CitedShare, 0.5}, "gold": {r.GoldInSources, 1}, "gold cited": {r.GoldCited, 0},
		"verbatim": {r.Verbatim, 2. / 3}, "with": {r.WithCitation, 0.6}, "none": {r.NoEvidence, 0.2}, "calls": {r.ModelCalls, 6. / 5},
		"own": {r.OverheadMsP95, 20}, "latency": {r.LatencyMsP50, 120},
	} {
		if math.Abs(c[0]-c[1]) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, c[0], c[1])
		}
	}
	if r.Set != "tower" || !strings.Contains(r.String(), "right file cited 0.500") {
		t.Errorf("%s", r)
	}
	checkScores(t, out)
}

func TestWhatTheScorerSawIsWrittenForTraining(t *testing.T) {
	said := quoting("/x/Tower.pdf", "tower is", 4)
	said.Run = "run_1"
	s := shelf{"A Thé tower is high. So it is.", map[string]contract.Answer{"How high?": said, "How old?": {Outcome: contract.NoEvidence}}}
	out := filepath.Join(t.TempDir(), "considered.jsonl")
	if _, err := Ask(context.Background(), write(t, "tower.jsonl", fewQuestions), s, AskOptions{ConsideredFile: out}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil || strings.Count(string(b), "\n") != 1 || !strings.Contains(string(b), `"question":"run_1"`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestFiguresOfTheWantedAnswerAreCountedInPassagesAndAnswer(t *testing.T) {
	said := quoting("/x/Tower.pdf", "tower is", 4)
	said.Answer = "It cost $1,204.50 and grew by 7 %, in 1932 [1]."
	said.Sources[0].Passages = []contract.PlacedPassage{{ID: "psg_tower"}, {ID: "psg_other"}}
	s := shelf{"A Thé tower is high. So it is.", map[string]contract.Answer{"How dear?": said}}
	file := write(t, "dear.jsonl", `{"question":"How dear?","answer":"1204.50 dollars ($1,204.50), 7%, 88.9 and 12,000, by 5 men in 1932"}`)
	r, err := Ask(context.Background(), file, s, AskOptions{})
	if err != nil || r.WithFigures != 1 || r.FiguresTold != 0.5 || r.FiguresGiven != 0 || !strings.Contains(r.String(), "figures in passages 0.000, in answer 0.500 of 1") {
		t.Errorf("%s %v", r, err)
	}
	if got := figuresOf("3 of 40, 1932, 1.5, 2,000,000 and £9 or 5 %"); strings.Join(got, " ") != "1.5 2000000 9 5" {
		t.Errorf("figures are %q", got)
	}
}

func checkScores(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	var last struct {
		Wanted, Cited []string
		Error         string
	}
	if err := json.Unmarshal([]byte(lines[4]), &last); err != nil || last.Cited == nil || last.Error == "" {
		t.Errorf("%s %v", lines[4], err)
	}
}

func TestAPassageThatIsNotInItsSourceIsNoVerbatimQuote(t *testing.T) {
	s := shelf{"Another text altogether.", map[string]contract.Answer{"How high?": quoting("/x/Tower.pdf", "tower is", 4)}}
	r, err := Ask(context.Background(), write(t, "tower.jsonl", fewQuestions), s, AskOptions{Limit: 1})
	if err != nil || r.Questions != 1 || r.Verbatim != 0 || r.CitedRight != 1 {
		t.Errorf("%s %v", r, err)
	}
}

func TestASetOfQueriesIsAskedForItsGoldPages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl":  `{"id":"MED-7","title":"Tower","text":"High."}` + "\n" + `{"id":"MED-8","title":"Lamp","text":"Bright."}`,
		"queries.jsonl": `{"id":"q1","text":"How high?"}` + "\n" + `{"id":"q2","text":"unjudged"}`,
		"qrels.tsv":     "query-id\tcorpus-id\tscore\nq1\tMED-7\t1\nq1\tMED-8\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Ask(context.Background(), dir, shelf{said: map[string]contract.Answer{"How high?": quoting("/x", "", 0)}}, AskOptions{})
	if err != nil || r.Questions != 1 || r.WithGold != 1 || r.GoldInSources != 1 || r.SeveralGold != 1 || r.AllGold != 0 {
		t.Errorf("%s %v", r, err)
	}
	both := quoting("/x", "", 0)
	both.Sources = append(both.Sources, contract.SourceCard{N: 3, URL: "http://127.0.0.1:8888/page/MED-8"})
	r, err = Ask(context.Background(), dir, shelf{said: map[string]contract.Answer{"How high?": both}}, AskOptions{})
	if err != nil || r.AllGold != 1 || !strings.Contains(r.String(), "all gold among sources 1.000 of 1") {
		t.Errorf("%s %v", r, err)
	}
}

func TestQuestionsThatCannotBeReadAreNamed(t *testing.T) {
	for _, bad := range []string{"{", `{"id":"6"}`} {
		if _, err := Ask(context.Background(), write(t, "bad.jsonl", fewQuestions+bad), shelf{}, AskOptions{}); err == nil || !strings.Contains(err.Error(), "line 6") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := Ask(context.Background(), "nowhere.jsonl", shelf{}, AskOptions{}); err == nil {
		t.Error("a missing file is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ask(ctx, write(t, "few.jsonl", fewQuestions), shelf{}, AskOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
}
