package answer

import (
	"context"

	"footnote/backend/answer/gather"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// settled reports whether evidence answers a question in all its parts by the
// calibrated scorer. Where nothing can weigh it, the question is open.
func (p *Pipeline) settled(ctx context.Context, question string, e gather.Evidence) bool {
	if p.engine.Meaning == nil {
		return false
	}
	b := p.Branch(question)
	b.Evidence = e
	s := b.selecting()
	pool := rank.Rank(question, s.pool(ctx), s.plan.RankBy, p.Tell.Now(), p.Task.RankOptions())
	s.selection.Pool, s.selection.Chosen = pool, rank.Balance(pool, rank.MaxPassages, p.Task.Settings.Rank.Floor)
	s.selection.Numbers = map[evidence.SourceID]int{}
	for _, c := range s.selection.Chosen {
		if s.selection.Numbers[c.Source.ID] == 0 {
			s.selection.Numbers[c.Source.ID] = len(s.selection.Numbers) + 1
		}
	}
	r := s.extracted(ctx)
	return r.Trace != nil && r.State == quote.Answer && len(r.Open) == 0
}
