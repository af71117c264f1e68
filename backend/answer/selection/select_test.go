package selection_test

import (
	"testing"

	"footnote/backend/answer/answertest"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/quote"
	"footnote/backend/answer/selection"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

func TestSelectingNumbersWhatFits(t *testing.T) {
	doc, task, models := answertest.Page(), answertest.Task("How long is the Lorne bridge?"), &llm.RoleModels{Chat: llm.ResolvedModel{Model: answertest.Saying("")}}
	other := doc
	other.Source.Address, other.Text = "https://example.org/bread", "Bread dough rests overnight in a cool cellar."
	other.Source.Digest = evidence.Digest([]byte(other.Text))
	other.Source.ID = evidence.NewSourceID(other.Source.Kind, other.Source.Address, other.Source.Digest)
	tell := answertest.Teller(t, models)
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	task.Question.Private = true // nothing is to be kept
	s := &selection.Selector{
		Deps: selection.Deps{Checker: checker, TableRows: &quote.RowCache{}}, Tell: tell, Task: task, Models: models, Scorer: &gather.Scorer{Task: task, Tell: tell},
		Plan:     gather.Plan{Planned: contract.Planned{Standalone: task.Question.Text}, RankBy: rank.Preset{Weights: rank.Weights{Semantic: 0.5, Keyword: 0.5}, K: 1}},
		Evidence: gather.Evidence{Documents: []evidence.Document{other, doc}},
	}
	got, err := s.Select(t.Context())
	if err != nil || len(got.Chosen) != 1 || got.Chosen[0].Source.ID != doc.Source.ID || got.Numbers[doc.Source.ID] != 1 || len(got.Cards) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
