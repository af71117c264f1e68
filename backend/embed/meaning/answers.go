package meaning

import (
	"context"
	"time"
)

// CrossEncoder reads a question together with each text and says, as log-odds,
// how well the text answers it; *embed.CrossEncoder is one.
type CrossEncoder interface {
	Score(ctx context.Context, question string, texts []string) ([]float32, error)
}

// answersWait is how long an answer waits for the encoders to read its sentences
// at most. It is there to end, not to hurry: 24 candidates take a quarter of a second on
// two idle cores and ten on crowded ones, and an answer that depended on how busy the
// computer is would not be the same twice.
const answersWait = 20 * time.Second

// Answers says for each text, as log-odds, how well it answers the question, which is an
// English one. ok is false when the encoder is off or not done with all in time.
func (r *Reranker) Answers(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool) {
	return r.score(ctx, r.Cross, question, texts)
}

// Joined says the same in every language of the sentence encoder, taught on sentences of
// handbooks and their neighbours.
func (r *Reranker) Joined(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool) {
	return r.score(ctx, r.Joint, question, texts)
}

func (r *Reranker) score(ctx context.Context, reader CrossEncoder, question string, texts []string) (logOdds []float64, ok bool) {
	opt := r.Options()
	if reader == nil || !opt.On || !opt.Wait || len(texts) == 0 {
		return nil, false
	}
	defer r.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	scores, err := reader.Score(ctx, question, texts)
	if err != nil {
		r.Log.Warn("score candidates", "err", err)
		return nil, false
	}
	logOdds = make([]float64, len(scores))
	for i, s := range scores {
		logOdds[i] = float64(s)
	}
	return logOdds, true
}
