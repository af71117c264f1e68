package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

func TestOnlyPagesWithinTheBoundsAreCited(t *testing.T) {
	for want, domains := range map[string][]string{"https://example.org/lorne": {"-other.example"}, "https://other.example/lorne": {"other.example"}} {
		s := set(t, oneModel{}, func(s *stage) {
			s.web.Pages = append(s.web.Pages, webtest.Page{Address: "https://other.example/lorne", Title: "Lorne bridge", Text: bridgePage, Published: day})
		})
		a := finished(t, s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Focus, q.Domains = contract.FocusWeb, domains }))
		if len(a.Sources) != 1 || a.Sources[0].URL != want {
			t.Errorf("%v: %+v", domains, a.Sources)
		}
	}
}

func TestEnginesOfFurtherFocusesAreAskedAsWell(t *testing.T) {
	s := set(t, oneModel{}, nil)
	events := s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) {
		q.Focus, q.Beside = contract.FocusWeb, []contract.Focus{contract.FocusAcademic, contract.FocusCommunity}
	})
	finished(t, events)
	asked := 0
	for _, e := range events {
		if f, ok := e.Body.(contract.FoundLeads); ok && f.Engine != "library" {
			asked++
		}
	}
	if asked != 3 {
		t.Errorf("%d sets of engines were asked, want 3", asked)
	}
}

func TestTurnsThatComeWithTheQuestionAreItsHistory(t *testing.T) {
	model := llmtest.NewScripted(rewrite("Lorne bridge cost"), chat("It cost 4.2 million pounds [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, nil)
	finished(t, s.ask(t, "What did it cost?", func(q *contract.Question) {
		q.Earlier = []contract.Said{{Question: "When was the Lorne bridge opened?", Answer: "In 1932 [7]."}}
	}))
	told := ""
	for _, c := range model.Calls() {
		for _, m := range c.Messages {
			told += m.Text + "\n"
		}
	}
	if !strings.Contains(told, "When was the Lorne bridge opened?") || !strings.Contains(told, "In 1932.") || strings.Contains(told, "[7]") {
		t.Errorf("the models were told %q", told)
	}
}
