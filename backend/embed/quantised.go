package embed

import (
	"fmt"
	"math"
)

// blockOf is how many weights of 4 bits share a scale; Q4_0 of the GGML format. A
// block's bytes have its first half of weights in their low bits and its second half in
// their high ones, 8 above their values.
const blockOf = 32

// blocks is a matrix of weights of 4 bits: read-only pages of the binary.
type blocks struct {
	halves, scales string // half a byte a weight; half-precision floats, little-endian
	width          int
}

// blocks is a tensor of NAME.n and NAME.d.
func (w *weights) blocks(name string, rows, width int) (blocks, error) {
	if width%blockOf != 0 {
		return blocks{}, fmt.Errorf("read weights: rows of %q are no blocks of %d", name, blockOf)
	}
	halves, err := w.raw(name+".n", "u8", rows, width/2)
	if err != nil {
		return blocks{}, err
	}
	scales, err := w.raw(name+".d", "u8", rows, width/blockOf*2)
	return blocks{halves, scales, width}, err
}

// block gives the halves and the scale of block k of a row.
func (b blocks) block(row, k int) (halves string, scale float32) {
	at := row*b.width/blockOf + k
	d := b.scales[2*at : 2*at+2]
	return b.halves[at*blockOf/2:][:blockOf/2], halfFloat(uint16(d[0]) | uint16(d[1])<<8)
}

// add adds a row of weights to dst, which is as wide.
func (b blocks) add(dst []float32, row int) {
	for k := range b.width / blockOf {
		halves, scale := b.block(row, k)
		to := dst[k*blockOf:][:blockOf]
		for i, c := range []byte(halves) {
			to[i] += scale * float32(int(c&15)-8)
			to[i+blockOf/2] += scale * float32(int(c>>4)-8)
		}
	}
}

// rounded gives all rows in 8 bits, with a scale for each.
func (b blocks) rounded(rows int) (q []int8, scales []float32) {
	q, scales = make([]int8, rows*b.width), make([]float32, rows)
	for r := range rows {
		if scales[r] = b.largest(r) / 127; scales[r] > 0 {
			b.round(q[r*b.width:][:b.width], r, 1/scales[r])
		}
	}
	return q, scales
}

// largest is the greatest weight of a row, without its sign.
func (b blocks) largest(row int) (most float32) {
	for k := range b.width / blockOf {
		halves, scale := b.block(row, k)
		far := 0
		for _, c := range []byte(halves) {
			low, high := int(c&15)-8, int(c>>4)-8
			far = max(far, low, -low, high, -high)
		}
		most = max(most, scale*float32(far), -scale*float32(far))
	}
	return most
}

// round writes a row times a factor to q. A block has sixteen values.
func (b blocks) round(q []int8, row int, factor float32) {
	for k := range b.width / blockOf {
		halves, scale := b.block(row, k)
		var values [16]int8
		for v := range values {
			values[v] = int8(math.RoundToEven(float64(scale * float32(v-8) * factor)))
		}
		to := q[k*blockOf:][:blockOf]
		for i, c := range []byte(halves) {
			to[i], to[i+blockOf/2] = values[c&15], values[c>>4]
		}
	}
}

// halfFloat is a float of half precision (IEEE 754, binary16).
func halfFloat(bits uint16) float32 {
	sign, exponent, fraction := float64(1), int(bits>>10&31), float64(bits&1023)
	if bits>>15 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		return float32(math.Inf(int(sign))) // no weight is a NaN
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
