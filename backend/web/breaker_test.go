package web

import (
	"context"
	"testing"
	"time"

	"footnote/backend/answer/gather"
)

// oneState is a store of one engine's state.
type oneState struct{ EngineState }

func (o *oneState) Load(context.Context, string) (EngineState, error) { return o.EngineState, nil }

func (o *oneState) Save(_ context.Context, _ string, s EngineState) error {
	o.EngineState = s
	return nil
}

func TestAClockThatRanAheadRestsNoEngineForYears(t *testing.T) {
	clk := newClock()
	kept := &oneState{EngineState{Blocks: 2, Until: clk.now().AddDate(3, 0, 0), Reason: "429"}}
	b := NewBreaker(gives(1, nil), BreakerOptions{Name: "x", Now: clk.now, Log: quiet, States: kept, Limits: func() BreakerLimits { return BreakerLimits{Max: 10 * time.Minute} }})
	if until := b.State(t.Context()).Until; until.After(clk.now().Add(captchaRest)) {
		t.Errorf("it rests until %s", until)
	}
	if b.Usable(t.Context()) {
		t.Error("a rest that was begun is forgotten")
	}
	clk.pass(captchaRest)
	if _, err := b.Find(t.Context(), gather.WebQuery{}); err != nil {
		t.Errorf("after the longest rest: %v", err)
	}
}
