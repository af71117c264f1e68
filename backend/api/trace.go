package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
)

// TraceView is how a run went, stage by stage, and how its evidence was ranked.
type TraceView struct {
	Run     contract.RunID `json:"run"`
	Spans   []trace.Span   `json:"spans"`
	Ranking *trace.Ranking `json:"ranking"` // null when nothing was ranked
}

// Trace tells how a run went.
func (s Runs) Trace(ctx context.Context, in ID) (TraceView, error) {
	run := contract.RunID(in.ID)
	events, err := s.DB.Since(ctx, run, 0)
	if err != nil {
		return TraceView{}, err
	}
	if len(events) == 0 {
		return TraceView{}, fault.New(fault.NotFound, "There is no such run.", "Look in the list of threads.")
	}
	view := TraceView{Run: run, Spans: trace.Spans(events)}
	ranking, err := s.DB.Ranking(ctx, run)
	switch fault.CodeOf(err) {
	case "":
		view.Ranking = &ranking
	case fault.NotFound:
	default:
		return TraceView{}, err
	}
	return view, nil
}

// ReplayRun names a run and how its evidence is ranked this time.
type ReplayRun struct {
	ID   string `path:"id"`
	Body trace.Replay
}

// Replay ranks the evidence of a saved run under other weights, K or measure and
// compares; nothing is fetched and nothing is changed.
func (s Runs) Replay(ctx context.Context, in ReplayRun) (trace.Replayed, error) {
	if w := in.Body.Weights; w != nil && !sumToOne(w.Semantic, w.Keyword, w.Freshness, w.Authority) {
		return trace.Replayed{}, fault.New(fault.InvalidRequest, "The weights are not four numbers from 0 to 1 that sum to 1.", "Send all four, or none.")
	}
	ranking, err := s.DB.Ranking(ctx, contract.RunID(in.ID))
	if err != nil {
		return trace.Replayed{}, err
	}
	return ranking.Replay(in.Body)
}
