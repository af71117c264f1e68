package embed

import (
	"context"
	"fmt"
	"math"

	"footnote/backend/embed/simd"
	files "footnote/backend/embed/weights"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

var _ llm.Embedder = (*Static)(nil)

// Static embeds a text as the sum of one row a word piece, unit length. It is
// made for English; it says so by giving no vector to texts it cannot read.
// Safe for concurrent use.
type Static struct {
	id     string
	dim    int
	rows   []int8         // read-only pages of the binary: vocabulary × dim
	scales []float32      // of a row
	words  func() chunker // the encoder's
	addRow func(v []float32, row []int8, scale float32)
}

// NewStatic reads the table in the binary. It costs well under a millisecond:
// the vocabulary is read with the first text. An error means a damaged build.
func NewStatic() (*Static, error) {
	m, err := english()
	if err != nil {
		return nil, err
	}
	return newStatic(files.Static, m.words)
}

func newStatic(data string, words func() chunker) (*Static, error) {
	w, err := parseWeights(data)
	if err != nil {
		return nil, err
	}
	rows, err := w.int8s("tok.q", w.Vocab, w.Dim)
	if err != nil {
		return nil, err
	}
	scales, err := w.float32s("tok.s", w.Vocab)
	if err != nil {
		return nil, err
	}
	if w.Dim%8 != 0 {
		return nil, fmt.Errorf("read weights: %d dimensions are no multiple of 8", w.Dim)
	}
	add := addScaled
	if kernels := simd.Kernels(); len(kernels) > 0 && w.Dim%32 == 0 {
		add = kernels[0].AddRow
	}
	return &Static{addRow: add, id: w.Model + "@" + w.Revision, dim: w.Dim, rows: rows, scales: scales, words: words}, nil
}

// ID names model and revision; vectors of another id are never compared.
func (s *Static) ID() string { return s.id }

// Pieces counts the word pieces of text and how many of them are unknown. It is
// what rank.GateOf asks for.
func (s *Static) Pieces(text string) (n, unknown int) {
	return count(s.words().pieces(nil, text))
}

func count(ids []int32) (n, unknown int) {
	for _, id := range ids {
		if id == idUnknown {
			unknown++
		}
	}
	return len(ids), unknown
}

// Embed gives each text its unit vector, in order. A text without letters, or in
// a language that the table does not know (rank.Embeddable), gives nil. The only
// error is the context's.
func (s *Static) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var ids []int32
	for i, text := range texts {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ids = s.words().pieces(ids[:0], text)
		if rank.Embeddable(text, func(string) (int, int) { return count(ids) }) {
			vectors[i] = s.vector(ids)
		}
	}
	return vectors, nil
}

// vector is the unit sum of the rows of ids; nil when nothing is left of them.
func (s *Static) vector(ids []int32) []float32 {
	v := make([]float32, s.dim)
	for _, id := range ids {
		if id == idPad || id >= idUnknown && id <= idMask || int(id) >= len(s.scales) {
			continue
		}
		s.addRow(v, s.rows[int(id)*s.dim:][:s.dim], s.scales[id])
	}
	if !normalise(v) {
		return nil
	}
	return v
}

// addScaled adds scale × row to v. Both lengths are the same multiple of 8.
func addScaled(v []float32, row []int8, scale float32) {
	for len(v) >= 8 && len(row) >= 8 {
		a, b := (*[8]float32)(v), (*[8]int8)(row)
		a[0] += scale * float32(b[0])
		a[1] += scale * float32(b[1])
		a[2] += scale * float32(b[2])
		a[3] += scale * float32(b[3])
		a[4] += scale * float32(b[4])
		a[5] += scale * float32(b[5])
		a[6] += scale * float32(b[6])
		a[7] += scale * float32(b[7])
		v, row = v[8:], row[8:]
	}
}

func normalise(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return false
	}
	f := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
	return true
}
