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

// add adds a row of weights to dst, which is as wide.
func (b blocks) add(dst []float32, row int) {
	halves := b.halves[row*b.width/2:][:b.width/2]
	scales := b.scales[row*b.width/blockOf*2:]
	for k := range b.width / blockOf {
		scale := halfFloat(uint16(scales[2*k]) | uint16(scales[2*k+1])<<8)
		to := dst[k*blockOf:][:blockOf]
		for i, c := range []byte(halves[k*blockOf/2:][:blockOf/2]) {
			to[i] += scale * float32(int(c&15)-8)
			to[i+blockOf/2] += scale * float32(int(c>>4)-8)
		}
	}
}

// rounded gives all rows in 8 bits, with a scale for each.
func (b blocks) rounded(rows int) (q []int8, scales []float32) {
	q, scales = make([]int8, rows*b.width), make([]float32, rows)
	row := make([]float32, b.width)
	for r := range rows {
		clear(row)
		b.add(row, r)
		largest := float32(0)
		for _, x := range row {
			largest = max(largest, x, -x)
		}
		if largest == 0 {
			continue
		}
		scales[r] = largest / 127
		for i, x := range row {
			q[r*b.width+i] = int8(math.RoundToEven(float64(x / scales[r])))
		}
	}
	return q, scales
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
