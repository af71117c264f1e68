package answer

import (
	"slices"
	"testing"

	"footnote/backend/answer/contract"
)

func TestAQuestionOfSeveralThingsIsCutIntoThem(t *testing.T) {
	for question, want := range map[string][]string{
		"How high is the tower of Skerry Point, and when was its lamp first lit?": {"How high is the tower of Skerry Point", "when was its lamp first lit? Skerry Point"},
		"Who wrote Hamlet?":                           {"Who wrote Hamlet?"},
		"Who are Romeo and Juliet?":                   {"Who are Romeo and Juliet?"},
		"What does it cost? When does it open?":       {"What does it cost?", "When does it open?"},
		"When was Skerry Point built and by whom?":    {"When was Skerry Point built", "by whom was Skerry Point built?"},
		"When and where was Ada Lovelace born?":       {"When was Ada Lovelace born?", "where was Ada Lovelace born?"},
		"Who repairs the water tank, and when?":       {"Who repairs the water tank", "when repairs the water tank?"},
		"What is salt and how does Norway produce it": {"What is salt", "how does Norway produce it"},
	} {
		if got := QuestionParts(question); !slices.Equal(got, want) {
			t.Errorf("%q gives %q", question, got)
		}
	}
}

func TestWordsAddedForTheSearchAreNotAnswered(t *testing.T) {
	history := []contract.Turn{{Question: "How many volunteers are there?", Answer: "There are 43 volunteers."}}
	for text, want := range map[string]string{
		"How high is the tower?":   "How high is the tower?",
		"And what about the cost?": "the cost of volunteers",
		"Who trains them?":         "Who trains volunteers?",
	} {
		s := &selector{task: &Task{Question: contract.Question{Text: text}}, plan: Plan{Planned: contract.Planned{Standalone: StandaloneByRules(text, history)}}}
		if got := s.asks(); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
