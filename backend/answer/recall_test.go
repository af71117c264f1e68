package answer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// wrote is the last call for the answer itself.
func wrote(t *testing.T, model *llmtest.Scripted) llm.Call {
	t.Helper()
	for _, c := range slices.Backward(model.Calls()) {
		if c.Purpose == "chat" {
			return c
		}
	}
	t.Fatal("no answer was written by the model")
	return llm.Call{}
}

func said(c llm.Call) string {
	var b strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintln(&b, m.Text)
	}
	return b.String()
}

func TestAFollowUpMayCiteTheSourcesOfEarlierAnswersAgain(t *testing.T) {
	model := llmtest.NewScripted(rewrite("x"), chat("Its arch was closed in August 1930 [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, func(s *stage) { s.shelf.files = nil })
	first := finished(t, s.ask(t, "When was the arch of the Lorne bridge closed?", nil))
	if len(first.Citations) == 0 {
		t.Fatalf("the first answer cites nothing: %q", first.Answer)
	}
	s.web.Pages = nil // nothing is found any more
	again := finished(t, s.ask(t, "When was the arch closed?", func(q *contract.Question) { q.Thread = first.Thread }))
	if len(again.Citations) == 0 || again.Citations[0].Passage != first.Citations[0].Passage {
		t.Errorf("the follow-up cites %+v", again.Citations)
	}
	onIt := finished(t, s.ask(t, "Summarise that, please", func(q *contract.Question) { q.Thread = first.Thread }))
	if len(onIt.Citations) == 0 {
		t.Errorf("a request about the answer has no evidence: %q (%s)", onIt.Answer, onIt.Outcome)
	}
	other := finished(t, s.ask(t, "When was the arch closed?", nil))
	if len(other.Sources) != 0 {
		t.Errorf("another thread sees %+v", other.Sources)
	}
	local := finished(t, s.ask(t, "When was the arch closed?", func(q *contract.Question) { q.Thread, q.Focus = first.Thread, contract.FocusLocal }))
	if slices.ContainsFunc(local.Sources, func(c contract.SourceCard) bool { return c.Kind != evidence.File }) {
		t.Errorf("files only, and yet %+v", local.Sources)
	}
}

func TestOlderTurnsAreShortenedAndSaidNeverDropped(t *testing.T) {
	model := llmtest.NewScripted(rewrite("x"), chat("It was opened on 3 May 1932 [1]. More of it stands in the file."))
	s := set(t, oneModel{name: "test/m", model: model, abil: llm.Ability{Window: 8192}}, nil)
	thread := finished(t, s.ask(t, "Question number 0 on the bridge?", nil)).Thread
	in := func(q *contract.Question) { q.Thread = thread }
	var last contract.Answer
	for i := 1; i < 8; i++ {
		last = finished(t, s.ask(t, fmt.Sprintf("Question number %d on the bridge?", i), in))
		if whole := i <= s.set.Ask.HistoryTurns; whole != (last.Compacted == nil) {
			t.Errorf("after %d turns: %+v", i, last.Compacted)
		}
	}
	text := said(wrote(t, model))
	for i := range 7 {
		if !strings.Contains(text, fmt.Sprintf("Question number %d", i)) {
			t.Errorf("question %d was dropped:\n%s", i, text)
		}
	}
	if last.Compacted == nil || last.Compacted.Turns != 2 || !strings.Contains(text, last.Compacted.Summary) || !noticed(last, "context-shortened") {
		t.Errorf("the summary is not shown as it was sent: %+v %+v", last.Compacted, last.Notices)
	}
	if strings.Contains(last.Compacted.Summary, "[1]") {
		t.Error("the summary has markers of other numbers")
	}
}

func TestASmallWindowShortensTurnsInsteadOfDroppingThem(t *testing.T) {
	model := llmtest.NewScripted(rewrite("x"), chat(strings.Repeat("It was opened on 3 May 1932 [1]. ", 40)))
	s := set(t, oneModel{name: "test/m", model: model, abil: llm.Ability{Window: 2048}}, nil)
	thread := finished(t, s.ask(t, "Question number 0 on the bridge?", nil)).Thread
	var last contract.Answer
	for i := 1; i < 30; i++ {
		last = finished(t, s.ask(t, fmt.Sprintf("Question number %d on the bridge?", i), func(q *contract.Question) { q.Thread = thread }))
	}
	text := said(wrote(t, model))
	if !strings.Contains(text, "Question number 28") || !strings.Contains(text, "questions before these") {
		t.Errorf("the model read:\n%s", text)
	}
	if n := llm.EstimateTokens(last.Compacted.Summary); n > 2048/4 {
		t.Errorf("the summary takes %d tokens of 2048", n)
	}
}

func TestAPrivateThreadRemembersItselfAndNothingElseDoes(t *testing.T) {
	model := llmtest.NewScripted(rewrite("x"), chat("It was opened on 3 May 1932 [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, nil)
	private := func(q *contract.Question) { q.Private = true }
	first := finished(t, s.ask(t, "When was the Lorne bridge opened?", private))
	s.shelf.files = nil
	s.web.Pages = nil
	second := finished(t, s.ask(t, "And when was it opened again?", func(q *contract.Question) { q.Thread, q.Private = first.Thread, true }))
	if !strings.Contains(said(wrote(t, model)), "When was the Lorne bridge opened?") || len(second.Citations) == 0 {
		t.Errorf("the private thread forgot: %+v", second)
	}
	if len(s.memory.runs)+len(s.memory.events)+len(s.memory.kept) != 0 {
		t.Errorf("rows were left: %+v", s.memory.runs)
	}
	calls := len(model.Calls())
	finished(t, s.ask(t, "And when was it opened again?", func(q *contract.Question) { q.Thread = first.Thread }))
	for _, c := range model.Calls()[calls:] {
		if strings.Contains(said(c), "When was the Lorne bridge opened?") {
			t.Error("a kept question read a private one")
		}
	}
}
