package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"footnote/backend/embed/simd"
	files "footnote/backend/embed/weights"
)

// What the cross-encoder reads of a pair at most, in tokens.
const (
	longestAsked  = 48  // of the question
	longestJoined = 64  // of the question and its marks, where both are read as they are encoded
	longestPair   = 160 // of both, marks included
)

// CrossEncoder reads a question and a text together and says how well the text
// answers it. Safe for concurrent use.
type CrossEncoder struct {
	id      string
	pair    func(question, text string) Piece
	network func() (*network, *head, error) // packed with the first pair, then kept
}

// head reads what the last layer says: of the first token, or of all, a dense layer with
// tanh, and one number from it.
type head struct {
	dense, shift, weights []float32
	bias                  float32
	mean                  bool // over the tokens of a pair
}

// NewCrossEncoder opens the cross-encoder ms-marco-MiniLM-L-12-v2 in the binary, with
// weights in 8 bits, with the fastest kernel of this processor: ErrNoKernel where it has
// none, any other error means a damaged build. It knows English only. The weights take
// memory, 25 MB, with the first pair only.
func NewCrossEncoder() (*CrossEncoder, error) {
	kernels := simd.Kernels()
	if len(kernels) == 0 {
		return nil, ErrNoKernel
	}
	m, err := english()
	if err != nil {
		return nil, err
	}
	w, err := parseWeights(files.Cross)
	if err != nil {
		return nil, err
	}
	return newCrossEncoder(&model{weights: w, words: m.words}, kernels[0]), nil
}

func newCrossEncoder(m *model, kernel *simd.Kernel) *CrossEncoder {
	open := func() (*network, error) { return openNetwork(m.weights, kernel) }
	return &CrossEncoder{id: m.name(), pair: m.pair, network: opening(m.weights, open, false)}
}

// Joint reads a question and a text together with the layers of this encoder, the upper
// ones in weights of their own: trained to say whether the text answers the question, in
// the languages of the encoder (build/train/joint.py). An error means a damaged build. The
// weights take memory, 8 MB beside those of the encoder, with the first pair only.
func (e *Encoder) Joint() (*CrossEncoder, error) {
	w, err := parseWeights(files.Joint)
	if err != nil {
		return nil, err
	}
	open := func() (*network, error) {
		below, err := e.network()
		if err != nil {
			return nil, err
		}
		return below.under(w)
	}
	joined := &model{weights: w, words: e.model.words}
	return &CrossEncoder{id: joined.name(), pair: joined.joined, network: opening(w, open, true)}, nil
}

// opening opens layers and their head once.
func opening(w *weights, layers func() (*network, error), mean bool) func() (*network, *head, error) {
	type opened struct {
		network *network
		head    *head
	}
	open := sync.OnceValues(func() (opened, error) {
		n, err := layers()
		if err != nil {
			return opened{}, err
		}
		h, err := openHead(w, mean)
		return opened{n, h}, err
	})
	return func() (*network, *head, error) {
		o, err := open()
		return o.network, o.head, err
	}
}

func openHead(w *weights, mean bool) (*head, error) {
	r := reader{weights: w}
	h := &head{dense: r.floats("pool.w", w.Dim, w.Dim), shift: r.floats("pool.b", w.Dim), weights: r.floats("class.w", w.Dim), mean: mean}
	if bias := r.floats("class.b", 1); len(bias) == 1 {
		h.bias = bias[0]
	}
	return h, r.err
}

// of is the number that the head gives the tokens of a pair, rows of its width.
func (h *head) of(rows []float32) float32 {
	x := rows[:len(h.weights)]
	if h.mean {
		x = meanOf(rows, len(h.weights))
	}
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

func meanOf(rows []float32, width int) []float32 {
	mean := make([]float32, width)
	for i, v := range rows {
		mean[i%width] += v
	}
	for i := range mean {
		mean[i] *= float32(width) / float32(len(rows))
	}
	return mean
}

// ID names model and revision.
func (c *CrossEncoder) ID() string { return c.id }

// Score says for each text how well it answers the question: a log-odds, some
// -11 to 11. A text is read with the question up to 160 tokens, the question up
// to 48. When ctx ends it stops between passes with the context's error; any
// other error means a damaged build. The work is spread over all cores.
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
	var next atomic.Int64
	passes := spread(pairs, runtime.GOMAXPROCS(0))
	readers := make([]error, min(runtime.GOMAXPROCS(0), len(passes)))
	var reading sync.WaitGroup
	for i := range readers {
		reading.Go(func() {
			w := network.space()
			defer spaces.Put(w)
			for k := int(next.Add(1)) - 1; k < len(passes); k = int(next.Add(1)) - 1 {
				if readers[i] = ctx.Err(); readers[i] != nil {
					return
				}
				head.all(scores[passes[k].from:passes[k].to], network, w, pairs[passes[k].from:passes[k].to])
			}
		})
	}
	reading.Wait()
	if err := errors.Join(readers...); err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	return scores, nil
}

// all reads pairs that fit one pass and writes the number of each.
func (h *head) all(scores []float32, n *network, w *workspace, pairs []Piece) {
	if !h.mean { // the others count for what they told the first
		n.readFirst(w, pairs)
		for i := range scores {
			scores[i] = h.of(n.row(w.x, i))
		}
		return
	}
	n.read(w, pairs)
	at := 0
	for i, p := range pairs {
		scores[i] = h.of(w.x[at*n.dim : (at+len(p.IDs))*n.dim])
		at += len(p.IDs)
	}
}

type part struct{ from, to int }

// spread parts pieces into passes of about as many tokens, each of which fits, so that so
// many workers end at about one time. Whoever is let wait by the system takes fewer.
func spread(pieces []Piece, workers int) (passes []part) {
	all := 0
	for _, p := range pieces {
		all += len(p.IDs)
	}
	count := (all + batchRows - 1) / batchRows
	count = max(1, (count+workers-1)/workers*workers)
	for from := 0; from < len(pieces); {
		to, rows := from, 0
		for fit := from + batch(pieces[from:]); to < fit && rows < (all+count-1)/count; to++ {
			rows += len(pieces[to].IDs)
		}
		passes = append(passes, part{from, to})
		from = to
	}
	return passes
}

// pair joins a question and a text between marks, as BERT does.
func (m *model) pair(question, text string) Piece {
	words := m.words()
	ids := words.pieces([]int32{idStart}, question)
	ids = append(ids[:min(len(ids), longestAsked)], idEnd)
	second := len(ids)
	ids = words.pieces(ids, text)
	ids = append(ids[:min(len(ids), longestPair-1)], idEnd)
	return Piece{IDs: ids, second: second}
}

// joined is a question and a text behind the words that they are encoded with one by one.
func (m *model) joined(question, text string) Piece {
	words := m.words()
	ids := words.question(question).IDs
	ids = slices.Concat(ids[:min(len(ids), longestJoined)], words.pieces(words.pieces(nil, words.tells), beginning(text, longestPair*longestBytes)))
	return Piece{IDs: append(ids[:min(len(ids), longestPair-1)], words.end()...)}
}
