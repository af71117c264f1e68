package quantize

import (
	"encoding/binary"
	"errors"
	"math"
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

// Unpack gives the vectors of a row, count of them; nil for those that
// have none.
func Unpack(data []byte, count int) ([][]float32, error) {
	dim, n := binary.Uvarint(data)
	if n > 0 && dim >= coarse && dim <= coarse+1<<16 {
		return unpackCoarse(data[n:], int(dim-coarse), count)
	}
	if n <= 0 || dim > 1<<16 || (len(data)-n)%(int(dim)+4) != 0 || dim == 0 && len(data)-n != 4*count { // a block of zeros
		return nil, ErrMalformed
	}
	data = data[n:]
	vectors := make([][]float32, 0, len(data)/(int(dim)+4))
	room := make([]float32, cap(vectors)*int(dim))
	for ; len(data) > 0; data = data[4+dim:] {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if scale == 0 {
			vectors = append(vectors, nil)
			continue
		}
		v := room[:dim:dim]
		room = room[dim:]
		for i, q := range data[4 : 4+dim] {
			v[i] = float32(int8(q)) * scale
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}
