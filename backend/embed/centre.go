package embed

import (
	"encoding/binary"
	"math"

	files "footnote/backend/embed/weights"
)

const (
	sharedTaken  = 0.5  // of what all questions have in common that is taken from one
	sharedCosine = 0.78 // mean cosine of that with passages
)

// Distinct is the vector of a question for a search, less half of what questions in many
// languages have in common. That is their language above all, and what brings them near
// to passages that say little: a line with a name is near to every question in another
// language than its own (hubs: Radovanović et al. 2010; Conneau et al. 2018). Its Dot with
// passages is for NearnessOf. A model without such a mean leaves the vector as it is.
func (e *Encoder) Distinct(question Vector) Vector {
	if e.model.words().asks == "" || question.Scale == 0 {
		return question
	}
	v := question.Floats()
	norm := 0.0
	for i := range v {
		v[i] -= sharedTaken * math.Float32frombits(binary.LittleEndian.Uint32([]byte(files.Questions[4*i:4*i+4])))
		norm += float64(v[i]) * float64(v[i])
	}
	out := newVector(v)
	out.Scale *= float32(math.Sqrt(norm))
	return out
}

// NearnessOf is what the Dot of a Distinct vector and a passage says, as Nearness is of a
// cosine.
func (e *Encoder) NearnessOf(dot float64) float64 {
	if e.model.words().asks != "" {
		dot += sharedTaken * sharedCosine
	}
	return e.Nearness(dot)
}
