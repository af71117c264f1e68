package quote

import (
	"context"
	"strings"

	"footnote/backend/answer/answertype"
	"footnote/backend/plain"
)

// Encoder tells for each sentence, which begins with its title, how well its
// tokens answer those of a question, 0 to 1. weigh gives the weight of a word of
// the question. ok is false when it cannot tell in time.
type Encoder interface {
	Matches(ctx context.Context, question string, weigh func(word string) float64, sentences []string) (match []float64, ok bool)
}

// scale says what the scores of a choice mean.
type scale struct {
	delta          float64 // how far below the best a sentence may score
	noneAt, weakAt float64 // evidence below which there is no answer, and a weak one
}

// state is what passages with so much evidence are worth.
func (s scale) state(evidence float64) State {
	switch {
	case evidence >= s.weakAt:
		return Answer
	case evidence >= s.noneAt:
		return Closest
	}
	return None
}

var (
	wordScale    = scale{wordDelta, wordNoneAt, wordWeakAt}
	encoderScale = scale{delta: 0.15, noneAt: 0.90, weakAt: 1.05}
)

// Weights of the choice by the sentence encoder.
const (
	nearWeight   = 0.08
	lengthWeight = 0.12
	longest      = 40 // content words that a sentence is paid for
	halfPassage  = 0.5
)

// byEncoder scores the sentences anew by the sentence encoder. ok is false, and
// nothing is changed, when it cannot tell.
func (q Query) byEncoder(ctx context.Context, passages []Passage, all []Sentence, encoder Encoder) (evidence float64, ok bool) {
	if encoder == nil || len(all) == 0 {
		return 0, false
	}
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = titled(passages[s.Passage].Title, titled(s.Heading, s.Text))
	}
	matches, ok := encoder.Matches(ctx, q.text, q.weighWord(), texts)
	if !ok || len(matches) != len(all) {
		return 0, false
	}
	near := answertype.NewNearness(q.checker, q.text)
	for i := range all {
		s := &all[i]
		p := passages[s.Passage]
		s.Score = p.S2 + matches[i] + nearWeight*near.Of(s.Text) + lengthWeight*min(float64(s.words), longest)/longest
		evidence = max(evidence, matches[i]+halfPassage*p.Cosine+halfPassage*s.recp)
	}
	return evidence, true
}

// titled is a sentence as the encoder reads it; without a title it stands alone.
func titled(title, sentence string) string {
	if title == "" {
		return sentence
	}
	return title + ". " + sentence
}

// askingWords ask and name nothing.
var askingWords = plain.WordSet(`what which who whom whose how did does do is are was were when where why many much name tell give list`)

// weighWord is the weight of a word among the terms of the question; 0 for words
// that every question has.
func (q Query) weighWord() func(word string) float64 {
	weights := map[string]float64{}
	for _, t := range q.terms {
		weights[t.Stem] = t.Weight
	}
	return func(word string) float64 {
		if askingWords[strings.ToLower(word)] {
			return 0
		}
		if terms := q.checker.Terms(word); len(terms) == 1 {
			return weights[terms[0].Stem]
		}
		return 0
	}
}
