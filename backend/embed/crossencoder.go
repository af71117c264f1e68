package embed

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"footnote/backend/embed/simd"
	files "footnote/backend/embed/weights"
)

// What the cross-encoder reads of a pair at most, in tokens.
const (
	longestAsked = 48  // of the question
	longestPair  = 160 // of both, marks included
)

// CrossEncoder is the cross-encoder ms-marco-MiniLM-L-12-v2 with weights in 8
// bits: it reads a question and a text together and says how well the text
// answers it. Safe for concurrent use.
type CrossEncoder struct {
	model   *model
	kernel  *simd.Kernel
	network func() (*network, *head, error) // packed with the first pair, then kept
	spaces  sync.Pool                       // of *workspace
}

// head reads the first token of the last layer: a dense layer with tanh, and one
// number from it.
type head struct {
	dense, shift, weights []float32
	bias                  float32
}

// NewCrossEncoder opens the cross-encoder in the binary with the fastest kernel
// of this processor: ErrNoKernel where it has none, any other error means a
// damaged build. The weights take memory, 25 MB, with the first pair only.
func NewCrossEncoder() (*CrossEncoder, error) {
	kernels := simd.Kernels()
	if len(kernels) == 0 {
		return nil, ErrNoKernel
	}
	words, err := english()
	if err != nil {
		return nil, err
	}
	w, err := parseWeights(files.Cross)
	if err != nil {
		return nil, err
	}
	return newCrossEncoder(&model{weights: w, words: words.words}, kernels[0]), nil
}

func newCrossEncoder(m *model, kernel *simd.Kernel) *CrossEncoder {
	c := &CrossEncoder{model: m, kernel: kernel}
	open := sync.OnceValues(func() (opened, error) {
		n, err := openNetwork(m.weights, kernel)
		if err != nil {
			return opened{}, err
		}
		h, err := openHead(m)
		return opened{n, h}, err
	})
	c.network = func() (*network, *head, error) {
		o, err := open()
		return o.network, o.head, err
	}
	return c
}

type opened struct {
	network *network
	head    *head
}

func openHead(m *model) (*head, error) {
	r := reader{weights: m.weights}
	h := &head{dense: r.floats("pool.w", m.Dim, m.Dim), shift: r.floats("pool.b", m.Dim), weights: r.floats("class.w", m.Dim)}
	if bias := r.floats("class.b", 1); len(bias) == 1 {
		h.bias = bias[0]
	}
	return h, r.err
}

// of is the number that the head gives a token.
func (h *head) of(x []float32) float32 {
	sum := float64(h.bias)
	for i, w := range h.weights {
		dot := h.shift[i]
		for k, v := range h.dense[i*len(x) : (i+1)*len(x)] {
			dot += v * x[k]
		}
		sum += float64(w) * math.Tanh(float64(dot))
	}
	return float32(sum)
}

// ID names model and revision.
func (c *CrossEncoder) ID() string { return c.model.Model + "@" + c.model.Revision }

// Score says for each text how well it answers the question: a log-odds, some
// -11 to 11. A text is read with the question up to 160 tokens, the question up
// to 48. When ctx ends it stops between passes with the context's error; any
// other error means a damaged build. The work is spread over two goroutines.
func (c *CrossEncoder) Score(ctx context.Context, question string, texts []string) ([]float32, error) {
	network, head, err := c.network()
	if err != nil {
		return nil, err
	}
	pairs := make([]Piece, len(texts))
	for i, text := range texts {
		pairs[i] = c.pair(question, text)
	}
	scores := make([]float32, len(texts))
	read := func(from, to int) error {
		w, ok := c.spaces.Get().(*workspace)
		if !ok {
			w = network.workspace()
		}
		defer c.spaces.Put(w)
		for from < to && ctx.Err() == nil {
			n := batch(pairs[from:to])
			network.read(w, pairs[from:from+n])
			at := 0
			for i, p := range pairs[from : from+n] {
				scores[from+i] = head.of(network.row(w.x, at))
				at += len(p.IDs)
			}
			from += n
		}
		return ctx.Err()
	}
	if runtime.GOMAXPROCS(0) == 1 || len(pairs) < 4 {
		return scores, read(0, len(pairs))
	}
	half := evenly(pairs)
	other := make(chan error, 1)
	go func() { other <- read(half, len(pairs)) }()
	err = read(0, half)
	if second := <-other; err == nil {
		err = second
	}
	if err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	return scores, nil
}

// evenly is where pairs part into two halves of as many tokens.
func evenly(pairs []Piece) (at int) {
	all, first := 0, 0
	for _, p := range pairs {
		all += len(p.IDs)
	}
	for at < len(pairs) && 2*first < all {
		first += len(pairs[at].IDs)
		at++
	}
	return at
}

// pair joins a question and a text between marks.
func (c *CrossEncoder) pair(question, text string) Piece {
	words := c.model.words()
	ids := words.pieces([]int32{idStart}, question)
	ids = append(ids[:min(len(ids), longestAsked)], idEnd)
	second := len(ids)
	ids = words.pieces(ids, text)
	ids = append(ids[:min(len(ids), longestPair-1)], idEnd)
	return Piece{IDs: ids, second: second}
}
