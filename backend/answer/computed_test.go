package answer_test

import (
	"context"
	"strings"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// oracle computes everything the same way.
type oracle struct {
	ready bool
	err   error
	asked []string
}

func (o *oracle) Ready() bool { return o.ready }

func (o *oracle) Compute(_ context.Context, question string) (answer.Computation, error) {
	o.asked = append(o.asked, question)
	return answer.Computation{By: "Oracle", Text: "42 *kg*", Address: "https://oracle.example/?i=x"}, o.err
}

func computing(q *contract.Question) { q.Focus = contract.FocusCompute }

func TestASumIsWorkedOutWithoutASearch(t *testing.T) {
	s := set(t, nil, nil)
	a := finished(t, s.ask(t, "What is 15% of 80?", nil))
	if a.Outcome != contract.Computed || !strings.Contains(a.Answer, "12") || len(a.Sources)+len(s.web.Queries())+len(s.shelf.queries()) != 0 {
		t.Errorf("%s %q, searched %v", a.Outcome, a.Answer, s.web.Queries())
	}
	for _, question := range []string{"Who built the 2 towers?", "1932", "What happened on 3 May 1932?"} {
		if a := finished(t, s.ask(t, question, nil)); a.Outcome == contract.Computed {
			t.Errorf("%s was computed: %q", question, a.Answer)
		}
	}
}

func TestASumThatHasNoResultSaysSoWithoutASearch(t *testing.T) {
	s := set(t, nil, nil)
	for question, says := range map[string]string{"1/0": "zero", "What is 5 km in kg?": "another kind"} {
		a := finished(t, s.ask(t, question, nil))
		if a.Outcome != contract.NoEvidence || !strings.Contains(a.Answer, says) || len(s.web.Queries()) != 0 {
			t.Errorf("%s: %s %q", question, a.Outcome, a.Answer)
		}
	}
}

func TestTheDayIsToldByTheClockOfTheEngine(t *testing.T) {
	s := set(t, nil, nil)
	if a := finished(t, s.ask(t, "What day is it?", nil)); a.Outcome != contract.Computed || len(s.web.Queries()) != 0 {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}

func TestWhatCannotBeComputedIsRefusedByName(t *testing.T) {
	s := set(t, nil, nil)
	a := finished(t, s.ask(t, "How many apples are in 5 trees?", computing))
	if a.Outcome != contract.NoEvidence || !strings.Contains(a.Answer, "“trees”") || len(s.web.Queries()) != 0 {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}

func TestAServiceComputesWhatIsNotBuiltIn(t *testing.T) {
	service := &oracle{ready: true}
	s := set(t, nil, func(s *stage) { s.computer = service })
	a := finished(t, s.ask(t, "mass of the moon", computing))
	if a.Outcome != contract.Computed || !strings.Contains(a.Answer, `42 \*kg\*`) || !strings.Contains(a.Answer, "](https://oracle.example/?i=x)") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
	finished(t, s.ask(t, "2 + 2", computing))
	finished(t, s.ask(t, "mass of the sun", func(q *contract.Question) { q.Focus, q.Offline = contract.FocusCompute, true }))
	if len(service.asked) != 1 {
		t.Errorf("asked %q", service.asked)
	}
	service.err = fault.New(fault.NotFound, "It does not understand this.", "")
	if a := finished(t, s.ask(t, "mass of the mind", computing)); a.Outcome != contract.NoEvidence || !noticed(a, "compute-failed") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
}
