// Package regression holds the logistic regressions that say which candidate answers a
// question, and how sure that is.
package regression

import (
	_ "embed" // the weights
	"encoding/json"
	"math"
	"sync"
)

// Logistic is a logistic regression over standardised features.
type Logistic struct {
	Mean   []float64 `json:"mean"`
	Scale  []float64 `json:"scale"`
	Weight []float64 `json:"weight"`
	Bias   float64   `json:"bias"`
}

// LogOdds is what it gives for features.
func (l Logistic) LogOdds(x []float64) float64 {
	sum := l.Bias
	for i, v := range x {
		sum += l.Weight[i] * (v - l.Mean[i]) / l.Scale[i]
	}
	return sum
}

// Probability is what log-odds say.
func Probability(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }

// Calibrated are regressions: which candidate is right, and whether the best one is, a
// sentence or a row of a table. Joined and Sure say both anew where the joint encoder has
// read the candidates: of what the others say and of its log-odds.
type Calibrated struct {
	Right    Logistic `json:"right"`
	Answered Logistic `json:"answered"`
	Listed   Logistic `json:"listed"`
	Joined   Logistic `json:"joined"`
	Sure     Logistic `json:"sure"`
}

// Certainty is the regression that tells whether a best candidate is right.
func (c *Calibrated) Certainty(row bool) Logistic {
	if row {
		return c.Listed
	}
	return c.Answered
}

// Regressions are those for what both encoders read, for what the cross-encoder did not, as
// it knows English alone, and for what neither did, as they were late or off.
type Regressions struct {
	Read  Calibrated `json:"read"`
	Meant Calibrated `json:"meant"`
	Alone Calibrated `json:"alone"`
	// Abroad is for a question over texts in other languages, in which its words are none.
	Abroad Calibrated `json:"abroad"`
	// Answers and Closest are the confidences from which an answer is one, and from which it
	// is close; AnswersJoined and ClosestJoined where the joint encoder has read it.
	Answers       float64 `json:"answers"`
	AnswersJoined float64 `json:"answers_joined"`
	Closest       float64 `json:"closest"`
	ClosestJoined float64 `json:"closest_joined"`
}

//go:embed scorer.json
var scorerWeights []byte

// Trained are the regressions that build/train/grade.py made.
var Trained = sync.OnceValue(func() *Regressions {
	r := &Regressions{}
	if err := json.Unmarshal(scorerWeights, r); err != nil {
		panic("scorer.json: " + err.Error()) // part of the binary, held by a test
	}
	return r
})

// Of is the regression for what the models read of the candidates.
func (r *Regressions) Of(meant, read bool) *Calibrated {
	switch {
	case read:
		return &r.Read
	case meant:
		return &r.Meant
	}
	return &r.Alone
}

// Surest is the confidence that is told at most: of what only comes close, no more than
// from which an answer is one, whatever made it doubtful.
func Surest(close bool) float64 {
	if close {
		return Trained().Answers
	}
	return 1
}
