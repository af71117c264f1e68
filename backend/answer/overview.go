package answer

import (
	"context"
	"fmt"
	"slices"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const overviewRead = 400 // passages of a file that are read; of a longer one its beginning

// overviewFile finds the file that an overview is asked of.
func (p *selector) overviewFile(pool []rank.Candidate) (rank.Candidate, bool) {
	if p.task.Question.Mode == ModeDeep || p.deps.Texts == nil {
		return rank.Candidate{}, false
	}
	return quote.FindOverview(p.deps.Checker, p.asks(), pool, !p.task.Question.Scope.Empty())
}

// withOverview adds the passages of the file that an overview is asked of.
func (p *selector) withOverview(ctx context.Context, pool []rank.Candidate) []rank.Candidate {
	file, ok := p.overviewFile(pool)
	if !ok {
		return pool
	}
	all := p.splitAgain(ctx, file)
	if len(all) > overviewRead {
		p.tell.Notice(Notice{Code: "overview-partial", Level: "info", Message: fmt.Sprintf("The overview is of the first %d of %d passages of the file.", overviewRead, len(all))})
		all = all[:overviewRead]
	}
	p.selection.Overview = map[evidence.PassageID]int{}
	for i, c := range all {
		p.selection.Overview[c.Passage.ID] = i
		if !slices.ContainsFunc(pool, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
			pool = append(pool, c)
		}
	}
	return pool
}

// chooseOverview takes the sentences that say most of the file, and their passages
// in the file's order.
func (p *selector) chooseOverview() {
	file := make([]rank.Candidate, len(p.selection.Overview))
	for _, c := range p.selection.Ranked {
		if at, ok := p.selection.Overview[c.Passage.ID]; ok {
			file[at] = c
		}
	}
	result := quote.Overview(p.deps.Checker, file)
	place := map[int]int{}
	p.selection.Chosen = nil
	for i := range result.Sentences {
		s := &result.Sentences[i]
		if _, known := place[s.Passage]; !known {
			place[s.Passage] = len(p.selection.Chosen)
			p.selection.Chosen = append(p.selection.Chosen, file[s.Passage])
		}
		s.Passage, s.N = place[s.Passage], 1
	}
	if p.models.Chat.Model != nil { // it reads more than is quoted
		for _, c := range file {
			if len(p.selection.Chosen) < max(p.plan.RankBy.K, rank.MaxPassages) && !slices.ContainsFunc(p.selection.Chosen, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID }) {
				p.selection.Chosen = append(p.selection.Chosen, c)
			}
		}
		return
	}
	p.selection.Quotation = &result
}
