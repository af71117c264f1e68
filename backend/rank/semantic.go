package rank

import (
	"math"
	"slices"

	"footnote/backend/evidence"
)

// Text is a passage as the sentence encoder reads it: Title is its ranking
// prefix. The id is that of the stored passage, so that its vectors can be kept;
// Digest is that of its file, empty for what is not in the library.
type Text struct {
	ID          evidence.PassageID
	Digest      string
	Title, Body string
}

// Window is a stretch of a text's body that has a vector of its own: where it ends, in
// bytes, behind the one before, and how near to a question it is.
type Window struct {
	End  int
	Near float64
}

// TextOf is a passage of a source for the sentence encoder.
func TextOf(src evidence.Source, p evidence.Passage) Text {
	t := Text{ID: p.ID, Title: evidence.Prefix(src, p.At), Body: p.Text}
	if src.Kind == evidence.File {
		t.Digest = src.Digest
	}
	return t
}

// ReorderFirst is how many of S1's best the sentence encoder may put in order;
// more gained nothing.
const ReorderFirst = 50

// semantics gives each candidate its semantic score, or nil when no candidate
// has a vector. Cosines of different models are not compared: when the sentence
// encoder spoke for some candidates, it alone counts.
func semantics(cands []Candidate, opt Options) []float64 {
	raw, has := make([]float64, len(cands)), make([]bool, len(cands))
	encoded := slices.ContainsFunc(cands, func(c Candidate) bool { return c.Score.Encoded })
	any := false
	for i, c := range cands {
		raw[i], has[i] = likeness(c, opt)
		if encoded && len(opt.Vectors) == 0 {
			has[i] = c.Score.Encoded
		}
		any = any || has[i]
	}
	if !any {
		return nil
	}
	low, high := extremes(raw, has)
	for i := range raw {
		if !has[i] {
			raw[i] = low
		}
		if opt.Measure == Dot {
			raw[i] = scale(raw[i], low, high)
		}
		raw[i] = min(max(raw[i], 0), 1)
	}
	return raw
}

func extremes(raw []float64, has []bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, v := range raw {
		if has[i] {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

func scale(v, low, high float64) float64 {
	if high <= low {
		return 1
	}
	return (v - low) / (high - low)
}

// likeness is the raw measure of one candidate, and whether it has any.
func likeness(c Candidate, opt Options) (float64, bool) {
	v, given := opt.Vectors[c.Passage.ID]
	if !given || len(v) != len(opt.Question) || len(v) == 0 {
		return unitLikeness(c.Score.Cosine, opt.Measure), c.Score.Vector
	}
	dot, qq, vv := products(opt.Question, v)
	switch opt.Measure {
	case Dot:
		return dot, true
	case Euclidean:
		return 1 / (1 + math.Sqrt(max(0, qq+vv-2*dot))), true
	}
	if qq == 0 || vv == 0 {
		return 0, true
	}
	return dot / math.Sqrt(qq*vv), true
}

// unitLikeness is the measure when only the cosine of unit vectors is known.
func unitLikeness(cos float64, m Measure) float64 {
	if m == Euclidean {
		return 1 / (1 + math.Sqrt(max(0, 2-2*cos)))
	}
	return cos
}

func products(q, v []float32) (qv, qq, vv float64) {
	for i := range q {
		a, b := float64(q[i]), float64(v[i])
		qv, qq, vv = qv+a*b, qq+a*a, vv+b*b
	}
	return qv, qq, vv
}
