package embed

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"footnote/backend/embed/simd"
)

// batchRows is how many tokens pass the layers together. More share one read of
// the weights, fewer stay in the second cache.
const batchRows = 256

const mostLayers = 64 // of a file that is not damaged

// network is the encoder's layers, packed for one kernel and never changed.
type network struct {
	kernel             *simd.Kernel
	dim, inner, tokens int
	epsilon            float32
	token              func(x []float32, id int) // adds what a token means to x
	positions          []float32
	seconds            []float32 // positions in the second text of a pair; nil where there are no pairs
	gain, shift        []float32
	layers             []layer
}

type layer struct {
	qkv, out, up, down *simd.Matrix
	gain1, shift1      []float32
	gain2, shift2      []float32
}

// workspace is what one worker writes to, about 5 MB.
type workspace struct {
	kernel                  *simd.Kernel
	width                   int // of the inner layer
	x, y, qkv, mixed, inner []float32
	rounded                 *simd.Rows
	attention               *simd.Attention
}

// spaces are those that nobody works in: an answer is read by four networks one after the
// other, and their workers need but one each.
var spaces sync.Pool // of *workspace

// space is one for this network, which goes back to spaces.
func (n *network) space() *workspace {
	if w, ok := spaces.Get().(*workspace); ok && w.kernel == n.kernel && w.width == n.inner {
		return w
	}
	return n.workspace()
}

func (n *network) workspace() *workspace {
	rows := batchRows + simd.Pad
	return &workspace{
		kernel: n.kernel, width: n.inner, x: simd.Floats(rows * n.dim), y: simd.Floats(rows * n.dim), qkv: simd.Floats(rows * 3 * n.dim),
		mixed: simd.Floats(rows * n.dim), inner: simd.Floats(rows * n.inner),
		rounded: n.kernel.NewRows(batchRows, n.inner), attention: simd.NewAttention(n.tokens),
	}
}

// openNetwork reads and packs the layers.
func openNetwork(m *weights, kernel *simd.Kernel) (*network, error) {
	if m.Dim != Dim || m.Heads*simd.HeadWidth != Dim || m.FFN <= 0 || m.FFN%64 != 0 || m.Tokens != longestText || m.Layers <= 0 || m.Layers > mostLayers {
		return nil, fmt.Errorf("read weights: no encoder of %d dimensions: %d, %d heads, %d inside, %d tokens", Dim, m.Dim, m.Heads, m.FFN, m.Tokens)
	}
	r := reader{weights: m}
	n := &network{
		kernel: kernel, dim: m.Dim, inner: m.FFN, tokens: m.Tokens, epsilon: float32(m.Epsilon),
		token: r.rows("tok", m.Vocab, m.Dim, kernel), positions: r.floats("pos", m.Tokens, m.Dim),
		gain: r.floats("emb.ln.g", m.Dim), shift: r.floats("emb.ln.b", m.Dim),
	}
	if _, pairs := m.tensors["pos.second"]; pairs {
		n.seconds = r.floats("pos.second", m.Tokens, m.Dim)
	}
	n.layers = make([]layer, m.Layers)
	errs := make([]error, m.Layers)
	var packers sync.WaitGroup
	for i := range n.layers {
		packers.Go(func() {
			own := reader{weights: m}
			n.layers[i] = n.layer(&own, fmt.Sprintf("l%d.", i))
			errs[i] = own.err
		})
	}
	packers.Wait()
	if err := errors.Join(append(errs, r.err)...); err != nil {
		return nil, err
	}
	return n, nil
}

// under is the network with the upper layers that a file has in the place of its own.
func (n *network) under(upper *weights) (*network, error) {
	joined := *n
	joined.layers = slices.Clone(n.layers)
	r := &reader{weights: upper}
	for i := range joined.layers {
		name := fmt.Sprintf("l%d.", i)
		if _, own := upper.tensors[name+"qkv.b"]; own {
			joined.layers[i] = n.layer(r, name)
		}
	}
	return &joined, r.err
}

func (n *network) layer(r *reader, name string) layer {
	linear := func(part string, out, in int) *simd.Matrix {
		q, s := r.rounded(name+part, out, in)
		b := r.floats(name+part+".b", out)
		if r.err != nil {
			return nil
		}
		return n.kernel.Pack(q, out, in, s, b)
	}
	return layer{
		qkv: linear("qkv", 3*n.dim, n.dim), out: linear("o", n.dim, n.dim), up: linear("up", n.inner, n.dim), down: linear("down", n.dim, n.inner),
		gain1: r.floats(name+"ln1.g", n.dim), shift1: r.floats(name+"ln1.b", n.dim),
		gain2: r.floats(name+"ln2.g", n.dim), shift2: r.floats(name+"ln2.b", n.dim),
	}
}

// reader reads tensors and keeps the first error.
type reader struct {
	*weights
	err error
}

func (r *reader) bytes(name string, shape ...int) []int8 {
	v, err := r.int8s(name, shape...)
	r.note(err)
	return v
}

func (r *reader) floats(name string, shape ...int) []float32 {
	v, err := r.float32s(name, shape...)
	r.note(err)
	return v
}

