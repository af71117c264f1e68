package answer

import (
	"context"
	"strings"

	"footnote/backend/rank"
)

// matcher tells for each sentence, which begins with its title, how well its
// tokens answer those of a question, 0 to 1. weigh gives the weight of a word of
// the question. ok is false when the sentence encoder cannot tell in time.
type matcher func(question string, weigh func(word string) float64, sentences []string) (match []float64, ok bool)

// scale says what the scores of a choice mean.
type scale struct {
	delta          float64 // how far below the best a sentence may score
	noneAt, weakAt float64 // evidence below which there is no answer, and a weak one
}

// state is what passages with so much evidence are worth.
func (s scale) state(evidence float64) string {
	switch {
	case evidence >= s.weakAt:
		return extractAnswer
	case evidence >= s.noneAt:
		return extractWeak
	}
	return extractNone
}

var (
	wordScale    = scale{extractDelta, extractNoneAt, extractWeakAt}
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
func (q asked) byEncoder(passages []extractPassage, all []extractSentence, match matcher) (evidence float64, ok bool) {
	if match == nil || len(all) == 0 {
		return 0, false
	}
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = titled(passages[s.Passage].Title, titled(s.heading, s.Text))
	}
	matches, ok := match(q.text, q.weighWord(), texts)
	if !ok || len(matches) != len(all) {
		return 0, false
	}
	near := newNearness(q.checker, q.text)
	for i := range all {
		s := &all[i]
		p := passages[s.Passage]
		s.Score = p.S2 + matches[i] + nearWeight*near.of(s.Text) + lengthWeight*min(float64(s.words), longest)/longest
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
var askingWords = wordsIn(`what which who whom whose how did does do is are was were when where why many much name tell give list`)

func wordsIn(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// weighWord is the weight of a word among the terms of the question; 0 for words
// that every question has.
func (q asked) weighWord() func(word string) float64 {
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

// matcher is nil when the sentence encoder has no say in this question.
func (p *pipeline) matcher(ctx context.Context) matcher {
	if p.Meaning == nil || p.gates().Encoder != rank.English {
		return nil
	}
	for _, c := range p.chosen {
		if c.Score.Encoded {
			return func(question string, weigh func(string) float64, sentences []string) ([]float64, bool) {
				return p.Meaning.Matches(ctx, question, weigh, sentences)
			}
		}
	}
	return nil
}

// s2 gives each chosen passage its S2, by the BM25 of its own search.
func (p *pipeline) s2() (scores, cosines []float64) {
	best, lowest := map[bool]float64{}, 1.0
	for _, c := range p.cands {
		best[c.Local()] = max(best[c.Local()], c.Score.BM25)
		if c.Score.Encoded {
			lowest = min(lowest, c.Score.Cosine)
		}
	}
	for _, c := range p.chosen {
		cos, bm := lowest, 0.0
		if c.Score.Encoded {
			cos = c.Score.Cosine
		}
		if top := best[c.Local()]; top > 0 {
			bm = c.Score.BM25 / top
		}
		scores, cosines = append(scores, rank.S2(rank.English, bm, cos)), append(cosines, cos)
	}
	return scores, cosines
}
