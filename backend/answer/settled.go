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
	pool := rank.Rank(question, s.Pool(ctx), s.Plan.RankBy, p.Tell.Now(), p.Task.RankOptions())
	s.Selection.Pool, s.Selection.Chosen = pool, rank.Balance(pool, rank.MaxPassages, p.Task.Settings.Rank.Floor)
	s.Selection.Numbers = map[evidence.SourceID]int{}
	for _, c := range s.Selection.Chosen {
		if s.Selection.Numbers[c.Source.ID] == 0 {
			s.Selection.Numbers[c.Source.ID] = len(s.Selection.Numbers) + 1
		}
	}
	r := s.Extracted(ctx)
	return r.Trace != nil && r.State == quote.Answer && len(r.Open) == 0
}
