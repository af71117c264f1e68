package selection

import (
	"context"
	"fmt"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const overviewRead = 400 // passages of a file that are read; of a longer one its beginning

// overviewFile finds the file that an overview is asked of.
func (s *Selector) overviewFile(pool []rank.Candidate) (rank.Candidate, bool) {
	if s.Task.Question.Mode == contract.ModeDeep || s.Deps.Texts == nil {
		return rank.Candidate{}, false
	}
	return quote.FindOverview(s.Deps.Checker, s.asks(), pool, !s.Task.Question.Scope.Empty())
}

// withOverview adds the passages of the file that an overview is asked of.
func (s *Selector) withOverview(ctx context.Context, pool []rank.Candidate) []rank.Candidate {
	file, ok := s.overviewFile(pool)
	if !ok {
		return pool
	}
	all := s.Split(ctx, file)
	if len(all) > overviewRead {
		s.Tell.Notice(contract.Notice{Code: "overview-partial", Level: "info", Message: fmt.Sprintf("The overview is of the first %d of %d passages of the file.", overviewRead, len(all))})
		all = all[:overviewRead]
	}
	s.Selection.overview = map[evidence.PassageID]int{}
	for i, c := range all {
		s.Selection.overview[c.Passage.ID] = i
		if !slices.ContainsFunc(pool, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
			pool = append(pool, c)
		}
	}
	return pool
}

// chooseOverview takes the sentences that say most of the file, and their passages
// in the file's order.
func (s *Selector) chooseOverview() {
	file := make([]rank.Candidate, len(s.Selection.overview))
	for _, c := range s.Selection.Ranked {
		if at, ok := s.Selection.overview[c.Passage.ID]; ok {
			file[at] = c
		}
	}
	result := quote.Overview(s.Deps.Checker, file, s.Task.Spoken(file))
	place := map[int]int{}
	s.Selection.Chosen = nil
	for i := range result.Sentences {
		said := &result.Sentences[i]
		if _, known := place[said.Passage]; !known {
			place[said.Passage] = len(s.Selection.Chosen)
			s.Selection.Chosen = append(s.Selection.Chosen, file[said.Passage])
		}
		said.Passage, said.N = place[said.Passage], 1
	}
	if s.Models.Chat.Model != nil { // it reads more than is quoted
		for _, c := range file {
			if len(s.Selection.Chosen) < max(s.Plan.RankBy.K, rank.MaxPassages) && !slices.ContainsFunc(s.Selection.Chosen, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
				s.Selection.Chosen = append(s.Selection.Chosen, c)
			}
		}
		return
	}
	s.Selection.Quotation = &result
}
