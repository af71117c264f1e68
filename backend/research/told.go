package research

import (
	"cmp"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/plain"
)

const (
	mostKeyFindings = 6
	mostChips       = 3
)

func (r *research) told(explored []contract.Explored, related []string) *contract.Research {
	t := &contract.Research{
		SubMode: r.p.Task.Question.SubMode, Brief: r.study.Brief, Dimensions: []string{}, Open: plain.Full(r.study.Unproductive()), KeyFindings: []string{},
		Related: plain.Full(related), Iterations: r.study.Pass, Early: r.study.Early,
	}
	for _, x := range explored {
		t.Dimensions = append(t.Dimensions, x.Question)
		t.Findings += len(x.Facts) + len(x.Quotes)
	}
	for _, x := range byWeight(explored) {
		if key := plain.OneLine(x.KeyFinding, 300); key != "" && len(t.KeyFindings) < mostKeyFindings && !slices.Contains(t.KeyFindings, key) {
			t.KeyFindings = append(t.KeyFindings, key)
		}
	}
	for _, x := range byWeight(explored) {
		for _, f := range x.Facts {
			if len(t.KeyFindings) < mostKeyFindings && !slices.Contains(t.KeyFindings, f.Text) {
				t.KeyFindings = append(t.KeyFindings, f.Text)
			}
		}
	}
	return t
}

// byWeight are dimensions by how much was found on them.
func byWeight(explored []contract.Explored) []contract.Explored {
	out := slices.Clone(explored)
	slices.SortStableFunc(out, func(a, b contract.Explored) int {
		return cmp.Compare(b.Sources+len(b.Facts)+len(b.Quotes), a.Sources+len(a.Facts)+len(a.Quotes))
	})
	return out
}

// chips are the dimensions with which a reader may go on; what was asked is none.
func (r *research) chips(explored []contract.Explored) []string {
	var out []string
	for _, x := range byWeight(explored) {
		if len(out) < mostChips && x.Question != r.p.Task.Question.Text {
			out = append(out, x.Question)
		}
	}
	return out
}
