package headings

import (
	"context"
	_ "embed" // the questions
	"strings"
	"sync"

	"footnote/backend/embed/simd"
)

// headingQuestions are questions in English with the heading that each asks for. In
// any language a question asks for what the nearest of them in meaning asks for.
//
//go:embed asked.tsv
var headingQuestions string

// asksFrom is the nearness from which a question is like one of them.
const asksFrom = 0.45

// Asked tells which heading a question asks for. It keeps the vectors of the
// questions that it knows.
type Asked struct {
	mu       sync.Mutex
	headings []string
	vectors  [][]float32
}

// Of is the heading that a question asks for, Other where it asks for none.
func (a *Asked) Of(ctx context.Context, e Encoder, question string) (heading string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.vectors == nil {
		var headings, texts []string
		for line := range strings.Lines(headingQuestions) {
			heading, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
			headings, texts = append(headings, heading), append(texts, text)
		}
		if a.vectors, err = BareVectors(ctx, e, texts); err != nil {
			a.vectors = nil
			return Other, err
		}
		a.headings = headings
	}
	asked, err := BareVectors(ctx, e, []string{strings.Trim(question, " ?？؟¿")})
	if err != nil || asked[0] == nil {
		return Other, err
	}
	heading, nearest := Other, asksFrom
	for i, v := range a.vectors {
		if near := e.Nearness(float64(simd.Dot(asked[0], v))); near >= nearest {
			heading, nearest = a.headings[i], near
		}
	}
	return heading, nil
}
