package selection

import (
	"context"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const mostFacets = 6 // of a run whose evidence is ranked by each

// Places is how many passages the answer may rest on: some more where several
// things were looked for.
func (s *Selector) Places() int {
	if s.Task.Question.K > 0 {
		return s.Plan.RankBy.K
	}
	return min(s.Plan.RankBy.K+len(s.Evidence.Facets), max(s.Plan.RankBy.K, s.Task.Settings.Rank.MaxPassages))
}

// byFacets orders candidates by everything that was looked for: the best for the
// question, the best for each query, the second best for the question, and so on.
// What a second search found often speaks to the question only through what the
// first one found. Without further queries the order stays.
func (s *Selector) byFacets(ctx context.Context, cands []rank.Candidate) []rank.Candidate {
	if len(s.Evidence.Facets) == 0 {
		return cands
	}
	orders := [][]rank.Candidate{cands}
	for _, query := range s.Evidence.Facets[:min(len(s.Evidence.Facets), mostFacets)] {
		again := make([]rank.Candidate, len(cands))
		copy(again, cands)
		s.Scorer.ScoreWeb(ctx, query, again)
		orders = append(orders, rank.Rank(query, again, s.Plan.RankBy, s.Tell.Now(), s.Task.RankOptions()))
	}
	known := map[evidence.PassageID]rank.Candidate{}
	for _, c := range cands {
		known[c.Passage.ID] = c
	}
	out := make([]rank.Candidate, 0, len(cands))
	for i := range cands {
		for _, order := range orders {
			if c, left := known[order[i].Passage.ID]; left {
				delete(known, c.Passage.ID)
				out = append(out, c)
			}
		}
	}
	return out
}
