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
// at most. It is there to end, not to hurry: 20 candidates take a tenth of a second,
// and an answer that depended on how busy the computer is would not be the same
// twice.
const answersWait = 5 * time.Second

// Answers says for each text, as log-odds, how well it answers the question. ok is
// false when the encoder is off or not done with all in time.
func (r *Reranker) Answers(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool) {
	opt := r.Options()
	if r.Cross == nil || !opt.On || opt.Wait <= 0 || len(texts) == 0 {
		return nil, false
	}
	defer r.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	scores, err := r.Cross.Score(ctx, question, texts)
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
