package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm/llmtest"
)

const minutes = `Minutes of the allotment committee, 4 March 2026

Present: Ada Brink, Tomas Vel, Rune Skar.

The waiting list has 23 people. Two plots became free in February and went to the first two on the list.

Tomas reported that the water pump costs 1,480 euros and that the supplier delivers within three weeks.
`

func pasted(t *testing.T, question string) contract.Answer {
	t.Helper()
	s := set(t, nil, func(s *stage) { s.web = nil })
	return finished(t, s.ask(t, question, func(q *contract.Question) { q.Context = minutes }))
}

func TestPastedTextIsQuotedAndOpens(t *testing.T) {
	a := pasted(t, "What does the water pump cost?")
	if a.Outcome != contract.Extracted || !strings.Contains(a.Answer, "1,480 euros") || len(a.Citations) == 0 {
		t.Fatalf("%s %q", a.Outcome, a.Answer)
	}
	c, card := a.Citations[0], a.Sources[0]
	if card.Kind != evidence.Pasted || card.Title != "Pasted text" || card.URL != "" || card.Path != "" {
		t.Errorf("%+v", card)
	}
	if c.Verdict != contract.QuotedIn || !strings.Contains(minutes, c.Quote.Text) {
		t.Errorf("%+v", c)
	}
}

func TestAnOverviewOfPastedText(t *testing.T) {
	a := pasted(t, "Summarise this")
	if a.Outcome != contract.Extracted || !strings.HasPrefix(a.Answer, "**Sentences that say most of “Pasted text”") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}

func TestPastedTextThatDoesNotAnswer(t *testing.T) {
	if a := pasted(t, "What is the capital of France?"); a.Outcome != contract.NoEvidence {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}

func TestAModelCitesPastedText(t *testing.T) {
	model := llmtest.NewScripted(chat("The water pump costs 1,480 euros [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, func(s *stage) { s.web, s.shelf = nil, nil })
	a := finished(t, s.ask(t, "What does the water pump cost?", func(q *contract.Question) { q.Context = minutes }))
	if a.Outcome != contract.Answered || len(a.Citations) != 1 || a.Sources[0].Kind != evidence.Pasted || a.Citations[0].Verdict != contract.Supported {
		t.Fatalf("%s %q %+v", a.Outcome, a.Answer, a.Citations)
	}
	if task := finished(t, s.ask(t, "Translate it into French", func(q *contract.Question) { q.Context = minutes })); task.Outcome != contract.Chatted {
		t.Errorf("%s %q", task.Outcome, task.Answer)
	}
}
