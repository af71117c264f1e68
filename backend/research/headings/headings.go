// Package headings tells under which heading of due diligence a sentence belongs, and
// which heading a question asks for, in any language.
package headings

import (
	"context"
	_ "embed" // the weights
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/llm"
	"footnote/backend/pattern"
)

// Headings of due diligence that a sentence can belong under; Other for none.
const (
	Strengths     = "strengths"
	Weaknesses    = "weaknesses"
	Opportunities = "opportunities"
	Risks         = "risks"
	Figures       = "figures"
	Timeline      = "timeline"
	People        = "people"
	Licence       = "licence"
	Security      = "security"
	Competitors   = "competitors"
	Other         = "other"
)

// How likely a sentence must speak against its subject to be told before all others; or be
// of any heading, and how much of that must be against it.
const (
	adverse       = 0.5
	surelyHeaded  = 0.6
	mostlyAgainst = 0.45
)

// Likelihoods from which a sentence belongs under a heading, as the likeliest of eleven
// may be a guess; and under risks, as one that is missed costs more than one too many.
const (
	headedFrom = 0.4
	riskFrom   = 0.3
)

// All are all of them, in the order of the weights.
var All = []string{Strengths, Weaknesses, Opportunities, Risks, Figures, Timeline, People, Licence, Security, Competitors, Other}

// Encoder makes vectors of sentences in any language; Nearness is what a cosine of two
// says, about 0 for what is unlike. *embed.Encoder is one.
type Encoder interface {
	llm.Embedder
	Nearness(cos float64) float64
}

// Classifier tells under which heading a sentence of any language belongs: a logistic
// regression over the sentence's vector and a few traits of its form.
type Classifier struct {
	Weights [][]float32 `json:"weights"` // of each heading, the bias last
}

//go:embed headings.json
var headingWeights []byte

// Shipped is trained by go run ./build train headings.
var Shipped = sync.OnceValue(func() *Classifier {
	c := &Classifier{}
	if err := json.Unmarshal(headingWeights, c); err != nil {
		panic("headings.json: " + err.Error()) // part of the binary, held by a test
	}
	return c
})

// Headed is how likely a sentence belongs under each heading.
type Headed [11]float64

// Of is how likely the sentence belongs under a heading.
func (h Headed) Of(heading string) float64 { return h[slices.Index(All, heading)] }

// Adverse reports whether the sentence speaks against its subject: surely, or as far as it
// belongs under any heading, since what is of risks is of security or licences too.
func (h Headed) Adverse() bool {
	against, headed := h.Of(Risks)+h.Of(Weaknesses), 1-h.Of(Other)
	return against >= adverse || headed >= surelyHeaded && against >= mostlyAgainst*headed
}

// Heading is where a sentence belongs: what speaks against the subject before all.
func (h Headed) Heading() string {
	best, least := h.Best(), headedFrom
	if best == Risks {
		least = riskFrom
	}
	switch {
	case h.Adverse() && h.Of(Weaknesses) > h.Of(Risks):
		return Weaknesses
	case h.Adverse():
		return Risks
	case h.Of(best) < least:
		return Other
	}
	return best
}

// Best is the likeliest heading.
func (h Headed) Best() string { return All[slices.Index(h[:], slices.Max(h[:]))] }

// Of gives a text the likelihood of every heading, by the vector of its bare words.
func (c *Classifier) Of(text string, bare []float32) (h Headed) {
	return c.Over(features(text, bare))
}

// Over is Of by features.
func (c *Classifier) Over(features []float32) (h Headed) {
	copy(h[:], Likelihoods(c.Weights, features))
	return h
}

// Likelihoods are those that the weights of each heading, the bias last, give to
// features. They sum to 1.
func Likelihoods(weights [][]float32, features []float32) []float64 {
	likely, sum := make([]float64, len(weights)), 0.0
	for i, w := range weights {
		z := float64(w[len(features)])
		for k, v := range features {
			z += float64(w[k]) * float64(v)
		}
		likely[i] = math.Exp(z)
		sum += likely[i]
	}
	for i := range likely {
		likely[i] /= sum
	}
	return likely
}

// traits of the form of a sentence that are alike in all languages.
var traits = []*pattern.Regexp{
	pattern.New(`\b(?:1[0-9]|20)\d\d\b`),
	pattern.New(`\d[\d.,]*`),
	pattern.New(`\bCVE-\d{4}-\d+`),
	pattern.New(`[?？؟]$`),
	pattern.New(`[%$€£¥]`),
}

// features are the vector of a text's bare words, with traits of its form.
func features(text string, bare []float32) []float32 {
	f := make([]float32, vectorSize, vectorSize+len(traits))
	copy(f, bare)
	return append(f, Traits(text)...)
}

// Traits are those of a text's form.
func Traits(text string) (all []float32) {
	for _, t := range traits {
		all = append(all, Trait(t.MatchString(text)))
	}
	return all
}

// BareVectors are the vectors of texts in which one name is like another.
func BareVectors(ctx context.Context, e llm.Embedder, texts []string) ([][]float32, error) {
	bare := make([]string, len(texts))
	for i, text := range texts {
		bare[i] = withoutNames(text)
	}
	return e.Embed(ctx, bare)
}

const vectorSize = 384 // of the sentence encoder

// Trait is the feature of a text that has a trait or has not.
func Trait(yes bool) float32 {
	if yes {
		return 0.3
	}
	return 0
}

// anyName stands for every name: what is said is told by the other words.
const anyName = "X"

// withoutNames puts anyName in the place of names. Where capital letters tell none, as
// in German, they stay.
func withoutNames(text string) string {
	if !lang.Detect(text).NamesByCapitals() {
		return text
	}
	words := strings.Fields(text)
	for i, w := range words {
		if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "“\"'(")); i > 0 && unicode.IsUpper(first) {
			words[i] = anyName
		}
	}
	return strings.Join(words, " ")
}
