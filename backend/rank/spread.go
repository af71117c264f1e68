package rank

import (
	"footnote/backend/evidence"
)

// Spread moves the third and later passages of a web page behind the first ones
// of others, so that one long page does not fill the answer's sources.
func Spread(cands []Candidate) []Candidate {
	first := make([]Candidate, 0, len(cands))
	var later []Candidate
	seen := map[evidence.SourceID]int{}
	for _, c := range cands {
		if seen[c.Source.ID]++; !c.Local() && c.Source.Kind != evidence.Pasted && seen[c.Source.ID] > passagesOfPage {
			later = append(later, c)
			continue
		}
		first = append(first, c)
	}
	return append(first, later...)
}

const passagesOfPage = 2 // before other pages have had their turn
