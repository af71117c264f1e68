package answer

import (
	"cmp"
	"context"
	"time"

	"footnote/backend/answer/prompts"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// ranking is what is kept of this run's selection; nil when there was none.
func (p *Pipeline) ranking() *trace.Ranking {
	if len(p.Selection.Ranked) == 0 {
		return nil
	}
	ranked := p.Selection.Ranked[:min(len(p.Selection.Ranked), mostTraced)]
	alike := rank.Alike(ranked, p.Task.Settings.Rank.Jaccard)
	chosen := map[evidence.PassageID]bool{}
	for _, c := range p.Selection.Chosen {
		chosen[c.Passage.ID] = true
	}
	r := &trace.Ranking{
		Question: p.Plan.Standalone, Preset: p.Plan.Preset, K: p.selecting().Places(), Weights: p.Plan.Weights, Measure: p.Task.Settings.Rank.Measure,
		Floor: p.Task.Settings.Rank.Floor, MaxPerDomain: p.Task.Settings.Rank.MaxPerDomain * (1 + len(p.Evidence.Facets)), Candidates: make([]trace.TracedCandidate, len(ranked)),
	}
	if p.Selection.Quotation != nil {
		r.Answer = p.Selection.Quotation.Trace
	}
	for i, c := range ranked {
		r.Candidates[i] = trace.Traced(c, plain.Full(alike[i]))
		r.Candidates[i].Chosen = chosen[c.Passage.ID]
		r.Candidates[i].Reason = cmp.Or(p.Evidence.Priorities[rank.NormalizeURL(c.Source.Address)].Reason, p.Task.LensReason(c.Source))
	}
	return r
}

// keepRanking stores how a run's evidence was ranked, unless it is private.
func (p *Pipeline) keepRanking() {
	r := p.ranking()
	if r == nil || p.engine.Traces == nil || p.Task.Question.Private {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.engine.Traces.KeepRanking(ctx, p.Tell.Run.ID, *r); err != nil {
		p.Tell.Log.Error("store the ranking", "err", err)
	}
}

// keepTape stores what models said, unless the run is private.
func (p *Pipeline) keepTape(r *trace.Recorder) {
	tapes, ok := p.engine.Traces.(trace.Tapes)
	if !ok || p.Task.Question.Private {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := tapes.KeepTape(ctx, p.Tell.Run.ID, *p.tape(r)); err != nil {
		p.Tell.Log.Error("store what models said", "err", err)
	}
}

func (p *Pipeline) tape(r *trace.Recorder) *trace.Tape {
	return &trace.Tape{Settings: withoutSecrets(p.Task.Settings.Values()), PromptHash: prompts.Hash, Calls: r.Said()}
}

// withoutSecrets takes out of settings what no answer depends on and others
// need not know: folders and addresses of this computer. Keys are no settings, and
// no address in them may hold a password.
func withoutSecrets(values map[string]any) map[string]any {
	for _, key := range []string{"library.roots", "server.hosts", "server.addr", "privacy.allowed_private_origins"} {
		delete(values, key)
	}
	return values
}

const mostTraced = 400 // candidates of a ranking that is kept