// rounded is a matrix in 8 bits with a scale a row: NAME.q and NAME.s, or one of 4 bits
// made so.
func (r *reader) rounded(name string, rows, width int) ([]int8, []float32) {
	if _, whole := r.tensors[name+".q"]; whole {
		return r.bytes(name+".q", rows, width), r.floats(name+".s", rows)
	}
	b, err := r.blocks(name, rows, width)
	if err != nil {
		r.note(err)
		return nil, nil
	}
	return b.rounded(rows)
}

// rows gives what adds a row of a matrix to a vector; its weights stay in the read-only
// pages of the binary.
func (r *reader) rows(name string, rows, width int, kernel *simd.Kernel) func(x []float32, row int) {
	if _, halves := r.tensors[name+".n"]; halves {
		b, err := r.blocks(name, rows, width)
		r.note(err)
		return b.add
	}
	q, scales := r.bytes(name+".q", rows, width), r.floats(name+".s", rows)
	return func(x []float32, row int) { kernel.AddRow(x, q[row*width:][:width], scales[row]) }
}

func (r *reader) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

// forward runs pieces of at most batchRows tokens together through the layers and
// writes a vector for each.
func (n *network) forward(w *workspace, pieces []Piece, vectors []Vector) {
	if n.read(w, pieces) == 0 {
		return
	}
	sum := make([]float32, n.dim)
	at := 0
	for i, p := range pieces {
		if len(p.IDs) == 0 {
			continue
		}
		n.kernel.Sum(w.attention, sum, w.x[at*n.dim:], len(p.IDs))
		vectors[i] = newVector(sum)
		at += len(p.IDs)
	}
}

// read runs pieces through the layers, leaves their tokens in x and counts them.
func (n *network) read(w *workspace, pieces []Piece) (count int) {
	return n.through(w, pieces, n.layers, n.input(w, pieces))
}

// readFirst is read of which only the first token of each piece is left in x.
func (n *network) readFirst(w *workspace, pieces []Piece) {
	last := len(n.layers) - 1
	n.through(w, pieces, n.layers[:last], n.input(w, pieces))
	n.attend(&n.layers[last], w, pieces, true)
	n.feed(&n.layers[last], w, len(pieces))
}

func (n *network) through(w *workspace, pieces []Piece, layers []layer, count int) int {
	if count == 0 {
		return 0
	}
	for i := range layers {
		n.attend(&layers[i], w, pieces, false)
		n.feed(&layers[i], w, count)
	}
	return count
}

// input fills the rows of x with what tokens and their places mean.
func (n *network) input(w *workspace, pieces []Piece) (count int) {
	for _, p := range pieces {
		for place, id := range p.IDs {
			x := n.row(w.x, count)
			clear(x)
			n.token(x, int(id))
			positions := n.positions
			if p.second > 0 && place >= p.second {
				positions = n.seconds
			}
			n.kernel.Norm(x, n.row(positions, place), n.gain, n.shift, n.epsilon)
			count++
		}
	}
	return count
}

func (n *network) row(x []float32, i int) []float32 { return x[i*n.dim : (i+1)*n.dim] }

// attend is the first half of a layer: what tokens hear of each other is added to them.
// Where only the first token of each piece is to hear, only those are left in x.
func (n *network) attend(l *layer, w *workspace, pieces []Piece, first bool) {
	k, count := n.kernel, 0
	for _, p := range pieces {
		count += len(p.IDs)
	}
	n.round(w, w.x, count)
	k.Linear(w.qkv, w.rounded, count, l.qkv)
	at, heard := 0, 0
	for _, p := range pieces {
		tokens := len(p.IDs)
		if tokens == 0 {
			continue
		}
		hears := tokens
		if first {
			hears = 1
			copy(n.row(w.x, heard), n.row(w.x, at))
		}
		k.Attend(w.attention, w.mixed[heard*n.dim:], w.qkv[at*3*n.dim:], tokens, hears, n.dim)
		at, heard = at+tokens, heard+hears
	}
	n.round(w, w.mixed, heard)
	k.Linear(w.y, w.rounded, heard, l.out)
	n.norm(w, heard, l.gain1, l.shift1)
}

// feed is the second half: the inner layer, added to each of so many tokens.
func (n *network) feed(l *layer, w *workspace, count int) {
	k := n.kernel
	n.round(w, w.x, count)
	k.Linear(w.inner, w.rounded, count, l.up)
	for i := range count {
		row := w.inner[i*n.inner : (i+1)*n.inner]
		k.GELU(row)
		k.Round(w.rounded, i, row)
	}
	k.Linear(w.y, w.rounded, count, l.down)
	n.norm(w, count, l.gain2, l.shift2)
}

func (n *network) round(w *workspace, x []float32, count int) {
	for i := range count {
		n.kernel.Round(w.rounded, i, n.row(x, i))
	}
}

// norm adds what the layer made to its input.
func (n *network) norm(w *workspace, count int, gain, shift []float32) {
	for i := range count {
		n.kernel.Norm(n.row(w.x, i), n.row(w.y, i), gain, shift, n.epsilon)
	}
}
