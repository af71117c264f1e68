package quantize

import (
	"encoding/binary"
	"math"
	"slices"
)

// The vectors of the built-in embedder have most of their length in their first
// components. Those are kept at a byte each, the others in groups at half a byte,
// each group with its largest size in front: 144 bytes for 256 components.
const (
	headComps  = 16
	groupComps = 32
	levels     = 8 // sizes that a component of a group may have, either way
)

// coarse marks a row of this form. No dimension is as large.
const coarse = 1 << 17

// Coarse keeps directions, and sets the vectors to exactly what it kept, at
// unit length. All have one dimension; a nil vector lacks its bit in the set that
// stands first.
func Coarse(vectors [][]float32) []byte {
	dim := 0
	for _, v := range vectors {
		dim = max(dim, len(v))
	}
	out := binary.AppendUvarint(make([]byte, 0, len(vectors)*(coarseSize(dim)+1)+8), coarse|uint64(dim))
	set := len(out)
	out = append(out, make([]byte, (len(vectors)+7)/8)...)
	sizes := make([]int8, dim)
	for i, v := range vectors {
		if len(v) == dim && toSizes(sizes, v) {
			out[set+i/8] |= 1 << (i % 8)
			out = appendSizes(out, sizes)
			toUnit(v, sizes)
		}
	}
	return out
}

// toSizes writes v in steps, 127 of them for its largest component; false when v
// has no direction.
func toSizes(sizes []int8, v []float32) bool {
	top := float32(0)
	for _, x := range v {
		top = max(top, x, -x)
	}
	if !(top > 0) || math.IsInf(float64(top), 0) {
		return false
	}
	for i, x := range v {
		sizes[i] = int8(math.Round(float64(x) * 127 / float64(top)))
	}
	return true
}

func toUnit(v []float32, sizes []int8) {
	squares := 0
	for _, q := range sizes {
		squares += int(q) * int(q)
	}
	scale := float32(1 / math.Sqrt(float64(max(squares, 1))))
	for i, q := range sizes {
		v[i] = float32(q) * scale
	}
}

// coarseSize is how many bytes a vector takes.
func coarseSize(dim int) int {
	head := min(headComps, dim)
	return head + (dim-head+groupComps-1)/groupComps + (dim-head+1)/2
}

// level is the size that code k of a group stands for: an odd share of its largest.
func level(k, top int) int { return (2*top*(2*k+1) + 2*levels - 1) / (2 * (2*levels - 1)) }

// appendSizes writes components, and sets them to what is kept.
func appendSizes(out []byte, sizes []int8) []byte {
	head := min(headComps, len(sizes))
	for _, q := range sizes[:head] {
		out = append(out, byte(q))
	}
	for group := range slices.Chunk(sizes[head:], groupComps) {
		top := 0
		for _, q := range group {
			top = max(top, int(q), -int(q))
		}
		out = append(out, byte(top))
		for i, q := range group {
			code, size := 0, int(q)
			if size < 0 {
				code, size = levels, -size
			}
			k := min(size*(2*levels-1)/(2*max(top, 1)), levels-1) // each level is the middle of what goes to it
			group[i] = int8(level(k, top))
			if code > 0 {
				group[i] = -group[i]
			}
			if code |= k; i%2 == 0 {
				out = append(out, byte(code))
			} else {
				out[len(out)-1] |= byte(code) << 4
			}
		}
	}
	return out
}

// unpackCoarse gives the vectors of a row behind its dimension, as many as were
// packed; no steps for those that have none.
func unpackCoarse(data []byte, dim, count int) ([]Steps, error) {
	set, size := (count+7)/8, coarseSize(dim)
	if count < 0 || len(data) < set {
		return nil, ErrMalformed
	}
	body := data[set:]
	vectors := make([]Steps, count)
	room := make([]int8, len(body)/max(size, 1)*dim)
	for i := range vectors {
		if data[i/8]>>(i%8)&1 == 0 {
			continue
		}
		if size == 0 || len(body) < size {
			return nil, ErrMalformed
		}
		vectors[i].Of, room = room[:dim:dim], room[dim:]
		readSizes(vectors[i].Of, body[:size])
		body = body[size:]
	}
	if len(body) > 0 {
		return nil, ErrMalformed
	}
	return vectors, nil
}

func readSizes(sizes []int8, data []byte) {
	head := min(headComps, len(sizes))
	for i := range head {
		sizes[i] = int8(data[i])
	}
	data = data[head:]
	for group := range slices.Chunk(sizes[head:], groupComps) {
		top := int(data[0] & 127)
		var sizeOf [2 * levels]int8
		for k := range levels {
			sizeOf[k] = int8(level(k, top))
			sizeOf[k+levels] = -sizeOf[k]
		}
		for i := range group {
			group[i] = sizeOf[data[1+i/2]>>(i%2*4)&15]
		}
		data = data[1+(len(group)+1)/2:]
	}
}
