package embed

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"footnote/backend/embed/simd"
)

// Dim is the number of components of an encoder's vector.
const Dim = 384

// VectorSize is the length of a stored Vector in bytes.
const VectorSize = Dim + 4

// Vector is a unit vector in 8 bits a component: component i is Scale × Q[i]. The
// zero Vector stands for a text that has none.
type Vector struct {
	Q     [Dim]int8
	Scale float32
}

// newVector rounds v, whose length does not matter, to a unit Vector.
func newVector(v []float32) (out Vector) {
	largest := float32(0)
	for _, x := range v {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return out
	}
	squares := 0
	for i, x := range v[:Dim] {
		q := int(math.RoundToEven(float64(x) * 127 / float64(largest)))
		out.Q[i] = int8(q)
		squares += q * q
	}
	out.Scale = float32(1 / math.Sqrt(float64(squares)))
	return out
}

// Dot is the cosine of the angle between a and b, from -1 to 1; 0 where one of
// them is the zero Vector.
func Dot(a, b Vector) float64 {
	var product [1]int32
	simd.Dots(product[:], a.Q[:], b.Q[:], Dim)
	return a.cosine(product[0], &b)
}

// cosine scales the product of the components of two vectors.
func (v *Vector) cosine(product int32, other *Vector) float64 {
	return float64(product) * float64(v.Scale) * float64(other.Scale)
}

// Cosines writes the cosine with each of vectors to out, which is as long.
func (v *Vector) Cosines(out []float64, vectors []Vector) {
	const stride = int(unsafe.Sizeof(Vector{}))
	var products [256]int32
	for at := 0; at < len(vectors); at += len(products) {
		part := vectors[at:min(at+len(products), len(vectors))]
		simd.Dots(products[:len(part)], v.Q[:], unsafe.Slice(&part[0].Q[0], len(part)*stride), stride)
		for i := range part {
			out[at+i] = v.cosine(products[i], &part[i])
		}
	}
}

// Floats is the vector as float32 components.
func (v *Vector) Floats() []float32 {
	f := make([]float32, Dim)
	for i, q := range v.Q {
		f[i] = float32(q) * v.Scale
	}
	return f
}

// AppendBinary appends the VectorSize bytes that UnmarshalBinary reads: the
// components, then the scale, little-endian. The error is always nil.
func (v *Vector) AppendBinary(b []byte) ([]byte, error) {
	for _, q := range v.Q {
		b = append(b, byte(q))
	}
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(v.Scale)), nil
}

// UnmarshalBinary reads what AppendBinary wrote. An error means that data is no
// stored vector.
func (v *Vector) UnmarshalBinary(data []byte) error {
	if len(data) != VectorSize {
		return fmt.Errorf("read vector: %d bytes, not %d", len(data), VectorSize)
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(data[Dim:]))
	if !(scale >= 0 && scale <= 1) { // refuses what is not a number, too
		return fmt.Errorf("read vector: scale is %v", scale)
	}
	for i, b := range data[:Dim] {
		v.Q[i] = int8(b)
	}
	v.Scale = scale
	return nil
}
