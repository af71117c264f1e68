package calls

import (
	"testing"

	"footnote/backend/fault"
	"footnote/backend/settings"
)

// TestAnyLimitRefusesCallsAndIsNamedOnce holds for time as for tokens and money.
func TestAnyLimitRefusesCallsAndIsNamedOnce(t *testing.T) {
	share := 0.4
	told := make(chan string, 3)
	turns := NewTurns(0, settings.DeepSettings{Turns: 50, Soft: 0.5}, "50 model turns", func() (string, float64) { return "1 minute", share }, func(limit string) { told <- limit })
	for _, c := range []struct {
		share float64
		ok    bool
	}{{0.4, true}, {0.6, true}, {0.9, true}, {1, false}, {1.2, false}} {
		share = c.share
		if err := turns.take(); (err == nil) != c.ok || err != nil && fault.CodeOf(err) != fault.BudgetExceeded {
			t.Errorf("at %v: %v", c.share, err)
		}
	}
	turns.Close()
	if limit := <-told; limit != "1 minute" || len(told) != 0 || turns.Count() != 3 {
		t.Errorf("%q, %d more, %d turns", limit, len(told), turns.Count())
	}
}
