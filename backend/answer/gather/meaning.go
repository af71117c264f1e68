package gather

import (
	"cmp"
	"context"
	"slices"
	"time"

	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Meaning is the sentence encoder. On tells whether it takes part now. Cosines
// tells how near those of texts are that it has vectors of, and the best of them,
// which come first and are waited for, for files and pages alike. Matches tells how well the tokens of sentences answer those of a
// question; ok is false when it cannot tell of all in time. Answers, Near and Joined score
// the candidates of a quoted answer, and Windows helps to find them. Vector is that of a question, nil where it cannot be
// made. Hold keeps its work in the background off the processor until release is
// called.
type Meaning interface {
	On() bool
	Cosines(ctx context.Context, question string, texts []rank.Text, wait time.Duration) map[evidence.PassageID]float64
	Matches(ctx context.Context, question string, weigh func(word string) float64, sentences []string) (match []float64, ok bool)
	quote.AnswerScorer
	quote.Nearness
	quote.JointReader
	quote.Windows
	Vector(ctx context.Context, question string) []float32
	Hold() (release func())
	cite.Reader
}

// Encode gives the best candidates the cosine of the sentence encoder. The
// passages of files have been asked about before: their vectors are at hand.
func (s *Scorer) Encode(ctx context.Context, query string, pool []rank.Candidate) {
	if s.Deps.Meaning == nil || len(pool) == 0 {
		return
	}
	order := byFusion(pool)
	texts := make([]rank.Text, len(order))
	for i, at := range order {
		texts[i] = rank.TextOf(pool[at].Source, pool[at].Passage)
	}
	cosines := s.Deps.Meaning.Cosines(ctx, query, texts, time.Duration(s.Task.Settings.Rank.EncoderWaitMs)*time.Millisecond)
	for i := range pool {
		if cos, has := cosines[pool[i].Passage.ID]; has {
			score := &pool[i].Score
			score.Cosine, score.Encoded, score.Vector = cos, true, true
		}
	}
}

// byFusion lists the places of candidates, best first: files by the order of
// their search, what is from the web by S1.
func byFusion(pool []rank.Candidate) []int {
	best := 0.0
	for _, c := range pool {
		if !c.Local() {
			best = max(best, c.Score.BM25)
		}
	}
	scores, order := make([]float64, len(pool)), make([]int, len(pool))
	for i, c := range pool {
		order[i], scores[i] = i, c.Score.Fused
		if !c.Local() && best > 0 {
			scores[i] = rank.S1(c.Score.BM25/best, c.Score.Cosine)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
