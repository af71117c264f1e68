package llm

import (
	"context"
	"fmt"
	"math"
	"sync"
	"unicode"

	"footnote/backend/fault"
)

// Batched makes an Embedder of a function that asks a server for the vectors of
// a few texts. Texts go in batches of size; texts without a letter or digit are
// not sent; a server that refuses for the moment is asked again, as by Retry.
// Answers are checked: as many vectors as texts, all of one length for the life
// of the embedder, no NaN, not all zero. A bad batch is a fault.ModelRefused and
// gives no vectors at all.
func Batched(id string, size int, ask func(ctx context.Context, texts []string) ([][]float32, error)) Embedder {
	return &batched{id: id, size: size, ask: ask}
}

type batched struct {
	id   string
	size int
	ask  func(ctx context.Context, texts []string) ([][]float32, error)

	mu   sync.Mutex
	dims int
}

// ID implements Embedder.
func (b *batched) ID() string { return b.id }

// Embed implements Embedder.
func (b *batched) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var at []int
	for i, text := range texts {
		if hasWord(text) {
			at = append(at, i)
		}
	}
	for len(at) > 0 {
		n := min(b.size, len(at))
		batch := make([]string, n)
		for i, place := range at[:n] {
			batch[i] = texts[place]
		}
		var got [][]float32
		err := RetryPolicy{}.do(ctx, func() (err error) {
			if got, err = b.ask(ctx, batch); err != nil {
				return err
			}
			return b.check(got, n)
		})
		if err != nil {
			return nil, err
		}
		for i, place := range at[:n] {
			vectors[place] = got[i]
		}
		at = at[n:]
	}
	return vectors, nil
}

func hasWord(text string) bool {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// check refuses vectors that would poison an index and scales the others to
// length 1.
func (b *batched) check(vectors [][]float32, want int) error {
	if len(vectors) != want {
		return b.refuse(fmt.Sprintf("%d vectors for %d texts", len(vectors), want))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	dims := b.dims
	for _, v := range vectors {
		if dims == 0 {
			dims = len(v)
		}
		if len(v) != dims || dims == 0 {
			return b.refuse(fmt.Sprintf("a vector of %d numbers where %d were expected", len(v), dims))
		}
		if !unit(v) {
			return b.refuse("a vector that has no direction")
		}
	}
	b.dims = dims
	return nil
}

func (b *batched) refuse(what string) error {
	return fault.New(fault.ModelRefused, fmt.Sprintf("The embedding model %s returned %s.", b.id, what),
		"Search by words goes on. Choose another embedding model, or the built-in one.")
}

// unit scales v to length 1; false when that is impossible.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}
