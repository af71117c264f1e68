package about

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/table"
)

// sayings answers each question with a place and how sure that is.
type sayings struct {
	mu    sync.Mutex
	asked map[contract.RunID]contract.Question
	says  map[string]float64
}

func (s *sayings) Ask(_ context.Context, q contract.Question) (contract.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := contract.RunID(q.Text)
	s.asked[id] = q
	return contract.Run{ID: id, Question: q}, nil
}

func (s *sayings) Wait(_ context.Context, id contract.RunID) (contract.Event, error) {
	sure, known := s.says[string(id)]
	answer := contract.Answer{Outcome: contract.NoEvidence}
	if known {
		answer = contract.Answer{Outcome: contract.Extracted, Grade: contract.GradeAnswers, Confidence: &sure,
			Citations: []contract.Citation{{Source: "src_1", Passage: "psg_1", Claim: contract.Quoted{Text: "It is so, says " + string(id)}}}}
	}
	return contract.Event{Body: contract.FinishedRun{Answer: answer}}, nil
}

func (s *sayings) Stop(context.Context, contract.RunID, string) error { return nil }

func TestOnlyQuestionsThatTheFileSurelyAnswersAreOffered(t *testing.T) {
	s := &sayings{asked: map[contract.RunID]contract.Question{}, says: map[string]float64{"a?": 0.72, "b?": 0.6, "c?": 0.9, "e?": 0.8, "f?": 0.75}}
	found := Answered(t.Context(), s, contract.Question{}, table.File{ID: "fil_1"}, []string{"a?", "b?", "c?", "d?", "e?"}, Most)
	var have []string
	for _, q := range found {
		have = append(have, q.Text)
	}
	if !slices.Equal(have, []string{"c?", "e?", "a?"}) {
		t.Errorf("%q", have)
	}
	for id, q := range s.asked {
		if !slices.Equal(q.Scope.Files, []string{"fil_1"}) || !q.Private || !q.Offline || q.Models.Chat != "none" {
			t.Errorf("%s is asked as %+v", id, q)
		}
	}
	if one := Answered(t.Context(), s, contract.Question{}, table.File{ID: "fil_1"}, []string{"a?", "c?", "e?"}, 1); len(one) != 1 {
		t.Errorf("%+v", one)
	}
}

func TestSentencesStandWhereTheySay(t *testing.T) {
	text := "Über den Turm – “eins”\n\nThe tower of the harbour stands on a shelf of rock above the sea. The keeper of the tower lights the lamp in the tower each night. " + strings.Repeat("Bread is baked in the morning by people of the village. ", 3)
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	said, whole := Sentences(checker, "fil_1", evidence.Document{Source: evidence.Source{ID: "src_1"}, Text: text, Blocks: []evidence.Block{{Start: 0, End: len(text), Kind: evidence.Paragraph}}})
	if len(said) < 2 || !whole {
		t.Fatalf("%+v %v", said, whole)
	}
	for _, s := range said {
		if have := string([]rune(text)[s.At.Start:s.At.End]); have != s.Text {
			t.Errorf("%q stands at the place of %q", have, s.Text)
		}
	}
	if best, ok := Best(said); !ok || best.Text == "" {
		t.Error("none is the best")
	}
}
