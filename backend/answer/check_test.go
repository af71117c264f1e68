package answer_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/embed"
	"footnote/backend/embed/meaning"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/rank"
)

// says is a stage whose model says a text.
func says(t *testing.T, text string, change func(*stage), more ...llmtest.Reply) (*stage, *llmtest.Scripted) {
	t.Helper()
	model := llmtest.NewScripted(append(more, rewrite("Lorne bridge"), chat(text))...)
	return set(t, oneModel{name: "test/m", model: model}, func(s *stage) {
		s.set.Ask.FollowUps = 0
		if change != nil {
			change(s)
		}
	}), model
}

func verdicts(a contract.Answer) (list []string) {
	for _, c := range a.Citations {
		list = append(list, string(c.Verdict))
	}
	return list
}

const (
	trueClaim  = "The Lorne bridge is 503 metres long [1]."
	wrongClaim = "Bread dough rests overnight in a cool cellar [1][2]."
)

func TestUnsupportedMarkersAreMarkedOrWithdrawn(t *testing.T) {
	text := trueClaim + " " + wrongClaim + " The arch was closed in August 1930 [1]."
	marked, _ := says(t, text, nil)
	if a := finished(t, marked.ask(t, howLong, nil)); a.Answer != text || strings.Join(verdicts(a), " ") != "supported not-found not-found supported" {
		t.Errorf("marked: %q, %v", a.Answer, verdicts(a))
	}
	nothing := finished(t, marked.ask(t, howLong+" ", nil)).Citations[1]
	if len(nothing.Highlight) != 0 || !strings.HasPrefix(nothing.Quote.Text, "Lorne bridge\n") {
		t.Errorf("a claim that no sentence carries quotes %+v", nothing.Quote)
	}
	withdrawn, _ := says(t, text, func(s *stage) { s.set.Cite.Unsupported = "withdraw" })
	events := withdrawn.ask(t, howLong, nil)
	a := finished(t, events)
	want := trueClaim + " Bread dough rests overnight in a cool cellar. The arch was closed in August 1930 [1]."
	if a.Answer != want || strings.Join(verdicts(a), " ") != "supported supported" || a.Report.CitationCount != 1 {
		t.Errorf("withdrawn: %q, %v, %+v", a.Answer, verdicts(a), a.Report)
	}
	dropped := 0
	for _, e := range events {
		if d, ok := e.Body.(contract.Dropped); ok && d.Reason == "unsupported" {
			dropped++
		}
	}
	if dropped != 2 {
		t.Errorf("%d markers told as dropped", dropped)
	}
}

func second(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "check" }}
}

// halfTrue is partly supported by its words; the other one only for its number.
const (
	halfTrue    = "The Lorne bridge carries a road and tracks used by freight trains every night [1]."
	otherNumber = "The Lorne bridge is 777 metres long [1]."
)

func TestAModelRefinesOnlyWhatIsPartlySupported(t *testing.T) {
	on := func(s *stage) { s.set.Cite.ModelCheck = true }
	off, model := says(t, halfTrue, nil, second(`["all"]`))
	if a := finished(t, off.ask(t, howLong, nil)); verdicts(a)[0] != "partly" || len(model.Calls()) != 2 {
		t.Fatalf("switched off: %v, %d calls", verdicts(a), len(model.Calls()))
	}
	for said, want := range map[string]string{`["all"]`: "supported", `["part"]`: "partly", "Certainly! [\"none\"]": "not-found", `["all","all"]`: "partly", "perhaps": "partly"} {
		s, _ := says(t, halfTrue, on, second(said))
		if a := finished(t, s.ask(t, howLong, nil)); verdicts(a)[0] != want {
			t.Errorf("%s: %v, want %s", said, verdicts(a), want)
		}
	}
	s, model := says(t, otherNumber, on, second(`["all"]`))
	a := finished(t, s.ask(t, howLong, nil))
	asked := slices.ContainsFunc(model.Calls(), func(c llm.Call) bool { return c.Purpose == "check" })
	if asked || verdicts(a)[0] == "supported" {
		t.Errorf("a number that differs: %v, asked %v", verdicts(a), asked)
	}
}

