package meaning

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"footnote/backend/cite"
	"footnote/backend/embed"
	"footnote/backend/embed/simd"
)

// Tokens is an encoder of English that gives the vector of each token; *embed.Encoder
// is one.
type Tokens interface {
	Short(text string) embed.Piece
	Words(text string) []embed.Word
	Tokens(ctx context.Context, pieces []embed.Piece) ([][]float32, error)
	Read(ctx context.Context, pieces []embed.Piece) ([]embed.Reading, error)
}

const matchBatch = 8 // sentences encoded together

// Matches tells for each sentence how well its tokens answer those of a question:
// the mean over the question's tokens of the cosine of the nearest token of the
// sentence, weighed by word, at most 1. A sentence begins with its title. ok is
// false when the encoder is off or not done with all in time.
func (r *Reranker) Matches(ctx context.Context, question string, weigh func(word string) float64, sentences []string) (match []float64, ok bool) {
	opt := r.Options()
	encoder := r.Tokens
	if encoder == nil || !opt.On || len(sentences) == 0 || !opt.Wait {
		return nil, false
	}
	defer r.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	asked, err := encoder.Tokens(ctx, []embed.Piece{encoder.Short(question)})
	if err != nil || len(asked) == 0 || len(asked[0]) == 0 {
		return nil, false
	}
	weights := tokenWeights(encoder.Words(question), len(asked[0])/embed.Dim, weigh)
	match = make([]float64, len(sentences))
	ok = inBatches(match, func(done int, group []float64) error {
		tokens, err := encoder.Tokens(ctx, shortened(encoder, sentences[done:done+len(group)]))
		for i := range tokens {
			group[i] = maxSim(asked[0], weights, tokens[i])
		}
		return err
	})
	return match, ok
}

// Read gives each sentence as the checker of citations compares it. ok is false
// when the encoder is off or not done with all in time.
func (r *Reranker) Read(ctx context.Context, sentences []string) (readings []cite.Reading, ok bool) {
	opt := r.Options()
	encoder := r.Tokens
	if encoder == nil || !opt.On || !opt.Wait {
		return nil, false
	}
	defer r.Hold()()
	ctx, cancel := context.WithTimeout(ctx, answersWait)
	defer cancel()
	readings = make([]cite.Reading, len(sentences))
	ok = inBatches(readings, func(done int, group []cite.Reading) error {
		read, err := encoder.Read(ctx, shortened(encoder, sentences[done:done+len(group)]))
		for i, made := range read {
			group[i] = cite.Reading{Sum: made.Sum, Tokens: made.Tokens, Words: citeWords(encoder.Words(sentences[done+i]))}
		}
		return err
	})
	return readings, ok
}

func citeWords(words []embed.Word) []cite.Word {
	out := make([]cite.Word, len(words))
	for i, w := range words {
		out[i] = cite.Word(w)
	}
	return out
}

func shortened(encoder Tokens, sentences []string) []embed.Piece {
	pieces := make([]embed.Piece, len(sentences))
	for i, s := range sentences {
		pieces[i] = encoder.Short(s)
	}
	return pieces
}

// inBatches fills out on all cores, a batch at a time; work gets the place of its
// batch. It reports whether all of it was done.
func inBatches[T any](out []T, work func(done int, group []T) error) bool {
	groups := slices.Collect(slices.Chunk(out, matchBatch))
	var next, failed atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(groups)) {
		workers.Go(func() {
			for g := int(next.Add(1)) - 1; g < len(groups); g = int(next.Add(1)) - 1 {
				if work(g*matchBatch, groups[g]) != nil {
					failed.Add(1)
					return
				}
			}
		})
	}
	workers.Wait()
	return failed.Load() == 0
}

// tokenWeights spreads the weight of each word of a question over its tokens; all are
// alike when no word has any, or when the words do not make up the tokens.
func tokenWeights(words []embed.Word, tokens int, weigh func(string) float64) []float64 {
	var weights []float64
	sum := 0.0
	for _, word := range words {
		w := weigh(word.Text) / float64(max(1, word.Tokens))
		for range word.Tokens {
			weights = append(weights, w)
			sum += w
		}
	}
	weights = weights[:min(len(weights), tokens)]
	if sum > 0 && len(weights) == tokens {
		return weights
	}
	weights = make([]float64, tokens)
	for i := range weights {
		weights[i] = 1
	}
	return weights
}

func maxSim(asked []float32, weights []float64, tokens []float32) float64 {
	sum, total := 0.0, 0.0
	for i, w := range weights {
		total += w
		if w == 0 {
			continue
		}
		best := float32(0)
		for at := 0; at < len(tokens); at += embed.Dim {
			best = max(best, simd.Dot(asked[i*embed.Dim:][:embed.Dim], tokens[at:][:embed.Dim]))
		}
		sum += w * float64(best)
	}
	return sum / total
}
