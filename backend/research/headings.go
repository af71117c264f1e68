package research

import (
	"context"
	_ "embed" // the weights
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

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

// adverse is how likely a sentence must speak against its subject to be told before
// all others.
const adverse = 0.5

// Headings are all of them, in the order of the weights.
var Headings = []string{Strengths, Weaknesses, Opportunities, Risks, Figures, Timeline, People, Licence, Security, Competitors, Other}

// Classifier tells under which headings a sentence belongs: for each a logistic
// regression over the sentence's vector and a few traits of its form.
type Classifier struct {
	Weights [][]float32 `json:"weights"` // of each heading, the bias last
}

//go:embed headings.json
var headingWeights []byte

// shippedClassifier is trained by go run ./build train headings.
var shippedClassifier = sync.OnceValue(func() *Classifier {
	c := &Classifier{}
	if err := json.Unmarshal(headingWeights, c); err != nil {
		panic("headings.json: " + err.Error()) // part of the binary, held by a test
	}
	return c
})

// Headed is how likely a sentence belongs under each heading.
type Headed [11]float64

// Of is how likely the sentence belongs under a heading.
func (h Headed) Of(heading string) float64 { return h[slices.Index(Headings, heading)] }

// Adverse reports whether the sentence speaks against its subject.
func (h Headed) Adverse() bool { return h.Of(Risks)+h.Of(Weaknesses) >= adverse }

// Best is the likeliest heading.
func (h Headed) Best() string { return Headings[slices.Index(h[:], slices.Max(h[:]))] }

// Of gives a text the likelihood of every heading, by the vector of its bare words.
func (c *Classifier) Of(text string, bare []float32) (h Headed) {
	f := Features(text, bare)
	for k := range Headings {
		h[k] = Logistic(c.Weights[k], f)
	}
	return h
}

// Logistic is the likelihood that weights, the bias last, give to features.
func Logistic(weights, features []float32) float64 {
	z := float64(weights[len(features)])
	for k, v := range features {
		z += float64(weights[k]) * float64(v)
	}
	return 1 / (1 + math.Exp(-z))
}

// traits of the form of a sentence, and words that hint at a heading without
// deciding: what they weigh is learned.
var traits = []*pattern.Regexp{
	pattern.New(`\b(?:1[0-9]|20)\d\d\b`),
	pattern.New(`\b\d[\d.,]*\b`),
	pattern.New(`\bCVE-\d{4}-\d+`),
	pattern.New(`\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+`),
	pattern.New(`\?$`),
	pattern.New(`(?i)\b(?:su(?:e|es|ed|ing)|lawsuits?|court|trial|claims?|claiming|compensation|damages|fined?|penalt(?:y|ies)|accus\w+|alleg\w+|investigat\w+|prosecut\w+|arrest\w+|appeal\w*|complain\w*|tribunal|challeng\w+)\b`),
	pattern.New(`(?i)\b(?:delay\w*|late|later|postpon\w+|behind|slipp?\w*|put off|held (?:up|back)|on hold|suspend\w*|stopp?\w*|missed|overdue|frozen)\b`),
	pattern.New(`(?i)\b(?:warn\w*|risks?|danger\w*|injur\w+|deaths?|fatal|harm\w*|damage\w*|fail\w*|defects?|broke\w*|recall\w*|loss(?:es)?|lost|bankrupt\w*|insolven\w+|fraud|theft|leak\w*|fire|flood\w*|severe|shortage\w*)\b`),
	pattern.New(`(?i)\b(?:licen[cs]\w*|permit\w*|patents?|copyright|terms|royalt\w+|concession|free of charge|permission|copy|resale|redistribut\w+|public domain|open source)\b`),
	pattern.New(`(?i)\b(?:attack\w*|vulnerab\w+|hack\w*|password\w*|encrypt\w+|hijack\w*|exploit\w*|intruder\w*|strangers?|backdoor|firmware|login|log in|signed|breach\w*|take over|taken over)\b`),
	pattern.New(`(?i)\b(?:rivals?|compet\w+|unlike|compared|than|alternatives?|instead|against|by contrast|in contrast)\b`),
	pattern.New(`(?i)\b(?:could|may|might|will|expect\w*|plan\w*|hope\w*|propos\w+|from next|would|grants?|subsid\w+|demand|market)\b`),
	pattern.New(`(?i)\b(?:founded|opened|began|built|released|established|since|entered into force|took effect|completed|approved|published|first|came out|in force)\b`),
	pattern.New(`(?i)\b(?:director|chief|chair\w*|founder\w*|head(?:ed)?|led|mayor|president|minister|professor|board|maintain\w*|editor|manager|written by|drafted|team)\b`),
	pattern.New(`(?i)\b(?:not|no|cannot|only|lacks?|limited|without|depends?|relies|single|alone|too|poor|never|sole)\b`),
	pattern.New(`(?i)\b(?:click|subscribe|cookies?|photo|picture|newsletter|read more|share|page|printed|article|see also)\b`),
	pattern.New(`(?i)\b(?:percent|million|billion|costs?|revenue|sales|employ\w*|number|amount\w*|per|members|inhabitants|holds?)\b|[%$€]`),
}

// Features are the vector of a text's bare words, with traits of its form.
func Features(text string, bare []float32) []float32 {
	f := make([]float32, vectorSize, vectorSize+len(traits))
	copy(f, bare)
	for _, t := range traits {
		f = append(f, trait(t.MatchString(text)))
	}
	return f
}

// BareVectors are the vectors of texts without names and numbers.
func BareVectors(ctx context.Context, e llm.Embedder, texts []string) ([][]float32, error) {
	bare := make([]string, len(texts))
	for i, text := range texts {
		bare[i] = withoutNames(text)
	}
	return e.Embed(ctx, bare)
}

const vectorSize = 384 // of the sentence encoder

func trait(yes bool) float32 {
	if yes {
		return 0.3
	}
	return 0
}

// withoutNames leaves out names and numbers: what is said is told by the other words.
func withoutNames(text string) string {
	var kept []string
	for i, w := range strings.Fields(text) {
		r := []rune(strings.TrimLeft(w, "“\"'("))
		if i > 0 && len(r) > 0 && (unicode.IsUpper(r[0]) || unicode.IsDigit(r[0])) {
			continue
		}
		kept = append(kept, w)
	}
	return strings.Join(kept, " ")
}
