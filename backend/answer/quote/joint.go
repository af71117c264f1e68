package quote

import (
	"context"

	"footnote/backend/answer/quote/regression"
)

// join lets the joint encoder say how likely candidates are beside what the regressions
// make of their features; ok is false where it does not tell. texts are the candidates as
// they are read.
func (q Query) join(ctx context.Context, all []judged, texts []string, model *regression.Calibrated, reader JointReader) (ok bool) {
	if reader == nil {
		return false
	}
	logOdds, ok := reader.Joined(ctx, q.text, texts)
	if !ok || len(logOdds) != len(all) {
		return false
	}
	for i := range all {
		all[i].joint, all[i].alone = logOdds[i], all[i].likely
		all[i].likely = model.Joined.LogOdds([]float64{all[i].likely, logOdds[i]})
	}
	return true
}

// sureOf describes the likeliest candidate, the first of all: how likely its features
// make it, what the joint encoder says of it, and how far ahead of all others that is.
func sureOf(all []judged) []float64 {
	ahead := 0.0
	for i, c := range all[1:] {
		if lead := all[0].joint - c.joint; i == 0 || lead < ahead {
			ahead = lead
		}
	}
	return []float64{all[0].alone, all[0].joint, ahead}
}
