package research

import (
	"testing"

	"footnote/backend/answer/contract"
)

func TestASubquestionThatIsLookedIntoIsSteered(t *testing.T) {
	stopped := 0
	s := &steered{stop: func() { stopped++ }}
	if s.follow(contract.Deepen, ""); !s.deepen || stopped != 0 {
		t.Errorf("%+v, stopped %d times", s, stopped)
	}
	if s.follow(contract.Edit, "Who built it?"); s.question != "Who built it?" || stopped != 1 {
		t.Errorf("%+v, stopped %d times", s, stopped)
	}
	if s.follow(contract.Skip, ""); !s.skip || stopped != 2 {
		t.Errorf("%+v, stopped %d times", s, stopped)
	}
}
