package answer_test

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/llm/llmtest"
)

func TestAPageInTheQuestionIsReadInsteadOfSearched(t *testing.T) {
	for _, mode := range []contract.Mode{contract.ModeSpeed, contract.ModeBalanced} {
		s := set(t, nil, nil)
		a := finished(t, s.ask(t, "How long is the bridge according to https://example.org/lorne?", func(q *contract.Question) { q.Mode = mode }))
		if len(s.web.Queries()) != 0 || !slices.Equal(s.web.Reads(), []string{"https://example.org/lorne"}) || !strings.Contains(a.Answer, "503") {
			t.Errorf("%s: %q, searched %v, read %v", mode, a.Answer, s.web.Queries(), s.web.Reads())
		}
		if len(a.Sources) != 1 || a.Sources[0].URL != "https://example.org/lorne" {
			t.Errorf("%s: sources %+v", mode, a.Sources)
		}
	}
}

func TestABarePageIsSummarized(t *testing.T) {
	model := llmtest.NewScripted(chat("The Lorne bridge is 503 metres long [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, nil)
	a := finished(t, s.ask(t, "https://example.org/lorne", nil))
	calls := model.Calls()
	if a.Outcome != contract.Answered || len(s.web.Queries()) != 0 || len(calls) == 0 || !strings.Contains(calls[0].Messages[0].Text, "Summarize this page.") {
		t.Errorf("%s %q, %d calls", a.Outcome, a.Answer, len(calls))
	}
	quoted := finished(t, set(t, nil, nil).ask(t, "https://example.org/lorne", nil))
	if quoted.Outcome != contract.Extracted || !strings.Contains(quoted.Answer, "Lorne") {
		t.Errorf("%s %q", quoted.Outcome, quoted.Answer)
	}
}

func TestAPageThatCannotBeReadIsNamed(t *testing.T) {
	broken := func(s *stage) { s.web.Pages[0].Unread, s.shelf = "paywall", nil }
	a := finished(t, set(t, nil, broken).ask(t, "https://example.org/lorne", nil))
	if a.Outcome != contract.NoEvidence || !strings.Contains(a.Answer, "could not be read") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
	s := set(t, nil, broken)
	a = finished(t, s.ask(t, "How long is the Lorne bridge? https://example.org/lorne", nil))
	if len(s.web.Queries()) != 1 || !noticed(a, "page-unread") {
		t.Errorf("searched %v, notices %v", s.web.Queries(), a.Notices)
	}
}
