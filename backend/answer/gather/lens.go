package gather

import (
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Unblocked leaves out leads to blocked places.
func (t *Task) Unblocked(leads []evidence.Lead) []evidence.Lead {
	return slices.DeleteFunc(leads, func(l evidence.Lead) bool { return t.Lenses.Of(l.Source) == contract.Block })
}

// FocusPool drops candidates of blocked places and gives those of boosted ones
// all the authority there is, and those of lowered ones none.
func (t *Task) FocusPool(pool []rank.Candidate) []rank.Candidate {
	if len(t.Lenses) == 0 {
		return pool
	}
	kept := pool[:0]
	for _, c := range pool {
		switch t.Lenses.Of(c.Source) {
		case contract.Block:
			continue
		case contract.Boost:
			c.AuthorityBonus++
		case contract.Lower:
			c.AuthorityBonus--
		}
		kept = append(kept, c)
	}
	return kept
}

// LensReason says on a card that the reader had a hand in its rank.
func (t *Task) LensReason(src evidence.Source) string {
	switch t.Lenses.Of(src) {
	case contract.Boost:
		return "You put this place first."
	case contract.Lower:
		return "You put this place last."
	}
	return ""
}
