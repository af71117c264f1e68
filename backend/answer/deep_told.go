package answer

import (
	"cmp"
	"slices"
	"strings"

	"footnote/backend/plain"
)

// Research is what a report came from; it goes with the answer of deep research.
type Research struct {
	SubMode     SubMode  `json:"submode"`
	Brief       string   `json:"brief"`
	Dimensions  []string `json:"dimensions"`   // that something was found on
	Open        []string `json:"open"`         // that nothing was found on
	KeyFindings []string `json:"key_findings"` // the best six
	Related     []string `json:"related"`
	Iterations  int      `json:"iterations"` // passes
	Findings    int      `json:"findings"`
	Early       string   `json:"early,omitempty"` // the limit that ended it
}

const (
	mostKeyFindings = 6
	mostChips       = 3
)

func (r *research) told(explored []Explored, related []string) *Research {
	t := &Research{
		SubMode: r.p.task.Question.SubMode, Brief: r.study.Brief, Dimensions: []string{}, Open: plain.Full(r.study.unproductive()), KeyFindings: []string{},
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
func byWeight(explored []Explored) []Explored {
	out := slices.Clone(explored)
	slices.SortStableFunc(out, func(a, b Explored) int {
		return cmp.Compare(b.Sources+len(b.Facts)+len(b.Quotes), a.Sources+len(a.Facts)+len(a.Quotes))
	})
	return out
}

// chips are the dimensions with which a reader may go on; what was asked is none.
func (r *research) chips(explored []Explored) []string {
	var out []string
	for _, x := range byWeight(explored) {
		if len(out) < mostChips && x.Question != r.p.task.Question.Text {
			out = append(out, x.Question)
		}
	}
	return out
}

// Told is the answer as the next question of its thread is given it: a report by
// its brief, dimensions and key findings, anything else as it is.
func (a Answer) Told() string {
	if a.Research == nil {
		return a.Answer
	}
	t := a.Research
	lines := []string{"Research on: " + a.Question, t.Brief}
	if len(t.Dimensions) > 0 {
		lines = append(lines, "Looked into: "+strings.Join(t.Dimensions, "; "))
	}
	for _, f := range t.KeyFindings {
		lines = append(lines, "- "+f)
	}
	return strings.Join(lines, "\n")
}
