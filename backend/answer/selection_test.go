package answer_test

import (
	"slices"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/llm/llmtest"
)

func TestAMessageFromABrowserUsesNoToolAndTheNextOneDoes(t *testing.T) {
	for _, text := range []string{
		"I'm on page \"Lorne bridge\" with <selection>When was it opened? It cost 4 + 4 million.</selection>. Please explain.",
		"I’m on page https://example.org/lorne <selection>arch</selection> summarise",
		"\n I’M ON PAGE x <selection>how many files mention arch</selection>",
	} {
		model := llmtest.NewScripted(chat("It speaks of a bridge."), rewrite("Lorne bridge length"), chat("It is 503 metres long [1]."))
		s := set(t, oneModel{name: "test/m", model: model}, nil)
		events := s.ask(t, text, nil)
		a := finished(t, events)
		if a.Outcome != contract.Chatted || a.Answer != "It speaks of a bridge." || len(a.Sources) != 0 || len(model.Calls()) != 1 || len(model.Calls()[0].Tools) != 0 {
			t.Errorf("%q: %s %q, %d sources, %d calls", text, a.Outcome, a.Answer, len(a.Sources), len(model.Calls()))
		}
		if has(events, "searching") || has(events, "tool") || len(s.web.Queries()) != 0 || len(s.shelf.queries()) != 0 || len(s.web.Reads()) != 0 {
			t.Errorf("%q: something was searched", text)
		}
		if !slices.ContainsFunc(a.Notices, func(n contract.Notice) bool { return n.Code == "browser-ai" }) {
			t.Errorf("notices %v", a.Notices)
		}
		next := s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Thread = a.Thread })
		if !has(next, "searching") || len(s.shelf.queries()) != 1 {
			t.Errorf("%q: the next message searches nothing", text)
		}
	}
}

func TestOtherMessagesAreNotFromABrowser(t *testing.T) {
	for _, text := range []string{"I'm on page 12 of the report, what is the length of the Lorne bridge?", "What does <selection> mean for the Lorne bridge?"} {
		s := set(t, nil, nil)
		if events := s.ask(t, text, nil); !has(events, "searching") {
			t.Errorf("%q: nothing was searched", text)
		}
	}
}
