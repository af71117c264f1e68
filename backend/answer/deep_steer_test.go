package answer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// steeredRun asks in deep mode, waits until all subquestions are looked into, and says
// what is to become of the first.
func steeredRun(t *testing.T, to contract.Steering, question string) []contract.Event {
	t.Helper()
	m := &researcher{slow: map[string]time.Duration{"extract": 300 * time.Millisecond}}
	s := m.stage(t, nil)
	q := s.Defaults()
	q.Text, q.Mode = lorneQuestion, contract.ModeDeep
	run, err := s.Ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	begun := map[string]bool{}
	for e, err := range s.Follow(t.Context(), run.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Body.(contract.DimensionBegun); ok {
			begun[b.Dimension] = true
		}
		if len(begun) == len(sides) {
			break
		}
	}
	if err := s.Steer(t.Context(), run.ID, "What has nobody asked?", contract.Skip, ""); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a subquestion that is in no plan: %v", err)
	}
	if err := s.Steer(t.Context(), run.ID, sides[0], to, question); err != nil {
		t.Fatal(err)
	}
	events := s.events(t, run.ID)
	if told := of[contract.Steered](events); len(told) != 1 || told[0].Dimension != sides[0] || told[0].Action != to {
		t.Errorf("%+v", told)
	}
	if err := s.Steer(t.Context(), run.ID, sides[0], to, question); fault.CodeOf(err) != fault.AlreadyEnded {
		t.Errorf("after the end: %v", err)
	}
	return events
}

func TestASkippedSubquestionIsInNoReport(t *testing.T) {
	a := finished(t, steeredRun(t, contract.Skip, ""))
	if a.Outcome == contract.NoEvidence || strings.Contains(a.Answer, "million") || len(a.Citations) == 0 {
		t.Errorf("%s: %s", a.Outcome, a.Answer)
	}
}

func TestAnotherQuestionTakesThePlaceOfASubquestion(t *testing.T) {
	const instead = "Who paid for the Lorne bridge?"
	events := steeredRun(t, contract.Edit, instead)
	begun := of[contract.DimensionBegun](events)
	if !slices.ContainsFunc(begun, func(b contract.DimensionBegun) bool { return b.Dimension == instead }) {
		t.Errorf("%+v", begun)
	}
	finished(t, events)
}

func TestADeepenedSubquestionIsLookedIntoFurther(t *testing.T) {
	finished(t, steeredRun(t, contract.Deepen, ""))
}
