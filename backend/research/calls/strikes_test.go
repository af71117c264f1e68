package calls

import (
	"context"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

func TestThreeUselessRepliesInARowAreTheEndOfAKind(t *testing.T) {
	refused := fault.New(fault.ModelRefused, "The model gave an empty reply.", "")
	s := strikes{by: map[string]int{}}
	for i, c := range []struct {
		kind    string
		replies int
		err     error
		last    bool
	}{
		{"extract", 1, refused, false}, {"extract", 1, llm.ErrNotStructured, false}, {"extract", 1, nil, false}, // a useful one makes them good
		{"extract", 2, refused, false}, {"judge", 2, refused, false},
		{"extract", 1, fault.New(fault.BudgetExceeded, "", ""), false}, {"extract", 1, context.Canceled, false}, {"extract", 1, fault.New(fault.ModelUnreachable, "", ""), false}, // it was not asked
		{"extract", 1, context.DeadlineExceeded, true}, {"extract", 1, refused, false}, {"extract", 1, nil, false},
	} {
		if last := s.count(c.kind, c.replies, c.err); last != c.last {
			t.Errorf("reply %d: %v", i, last)
		}
	}
	if !s.out("extract") || s.out("judge") {
		t.Errorf("%v", s.by)
	}
}
