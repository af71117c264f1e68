package report

import (
	"cmp"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/rank"
)

// OnePerQuestion joins what several passes found for one subquestion: a report has
// one section on it.
func OnePerQuestion(explored []contract.Explored) (all []contract.Explored) {
	for _, x := range explored {
		at := slices.IndexFunc(all, func(o contract.Explored) bool { return o.Question == x.Question })
		if at < 0 {
			all = append(all, x)
			continue
		}
		o := &all[at]
		o.Summary, o.KeyFinding = cmp.Or(o.Summary, x.Summary), cmp.Or(o.KeyFinding, x.KeyFinding)
		o.Facts, o.Quotes = slices.Concat(o.Facts, x.Facts), slices.Concat(o.Quotes, x.Quotes)
		o.Evidence = slices.Concat(o.Evidence, slices.DeleteFunc(slices.Clone(x.Evidence), func(c rank.Candidate) bool { return hasPassage(o.Evidence, c) }))
		o.Weak = o.Weak && x.Weak
	}
	return all
}
