package rank

import (
	"hash/maphash"
	"slices"
)

// Reweigh orders candidates that Rank has scored once more, under other weights
// or another measure, from their scores alone: no text and no vector is needed.
// Before is the rank they had.
func Reweigh(scored []Candidate, p Preset, measure Measure) []Candidate {
	out := slices.Clone(scored)
	semantic := semantics(out, Options{Measure: measure}.filled())
	for i := range out {
		c := &out[i]
		c.Before = c.After
		c.Scores.Semantic = nil
		if semantic != nil {
			c.Scores.Semantic = &semantic[i]
		}
		c.Scores.Composite, c.Scores.Relevance = compose(c.Scores, p.Weights)
	}
	slices.SortStableFunc(out, compare)
	for i := range out {
		out[i].After = i + 1
	}
	return out
}

// Alike lists for each candidate the earlier ones of which it is a twin: who of
// them comes first stays, as DedupAbove has it.
func Alike(cands []Candidate, threshold float64) [][]int {
	seed := maphash.MakeSeed()
	sets, alike := make([]tokens, len(cands)), make([][]int, len(cands))
	for i, c := range cands {
		sets[i] = tokensOf(seed, c)
		for j := range i {
			if sets[j].twin(sets[i], threshold) {
				alike[i] = append(alike[i], j)
			}
		}
	}
	return alike
}