func TestSourcesThatDisagreeAreToldWithBothQuotesAndDates(t *testing.T) {
	s, _ := says(t, "The Lorne bridge was opened on 3 May 1932 [2].", func(s *stage) {
		s.web.Pages[0].Text = "# Lorne bridge\nThe Lorne bridge is 503 metres long. The bridge over the Lorne was opened on 19 March 1934."
	})
	a := finished(t, s.ask(t, "When was the Lorne bridge opened?", nil))
	if len(a.Disagreements) != 1 || len(a.Disagreements[0].Sides) != 2 {
		t.Fatalf("disagreements %+v in %q, %v", a.Disagreements, a.Answer, verdicts(a))
	}
	own, other := a.Disagreements[0].Sides[0], a.Disagreements[0].Sides[1]
	if own.Value != "3 May 1932" || other.Value != "19 March 1934" || own.Source != a.Sources[1].ID || other.Source != a.Sources[0].ID {
		t.Errorf("sides %+v", a.Disagreements[0].Sides)
	}
	if own.Date == "" || other.Date != "2026-09-21" || !strings.Contains(own.Quote, "3 May 1932") || other.Quote != "The bridge over the Lorne was opened on 19 March 1934." {
		t.Errorf("sides %+v", a.Disagreements[0].Sides)
	}
}

func TestADisagreementQuotedFromBothSidesIsToldOnce(t *testing.T) {
	s, _ := says(t, "The Lorne bridge was opened on 3 May 1932 [2]. The Lorne bridge was opened on 19 May 1934 [1].", func(s *stage) {
		s.web.Pages[0].Text = "# Lorne bridge\nThe Lorne bridge is 503 metres long. The Lorne bridge was opened on 19 May 1934."
	})
	a := finished(t, s.ask(t, "When was the Lorne bridge opened?", nil))
	if len(a.Citations) != 2 || len(a.Disagreements) != 1 || len(a.Disagreements[0].Sides) != 2 {
		t.Errorf("disagreements %+v in %q, %v", a.Disagreements, a.Answer, verdicts(a))
	}
}

func TestSourcesThatAgreeDisagreeNowhere(t *testing.T) {
	s, _ := says(t, "The Lorne bridge was opened in 1932 [2]. It is 503 metres long [1].", func(s *stage) {
		s.web.Pages[0].Text = bridgePage + " It has been open since May 1932 and cost about £4.2 million."
	})
	if a := finished(t, s.ask(t, "When was the Lorne bridge opened?", nil)); len(a.Disagreements) != 0 {
		t.Errorf("disagreements %+v", a.Disagreements)
	}
}

func TestTheEncoderJudgesWhereItMayBeWaitedFor(t *testing.T) {
	encoder, err := embed.NewEncoder()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("this processor has no kernel for the encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	static, err := embed.NewStatic()
	if err != nil {
		t.Fatal(err)
	}
	for table, wait := range map[string]bool{"encoder": true, "": false} {
		judge := meaning.New(meaning.Config{Tokens: encoder, Log: slog.New(slog.DiscardHandler),
			Options: func() meaning.Options { return meaning.Options{On: true, Wait: wait} }})
		t.Cleanup(func() { judge.Close() })
		s, _ := says(t, halfTrue, nil)
		s.Meaning, s.Embedder = encoderOnly{judge}, static
		if a := finished(t, s.ask(t, howLong, nil)); a.Report.Table != table || len(a.Citations[0].Highlight) == 0 {
			t.Errorf("waited for %v: table %q, %+v", wait, a.Report.Table, a.Citations)
		}
	}
}

// encoderOnly has a say in the check alone.
type encoderOnly struct{ *meaning.Reranker }

func (encoderOnly) Vector(context.Context, string) []float32 { return nil }

func (encoderOnly) Cosines(context.Context, string, []rank.Text, time.Duration) map[evidence.PassageID]float64 {
	return nil
}

func TestAddressesThatAModelListsAreNotShownAsSources(t *testing.T) {
	said := "It is 503 metres long [1].\n\nSources:\n[1] http://invented.example/page"
	s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("Lorne bridge length"), chat(said))}, nil)
	a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
	if strings.Contains(a.Answer, "invented") || !strings.HasPrefix(a.Answer, "It is 503 metres long [1].") || len(a.Citations) != 1 {
		t.Errorf("%q with %d citations", a.Answer, len(a.Citations))
	}
}
