package answer

import (
	"context"
	"fmt"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

const overviewRead = 400 // passages of a file that are read; of a longer one its beginning

// overviewFile finds the file that an overview is asked of.
func (s *selector) overviewFile(pool []rank.Candidate) (rank.Candidate, bool) {
	if s.task.Question.Mode == contract.ModeDeep || s.deps.Texts == nil {
		return rank.Candidate{}, false
	}
	return quote.FindOverview(s.deps.Checker, s.asks(), pool, !s.task.Question.Scope.Empty())
}

// withOverview adds the passages of the file that an overview is asked of.
func (s *selector) withOverview(ctx context.Context, pool []rank.Candidate) []rank.Candidate {
	file, ok := s.overviewFile(pool)
	if !ok {
		return pool
	}
	all := s.splitAgain(ctx, file)
	if len(all) > overviewRead {
		s.tell.Notice(contract.Notice{Code: "overview-partial", Level: "info", Message: fmt.Sprintf("The overview is of the first %d of %d passages of the file.", overviewRead, len(all))})
		all = all[:overviewRead]
	}
	s.selection.Overview = map[evidence.PassageID]int{}
	for i, c := range all {
		s.selection.Overview[c.Passage.ID] = i
		if !slices.ContainsFunc(pool, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
			pool = append(pool, c)
		}
	}
	return pool
}

// chooseOverview takes the sentences that say most of the file, and their passages
// in the file's order.
func (s *selector) chooseOverview() {
	file := make([]rank.Candidate, len(s.selection.Overview))
	for _, c := range s.selection.Ranked {
		if at, ok := s.selection.Overview[c.Passage.ID]; ok {
			file[at] = c
		}
	}
	result := quote.Overview(s.deps.Checker, file, replyIn(s.task, lang.Detect(s.task.Question.Text)))
	place := map[int]int{}
	s.selection.Chosen = nil
	for i := range result.Sentences {
		said := &result.Sentences[i]
		if _, known := place[said.Passage]; !known {
			place[said.Passage] = len(s.selection.Chosen)
			s.selection.Chosen = append(s.selection.Chosen, file[said.Passage])
		}
		said.Passage, said.N = place[said.Passage], 1
	}
	if s.models.Chat.Model != nil { // it reads more than is quoted
		for _, c := range file {
			if len(s.selection.Chosen) < max(s.plan.RankBy.K, rank.MaxPassages) && !slices.ContainsFunc(s.selection.Chosen, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
				s.selection.Chosen = append(s.selection.Chosen, c)
			}
		}
		return
	}
	s.selection.Quotation = &result
}
