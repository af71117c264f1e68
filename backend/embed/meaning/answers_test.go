package meaning

import (
	"context"
	"errors"
	"log/slog"
	"testing"
)

type pairs func(ctx context.Context, question string, texts []string) ([]float32, error)

func (p pairs) Score(ctx context.Context, question string, texts []string) ([]float32, error) {
	return p(ctx, question, texts)
}

func answering(cross CrossEncoder, opt Options) *Reranker {
	return New(Config{Cross: cross, Options: func() Options { return opt }, Log: slog.New(slog.DiscardHandler)})
}

func TestAnswersAreTheScoresOfTheCrossEncoder(t *testing.T) {
	j := answering(pairs(func(_ context.Context, q string, texts []string) ([]float32, error) {
		return []float32{float32(len(q)), float32(len(texts[1]))}, nil
	}), Options{On: true, Wait: true})
	defer j.Close()
	got, ok := j.Answers(t.Context(), "How?", []string{"a", "bcd"})
	if !ok || len(got) != 2 || got[0] != 4 || got[1] != 3 {
		t.Errorf("%v, %v", got, ok)
	}
}

func TestAnswersCannotTell(t *testing.T) {
	fails := pairs(func(context.Context, string, []string) ([]float32, error) { return nil, errors.New("damaged") })
	works := pairs(func(_ context.Context, _ string, texts []string) ([]float32, error) {
		return make([]float32, len(texts)), nil
	})
	for name, j := range map[string]*Reranker{
		"none": answering(nil, Options{On: true, Wait: true}), "off": answering(works, Options{Wait: true}), "no wait": answering(works, Options{On: true}),
		"fails": answering(fails, Options{On: true, Wait: true}),
	} {
		defer j.Close()
		if _, ok := j.Answers(t.Context(), "How?", []string{"a"}); ok {
			t.Errorf("%s: ok", name)
		}
	}
}
