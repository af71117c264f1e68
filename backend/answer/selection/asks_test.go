package selection

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
)

func TestWordsAddedForTheSearchAreNotAnswered(t *testing.T) {
	history := []contract.Turn{{Question: "How many volunteers are there?", Answer: "There are 43 volunteers."}}
	for text, want := range map[string]string{
		"How high is the tower?":   "How high is the tower?",
		"And what about the cost?": "the cost of volunteers",
		"Who trains them?":         "Who trains volunteers?",
	} {
		s := &Selector{Task: &gather.Task{Question: contract.Question{Text: text}}, Plan: gather.Plan{Planned: contract.Planned{Standalone: queries.Standalone(text, history)}}}
		if got := s.asks(); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
