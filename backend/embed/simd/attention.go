package simd

import "math"

// HeadWidth is the number of components of one attention head.
const HeadWidth = 32

const tallest = 16 // rows of a float32 tile at most

// Attention is the scratch of one worker for texts of at most a number of tokens.
type Attention struct {
	keys      []float32 // of one head, transposed: panels [tokens/columns][HeadWidth][columns]
	values    []float32 // of one head, [tokens][HeadWidth]
	scores    []float32 // of one tile of rows
	spill     []float32 // a tile that reaches past its text
	inverse   [tallest]float32
	rootScale [tallest]float32
	ones      []float32
}

// NewAttention makes the scratch for texts of at most tokens rows.
func NewAttention(tokens int) *Attention {
	a := &Attention{
		keys: Floats(roundUp(tokens, Pad) * HeadWidth), values: Floats(roundUp(tokens, Pad) * HeadWidth),
		scores: Floats(tallest * (roundUp(tokens, Pad) + tallest)),
		spill:  Floats(tallest * HeadWidth), ones: make([]float32, roundUp(tokens, Pad)),
	}
	for i := range a.rootScale {
		a.rootScale[i] = math.Log2E / 5.656854249492381 // powers of 2; divided by the root of HeadWidth
	}
	for i := range a.ones {
		a.ones[i] = 1
	}
	return a
}

// Attend writes out[i] = softmax(q[i]·k) v for each head of one text and the first so
// many of its queries. qkv holds tokens rows of queries, keys and values and Pad rows
// more; out holds a row for each query.
func (k *Kernel) Attend(a *Attention, out, qkv []float32, tokens, queries, width int) {
	if len(qkv) < (tokens+Pad)*3*width || queries > tokens || len(out) < queries*width || len(a.ones) < tokens || width%HeadWidth != 0 {
		panic("simd: a text does not fit its buffers")
	}
	for head := 0; head < width; head += HeadWidth {
		k.turnKeys(a, qkv[width+head:], tokens, 3*width)
		for i := range tokens { // together they fit the first cache; in their rows they would share few sets of it
			copy(a.values[i*HeadWidth:(i+1)*HeadWidth], qkv[(3*i+2)*width+head:])
		}
		for i := 0; i < queries; {
			t := next(k.mulAdds, queries-i)
			k.score(a, t, qkv[i*3*width+head:], tokens, 3*width)
			k.weigh(a, t, out[i*width+head:], queries-i, tokens, width)
			i += t.rows
		}
	}
}

// turnKeys transposes the keys of a head. Rows past the text are read, and hidden
// later.
func (k *Kernel) turnKeys(a *Attention, keys []float32, tokens, stride int) {
	for j := 0; j < roundUp(tokens, k.columns); j += k.turned {
		panel := a.keys[j/k.columns*k.columns*HeadWidth:]
		k.transpose(&keys[j*stride], 4*stride, &panel[j%k.columns], 4*k.columns)
	}
}

// score fills a.scores with powers of the products of a tile of queries with all
// keys, and a.inverse with one over their sums.
func (k *Kernel) score(a *Attention, t tile[mulAdd], queries []float32, tokens, stride int) {
	padded := roundUp(tokens, Pad)
	line := padded + tallest // off powers of two: rows of a tile share no cache set
	for j := 0; j < roundUp(tokens, k.columns); j += k.columns {
		t.run(HeadWidth, &queries[0], 4*stride, &a.keys[j*HeadWidth], 4*k.columns, &a.rootScale[0], &a.scores[j], 4*line)
	}
	for r := range t.rows {
		row := a.scores[r*line:][:padded]
		for j := tokens; j < padded; j++ {
			row[j] = -1e30
		}
		k.exp2(padded, &row[0], &a.inverse[r])
	}
}

// weigh writes the sums of values. left counts the rows up to the text's end: a
// tile that reaches further is spilled, or it would overwrite the next text.
func (k *Kernel) weigh(a *Attention, t tile[mulAdd], out []float32, left, tokens, width int) {
	line := roundUp(tokens, Pad) + tallest
	dst, stride := out, width
	if t.rows > left {
		dst, stride = a.spill, HeadWidth
	}
	for j := 0; j < HeadWidth; j += k.columns {
		t.run(tokens, &a.scores[0], 4*line, &a.values[j], 4*HeadWidth, &a.inverse[0], &dst[j], 4*stride)
	}
	if t.rows > left {
		for r := range left {
			copy(out[r*width:][:HeadWidth], a.spill[r*HeadWidth:])
		}
	}
}

// Sum writes dst = the sum of tokens rows of x, which have the width of dst.
func (k *Kernel) Sum(a *Attention, dst, x []float32, tokens int) {
	width := rowOf(dst)
	if len(x) < tokens*width || len(a.ones) < tokens || tokens == 0 {
		panic("simd: a text does not fit its buffers")
	}
	t := k.mulAdds[len(k.mulAdds)-1]
	for j := 0; j < width; j += k.columns { // every row of the tile is the same sum
		t.run(tokens, &a.ones[0], 0, &x[j], 4*width, &a.ones[0], &dst[j], 0)
	}
}
