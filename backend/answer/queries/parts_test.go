package queries

import (
	"slices"
	"testing"
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
		if got := Parts(question); !slices.Equal(got, want) {
			t.Errorf("%q gives %q", question, got)
		}
	}
}
