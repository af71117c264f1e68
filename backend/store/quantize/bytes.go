package quantize

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// ErrMalformed is the fault of a row that was not packed here.
var ErrMalformed = errors.New("unpack vectors: malformed")

// Bytes keeps vectors at a byte a component, each with its scale before
// it, and sets them to exactly what it kept: a search after a restart orders its
// hits just as the one before. A nil vector has scale 0. All have one dimension.
func Bytes(vectors [][]float32) []byte {
	dim := 0
	for _, v := range vectors {
		dim = max(dim, len(v))
	}
	out := binary.AppendUvarint(make([]byte, 0, len(vectors)*(dim+4)+4), uint64(dim))
	for _, v := range vectors {
		top := float32(0)
		for _, x := range v {
			top = max(top, x, -x)
		}
		scale := top / 127
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(scale))
		for i := range dim {
			q := int8(0)
			if i < len(v) && scale > 0 {
				q = int8(math.Round(float64(v[i] / scale)))
				v[i] = float32(q) * scale
			}
			out = append(out, byte(q))
		}
	}
	return out
}

// Steps is a vector as it is kept: whole steps, and how long one is.
type Steps struct {
	Of    []int8  // nil where there is no vector
	Scale float32 // 0: what makes the vector one of unit length
}

// Vector gives what the steps stand for.
func (s Steps) Vector() []float32 {
	if s.Of == nil {
		return nil
	}
	v := make([]float32, len(s.Of))
	if s.Scale == 0 {
		toUnit(v, s.Of)
		return v
	}
	for i, q := range s.Of {
		v[i] = float32(q) * s.Scale
	}
	return v
}

// Vectors gives what each of many stands for.
func Vectors(stored []Steps) [][]float32 {
	vectors := make([][]float32, len(stored))
	for i, s := range stored {
		vectors[i] = s.Vector()
	}
	return vectors
}

// IsNowhere reports steps without a direction or a length: packed vectors have both.
func (s Steps) IsNowhere() bool {
	return s.Of != nil && (!(s.Scale >= 0) || math.IsInf(float64(s.Scale), 0) || !slices.ContainsFunc(s.Of, func(q int8) bool { return q != 0 }))
}

// Unpack gives the vectors of a row, count of them; no steps for those that have none.
func Unpack(data []byte, count int) ([]Steps, error) {
	dim, n := binary.Uvarint(data)
	if n > 0 && dim >= coarse && dim <= coarse+1<<16 {
		return unpackCoarse(data[n:], int(dim-coarse), count)
	}
	if n <= 0 || dim > 1<<16 || (len(data)-n)%(int(dim)+4) != 0 || dim == 0 && len(data)-n != 4*count { // a block of zeros
		return nil, ErrMalformed
	}
	data = data[n:]
	vectors := make([]Steps, 0, len(data)/(int(dim)+4))
	room := make([]int8, cap(vectors)*int(dim))
	for ; len(data) > 0; data = data[4+dim:] {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if scale == 0 {
			vectors = append(vectors, Steps{})
			continue
		}
		steps := room[:dim:dim]
		room = room[dim:]
		for i, q := range data[4 : 4+dim] {
			steps[i] = int8(q)
		}
		vectors = append(vectors, Steps{steps, scale})
	}
	return vectors, nil
}
