package selection

import (
	"slices"

	"footnote/backend/answer/gather"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// A passage bears on a question when it is near to it in meaning and has its words, by
// numbers that no other passage changes (ADR 105).
const (
	bearsNear  = 0.65 // of nearness and half the share of words
	nearAlone  = 0.55 // nearness below which one word, a name mostly, is too little
	mostWords  = 0.5  // share that is enough then
	bearsWords = 0.2  // of the share, where the encoder has not read the passage
	bearsFacet = 0.5  // of the share of what else was looked for
)

// bearing leaves out what bears on no question that both sides are asked: passages of
// files, which fill no place because it is free, and pages, where files answer. What the
// reader ticked or asks an overview of stays.
func (s *Selector) bearing(pool []rank.Candidate) []rank.Candidate {
	local, web := slices.ContainsFunc(pool, rank.Candidate.Local), slices.ContainsFunc(pool, isPage)
	if !local || !web && !s.Plan.Search || !s.Task.Question.Scope.Empty() {
		return pool
	}
	file, overview := s.overviewFile(pool)
	asked := s.Deps.Checker.Terms(lang.Matter(s.Plan.Standalone))
	pool = slices.DeleteFunc(slices.Clone(pool), func(c rank.Candidate) bool {
		return c.Local() && !(overview && c.Source.ID == file.Source.ID) && !s.bears(asked, c)
	})
	if !web || !slices.ContainsFunc(pool, rank.Candidate.Local) {
		return pool
	}
	pages := map[evidence.SourceID]bool{} // that bear
	for _, c := range pool {
		if isPage(c) && !pages[c.Source.ID] {
			pages[c.Source.ID] = s.bears(asked, c)
		}
	}
	return slices.DeleteFunc(pool, func(c rank.Candidate) bool { return isPage(c) && !pages[c.Source.ID] })
}

func isPage(c rank.Candidate) bool { return !c.Local() && c.Source.Kind != evidence.Pasted }

// bears reports whether a passage, under its title, is relevant by itself.
func (s *Selector) bears(asked []cite.Term, c rank.Candidate) bool {
	has := s.Deps.Checker.Terms(gather.RankText(c))
	share := shareOf(asked, has)
	near := c.Score.Cosine
	switch {
	case !c.Score.Encoded && share >= bearsWords, c.Score.Encoded && near+share/2 >= bearsNear && (near >= nearAlone || share >= mostWords):
		return true
	}
	return slices.ContainsFunc(s.Evidence.Facets, func(query string) bool {
		return shareOf(s.Deps.Checker.Terms(lang.Matter(query)), has) >= bearsFacet
	})
}

// shareOf is the share of the weight of what is asked that a text has.
func shareOf(asked, has []cite.Term) float64 {
	all, found := 0.0, 0.0
	seen := map[string]bool{}
	for _, t := range asked {
		if seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		best := 0.0
		for _, h := range has {
			if best = max(best, t.Alike(h)); best == 1 || t.IsForm(h) {
				best = 1
				break
			}
		}
		all += t.Weight
		found += t.Weight * best
	}
	if all == 0 {
		return 0
	}
	return found / all
}
