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

// sureOf describes the likeliest candidate, the first of all: how likely its features make it,
// what the joint encoder says of it, how far ahead of all others that is and how far ahead
// it is itself; and what of the question it lacks or has around it. build/train/sure.py
// makes the same of a trace.
func sureOf(all []judged) []float64 {
	first := all[0]
	ahead, lead := 0.0, 0.0
	for i, c := range all[1:] {
		if by := first.joint - c.joint; i == 0 || by < ahead {
			ahead = by
		}
		if by := first.likely - c.likely; i == 0 || by < lead {
			lead = by
		}
	}
	return []float64{first.alone, first.joint, ahead, lead, first.features[regression.Undated], first.features[regression.Another], first.features[regression.Around], first.features[regression.Opens]}
}
