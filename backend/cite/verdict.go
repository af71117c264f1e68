package cite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// judge turns features and score into a verdict and the reason for it.
func (c *Checker) judge(p *pair, f *features, table *model, score float64, missing []string) (verdict, why string) {
	if f.verb == 1 && len(p.content) >= 3 {
		return Supported, ""
	}
	if why := c.contradiction(p, f); why != "" && f.verb == 0 {
		return Contradicted, why
	}
	switch {
	case score >= table.Supported && !capped(f):
		return Supported, ""
	case score >= table.Partly && f.misplaced != "" && len(missing) == 0:
		return Partly, f.misplaced
	case score >= table.Partly:
		return Partly, p.explain(f, missing)
	}
	return NotFound, cmp.Or(lacks(missing), "the passage does not say this")
}

// capped reports whether a claim may not be called supported whatever its score.
func capped(f *features) bool {
	return f.xNM > 0 || max(f.xNum, f.xNeg, f.xAnt, f.xDir) >= 0.5 || f.entConf == 1 || f.misplaced != ""
}

// contradiction names the two words or numbers that exclude each other, empty
// when none do.
func (c *Checker) contradiction(p *pair, f *features) string {
	for _, x := range []struct {
		strength, cut float64
		find          func() conflict
	}{
		{f.xNum, c.cuts.Number, p.numberConflict}, {f.xNeg, c.cuts.Negation, p.negationConflict},
		{f.xAnt, c.cuts.Antonym, p.antonymConflict}, {f.xDir, c.cuts.Direction, p.directionConflict},
	} {
		if x.strength < x.cut {
			continue
		}
		if found := x.find(); !found.loose {
			return sideBySide(found)
		}
	}
	return ""
}

func sideBySide(c conflict) string {
	return fmt.Sprintf("the answer says %q, the passage says %q", c.claim, c.passage)
}

// explain says why a claim is only partly supported.
func (p *pair) explain(f *features, missing []string) string {
	if why := lacks(missing); why != "" {
		return why
	}
	for _, x := range []conflict{p.numberConflict(), p.negationConflict(), p.antonymConflict(), p.directionConflict()} {
		if x.strength >= 0.5 {
			return sideBySide(x)
		}
	}
	if f.xNM > 0 {
		return "a number stands elsewhere in the passage"
	}
	return "the passage says only part of this"
}

// lacks says which words are not in the passage, empty when none is missing.
func lacks(missing []string) string {
	switch n := len(missing); n {
	case 0:
		return ""
	case 1:
		return missing[0] + " is not in the passage"
	default:
		return strings.Join(missing[:n-1], ", ") + " and " + missing[n-1] + " are not in the passage"
	}
}

// uncovered lists the numbers and names of the claim that the passage lacks, as
// they stand, each once.
func (p *pair) uncovered() []string {
	var missing []string
	for k, i := range p.content {
		t := &p.claim.tokens[i]
		absent := p.bestMatch(k, p.everywhere()) == 0
		switch t.kind {
		case count, year, percent, money:
			absent = absent || !p.found(i)
		case label:
			absent = !p.found(i)
		case word:
			absent = p.lacksName(k, i)
		}
		if absent && !slices.Contains(missing, t.text) {
			missing = append(missing, t.text)
		}
	}
	return missing
}

// highlight picks the sentence with the highest rank and at most one of the next
// three that adds enough recall, in the order of the passage. best is the first
// of them by rank.
func (p *pair) highlight(rank []float64) (shown []int, best int) {
	if p.best < 0 || p.recall[p.best] == 0 {
		return nil, -1
	}
	order := p.everywhere()
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) })
	best = order[0]
	for _, j := range order[1:min(4, len(order))] {
		if p.recallIn(nil, best, j)-p.recall[best] >= 0.2 {
			return []int{min(best, j), max(best, j)}, best
		}
	}
	return order[:1], best
}
