package server

import (
	"math"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/api"
	"footnote/backend/fault"
)

func TestTheTraceHasASpanAStageAndItsNumbersRecompute(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	run := h.ask(t, local("When was the bridge over the Lorne opened?"))
	var trace api.TraceView
	if status := h.get(t, "/api/runs/"+string(run.ID)+"/trace", &trace); status != 200 {
		t.Fatalf("the trace gives %d", status)
	}
	var stages []contract.Stage
	for _, s := range trace.Spans {
		stages = append(stages, s.Stage)
		if s.State != "end" || s.Began.IsZero() {
			t.Errorf("%+v", s)
		}
	}
	if len(stages) < 5 || stages[0] != contract.StagePlan || stages[len(stages)-1] != contract.StageFinish {
		t.Errorf("spans of %v", stages)
	}
	r := trace.Ranking
	if r == nil || len(r.Candidates) == 0 {
		t.Fatalf("no ranking: %+v", trace)
	}
	for i, c := range r.Candidates {
		if c.RankAfter != i+1 || c.RankBefore < 1 {
			t.Errorf("rank %d of candidate %d (before: %d)", c.RankAfter, i, c.RankBefore)
		}
		w, s := r.Weights, c.Scores
		parts, whole := w.Keyword**s.Keyword+w.Freshness**s.Freshness+w.Authority**s.Authority, w.Keyword+w.Freshness+w.Authority
		if s.Semantic != nil {
			parts, whole = parts+w.Semantic**s.Semantic, 1
		}
		if math.Abs(parts/whole-*s.Composite) > 1e-9 {
			t.Errorf("%s: %v computes, %v is shown", c.Title, parts/whole, *s.Composite)
		}
	}
	for _, s := range run.Answer.Sources {
		for _, p := range s.Passages {
			if !chosenIn(*r, string(p.ID)) {
				t.Errorf("passage %s of the answer is not chosen in the trace", p.ID)
			}
		}
	}
	wantFault(t, "no such run", h.send(t, "GET", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/trace", nil, nil), 404, fault.NotFound)
}

func chosenIn(r trace.Ranking, passage string) bool {
	for _, c := range r.Candidates {
		if string(c.Passage) == passage && c.Chosen {
			return true
		}
	}
	return false
}

func TestASavedRunIsRankedAgainWithoutNetwork(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"bridge.md": bridge, "signs.md": signs} })
	run := h.ask(t, local("When was the bridge over the Lorne opened, and when was the ferry sign of Arden put up?"))
	path := "/api/runs/" + string(run.ID) + "/replay"
	replay := func(change map[string]any) (out trace.Replayed) {
		t.Helper()
		if status := h.post(t, path, change, &out); status != 200 {
			t.Fatalf("%v gives %d", change, status)
		}
		return out
	}
	searched := len(h.web.Queries()) + len(h.web.Reads())
	same := replay(map[string]any{})
	if same.Moved != 0 || len(same.Before) == 0 || len(same.Before) != len(same.After) {
		t.Errorf("the same ranking: %+v", same)
	}
	var trace api.TraceView
	h.get(t, "/api/runs/"+string(run.ID)+"/trace", &trace)
	for _, p := range same.Before {
		if !chosenIn(*trace.Ranking, string(p.Passage)) {
			t.Errorf("%s was not chosen in the run", p.Passage)
		}
	}
	one := replay(map[string]any{"k": 1})
	if len(one.After) != 1 || one.Moved != len(same.Before)-1 {
		t.Errorf("with one place: %+v", one)
	}
	other := replay(map[string]any{"weights": contract.Weights{Authority: 1}, "measure": "euclidean"})
	for _, p := range other.After {
		if math.Abs(*p.Scores.Composite-*p.Scores.Authority) > 1e-9 {
			t.Errorf("authority alone: %+v", p.Scores)
		}
	}
	for what, change := range map[string]map[string]any{"weights": {"weights": contract.Weights{Semantic: 2}}, "k": {"k": 99}, "measure": {"measure": "manhattan"}} {
		wantFault(t, what, h.send(t, "POST", path, change, nil), 400, fault.InvalidRequest)
	}
	wantFault(t, "no such run", h.send(t, "POST", "/api/runs/run_aaaaaaaaaaaaaaaaaaaaaaaaaa/replay", map[string]any{}, nil), 404, fault.NotFound)
	if n := len(h.web.Queries()) + len(h.web.Reads()); n != searched {
		t.Errorf("the web was asked %d times", n-searched)
	}
}
