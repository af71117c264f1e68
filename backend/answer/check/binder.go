package check

import (
	"slices"

	"footnote/backend/answer/gather"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/selection"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// Draft is the answer as it was composed.
type Draft struct {
	Text   string                // with its markers
	Beside []selection.Neighbour // of the neighbours, what a model read along and may cite

	read map[evidence.PassageID]*cite.Passage // as the checker reads them
}

// NewDraft is a draft of which nothing is written yet.
func NewDraft() Draft { return Draft{read: map[evidence.PassageID]*cite.Passage{}} }

// Binder ties claims to the passages that carry them.
type Binder struct {
	Checker   *cite.Checker
	Task      *gather.Task
	Selection selection.Selection
	Draft     Draft
}

// BestPassage is the passage of source n that carries the claim best.
func (b *Binder) BestPassage(n int, claim string) (*rank.Candidate, cite.Finding) {
	var best *rank.Candidate
	var finding cite.Finding
	citable := b.Citable()
	for i := range citable {
		c := &citable[i]
		if b.Selection.Numbers[c.Source.ID] != n {
			continue
		}
		f := b.Checker.CheckRead(claim, b.Task.Question.Text, b.Read(c.Passage))
		if best == nil || better(f, finding) {
			best, finding = c, f
		}
	}
	return best, finding
}

// Read is a passage as the checker reads it; each is read once.
func (b *Binder) Read(passage evidence.Passage) *cite.Passage {
	r, ok := b.Draft.read[passage.ID]
	if !ok {
		r = b.Checker.Read(passage.Text)
		b.Draft.read[passage.ID] = r
	}
	return r
}

var verdictOrder = map[string]int{"supported": 3, "partly": 2, "contradicted": 1, "not-found": 0}

func better(a, b cite.Finding) bool {
	if verdictOrder[a.Verdict] != verdictOrder[b.Verdict] {
		return verdictOrder[a.Verdict] > verdictOrder[b.Verdict]
	}
	return a.Score > b.Score
}

// Widen gives what the model reads along with the passages it gets: the
// neighbours of the best ones, as long as they fit into what the passages left
// of the budget. They can be cited from here on.
func (b *Binder) Widen(kept []rank.Candidate, budget int) {
	b.Draft.Beside = nil
	for _, c := range kept {
		budget -= prompts.BlockCost(c, "")
	}
	for _, c := range kept {
		n, ok := b.Selection.Neighbours[c.Passage.ID]
		if !ok {
			continue
		}
		if cost := llm.EstimateTokens(n.Text); cost <= budget {
			budget -= cost
			b.Draft.Beside = append(b.Draft.Beside, n)
		}
	}
}

// read along with a passage; empty when nothing is.
func (b *Binder) Alongside(c rank.Candidate) string {
	n := b.Selection.Neighbours[c.Passage.ID]
	if slices.ContainsFunc(b.Draft.Beside, func(o selection.Neighbour) bool { return o.Passage.ID == n.Passage.ID }) {
		return n.Text
	}
	return ""
}

// Citable are the passages that the answer may cite: the chosen ones, then what
// a model read beside them.
func (b *Binder) Citable() []rank.Candidate {
	all := slices.Clone(b.Selection.Chosen)
	for _, n := range b.Draft.Beside {
		all = append(all, n.Candidate)
	}
	return all
}
