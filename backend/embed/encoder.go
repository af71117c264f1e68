package embed

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"footnote/backend/embed/simd"
	"footnote/backend/llm"
)

// ErrNoKernel says that this processor has none of the instructions that the
// encoder needs. Plain code would take a second a piece, so the encoder is off.
var ErrNoKernel = errors.New("start sentence encoder: this processor has no vector instructions for it")

var _ llm.Embedder = (*Encoder)(nil)

// Encoder is a sentence encoder. On one processor a text has the same vector whatever
// it is encoded with. Safe for concurrent use; each call works on one goroutine.
type Encoder struct {
	model   *model
	kernel  *simd.Kernel
	network func() (*network, error) // packed with the first text, then kept
}

// NewEncoder opens all-MiniLM-L6-v2 in the binary, an encoder of English with weights
// in 8 bits, with the fastest kernel of this processor: ErrNoKernel where it has none,
// any other error means a damaged build. The weights take memory, 15 MB, with the first
// text only.
func NewEncoder() (*Encoder, error) { return fastest(english) }

// NewMultilingual opens multilingual-e5-small in the binary, with weights in 4 bits and
// the vocabulary of the languages of package lang; errors are those of NewEncoder. It
// takes 25 MB with the first text. Wang et al., Multilingual E5 Text Embeddings (2024).
func NewMultilingual() (*Encoder, error) { return fastest(multilingual) }

func fastest(open func() (*model, error)) (*Encoder, error) {
	kernels := simd.Kernels()
	if len(kernels) == 0 {
		return nil, ErrNoKernel
	}
	m, err := open()
	if err != nil {
		return nil, err
	}
	return newEncoder(m, kernels[0]), nil
}

func newEncoder(m *model, kernel *simd.Kernel) *Encoder {
	return &Encoder{model: m, kernel: kernel, network: sync.OnceValues(func() (*network, error) { return openNetwork(m.weights, kernel) })}
}

// ID names model and revision; vectors of another id are never compared.
func (e *Encoder) ID() string { return e.model.name() }

// Kernel names the instructions in use, such as "avx512vnni".
func (e *Encoder) Kernel() string { return e.kernel.Name() }

// Cut makes the pieces of a passage: at most 40 tokens of the title and a window
// of the body, 128 tokens together. A text without letter or digit has none.
func (e *Encoder) Cut(title, body string) []Piece { return e.model.words().cut(title, body) }

// Ends gives the byte of a body at which each of so many pieces that Cut made of it ends,
// to within a word.
func (e *Encoder) Ends(body string, pieces int) []int {
	if pieces == 0 {
		return nil
	}
	return e.model.words().ends(body, pieces)
}

// Nearness spreads a cosine of two texts, so that what is unlike is about 0 and what
// answers is above 0.5, as those of the English encoder are. The other was taught at a
// temperature of 0.01: its cosines of unlike texts are about 0.73 (XQuAD, CACM).
func (e *Encoder) Nearness(cos float64) float64 {
	if e.model.words().asks == "" {
		return cos
	}
	return 5 * (cos - 0.73)
}

// Query makes the one piece of a question, cut at 256 tokens. A text without
// letter or digit gives a Piece without ids.
func (e *Encoder) Query(text string) Piece { return e.model.words().question(text) }

// Sentence makes one piece of a text that may answer, cut at 128 tokens.
func (e *Encoder) Sentence(text string) Piece {
	c := e.model.words()
	return c.whole(c.tells, text, longestPiece)
}

// Encode gives each piece its vector, in order. When ctx ends it stops between
// pieces and returns the vectors that stand, with the context's error. Any other
// error means a piece that Cut or Query did not make, or a damaged build.
func (e *Encoder) Encode(ctx context.Context, pieces []Piece) ([]Vector, error) {
	return e.passes(ctx, pieces, func(*workspace, int, int) {})
}

// passes reads pieces, as many at once as fit, and calls seen after each pass:
// what the layers left of the pieces from..to.
func (e *Encoder) passes(ctx context.Context, pieces []Piece, seen func(left *workspace, from, to int)) ([]Vector, error) {
	for _, p := range pieces {
		if err := e.check(p); err != nil {
			return nil, err
		}
	}
	network, w, err := e.begin()
	if err != nil {
		return nil, err
	}
	defer spaces.Put(w)
	vectors := make([]Vector, len(pieces))
	for done := 0; done < len(pieces); {
		if ctx.Err() != nil {
			return vectors[:done], ctx.Err()
		}
		n := batch(pieces[done:])
		network.forward(w, pieces[done:done+n], vectors[done:])
		seen(w, done, done+n)
		done += n
	}
	return vectors, nil
}

// begin gives the layers and a place to work in, which goes back to spaces.
func (e *Encoder) begin() (*network, *workspace, error) {
	network, err := e.network()
	if err != nil {
		return nil, nil, err
	}
	return network, network.space(), nil
}

// batch counts the pieces, at least one, that fit one pass.
func batch(pieces []Piece) (n int) {
	rows := 0
	for _, p := range pieces {
		if rows += len(p.IDs); rows > batchRows {
			break
		}
		n++
	}
	return n
}

func (e *Encoder) check(p Piece) error {
	if len(p.IDs) > longestText {
		return fmt.Errorf("encode piece: %d tokens, not %d at most", len(p.IDs), longestText)
	}
	for _, id := range p.IDs {
		if id < 0 || int(id) >= e.model.Vocab {
			return fmt.Errorf("encode piece: token %d is not in the vocabulary", id)
		}
	}
	return nil
}

// Embed gives each text its unit vector, in order: the mean over its first 256
// tokens. A text without letter or digit gives nil. The only error is the
// context's.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	pieces := make([]Piece, len(texts))
	for i, text := range texts {
		pieces[i] = e.Query(text)
	}
	encoded, err := e.Encode(ctx, pieces)
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	for i := range encoded {
		if len(pieces[i].IDs) > 0 {
			vectors[i] = encoded[i].Floats()
		}
	}
	return vectors, nil
}
