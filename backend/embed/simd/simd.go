// Package simd is the arithmetic of the sentence encoder, and of comparing
// vectors, in the vector instructions of the processor it runs on.
//
//	simd       the kernels and what they share
//	matrix     int8 linear maps: packing, rounding of rows, the product
//	attention  softmax(q·k) v of one text
//	dots       products of one int8 vector with many
//	gen        writes the assembly; run "go generate" after a change
package simd

import "unsafe"

//go:generate go run ./gen

// Pad is how many rows more than it uses a buffer of rows must have: tiles round
// up. What is computed there is never read.
const Pad = 32

// Kernel is one set of instructions. The int8 products of all kernels are equal
// to the last bit; float32 sums differ by their order.
type Kernel struct {
	name  string
	form  form
	panel int // outputs that lie together in a packed matrix
	group int // inputs of one output that lie together there
	tiles []tile[dot]

	columns int // of a float32 tile
	mulAdds []tile[mulAdd]

	gelu      func(n int, x *float32)
	norm      func(n int, x, y, gain, shift *float32, eps float32)
	exp2      func(n int, x, inverse *float32)
	round     func(n int, x *float32, q unsafe.Pointer, sx *float32)
	transpose func(src *float32, lds int, dst *float32, ldd int)
	turned    int // rows that transpose takes at once
	addRow    func(n int, dst *float32, row *int8, scale float32)
	dots      func(width int, q *int8, n int, rows *int8, stride int, out *int32) // of multiples of 32
	dots64    func(width int, q *int8, n int, rows *int8, stride int, out *int32) // of 64; nil where dots does as well
}

// form is how a rounded activation is stored.
type form int

const (
	signed   form = iota // one byte
	unsigned             // one byte, 128 more
	widened              // two bytes
)

func (f form) bytes() int {
	if f == widened {
		return 2
	}
	return 1
}

type (
	dot    = func(groups int, a unsafe.Pointer, lda int, w *int8, start *int32, sx, sw, bias, out *float32, ldo int)
	mulAdd = func(k int, a *float32, lda int, b *float32, ldb int, scale, out *float32, ldo int)
)

// tile is a function that works on a fixed number of rows.
type tile[F any] struct {
	rows int
	run  F
}

// next chooses the tile for what is left: the tallest that is filled, but two
// middle ones rather than a tallest and a shortest, which would idle.
func next[F any](tiles []tile[F], left int) tile[F] {
	last := tiles[len(tiles)-1]
	left = roundUp(left, last.rows)
	for i, t := range tiles {
		if left >= t.rows && (i > 0 || len(tiles) < 3 || left != t.rows+last.rows) {
			return t
		}
	}
	return last
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// Kernels lists what this processor can run, the fastest first; none where it has
// no instructions that are fast enough.
func Kernels() []*Kernel { return kernels() }

// Name names the instructions, such as "avx512vnni".
func (k *Kernel) Name() string { return k.name }

// GELU replaces each x by x/2 × (1 + erf(x/√2)). The length is a multiple of 32.
func (k *Kernel) GELU(x []float32) { k.gelu(rowOf(x), &x[0]) }

// Norm replaces x by norm(x + y) × gain + shift, where norm takes away the mean
// and divides by the root of variance plus eps. All have the length of gain, a
// multiple of 32.
func (k *Kernel) Norm(x, y, gain, shift []float32, eps float32) {
	n := rowOf(gain)
	k.norm(n, &x[:n][0], &y[:n][0], &gain[0], &shift[:n][0], eps)
}

// AddRow adds scale × row to dst. Both have the same length, a multiple of 32.
func (k *Kernel) AddRow(dst []float32, row []int8, scale float32) {
	n := rowOf(dst)
	k.addRow(n, &dst[0], &row[:n][0], scale)
}

// rowOf is the length of a row that the assembly can work on.
func rowOf(x []float32) int {
	if len(x) == 0 || len(x)%32 != 0 {
		panic("simd: a row is no multiple of 32")
	}
	return len(x)
}

// Floats makes a slice that begins at a cache line.
func Floats(n int) []float32 { return aligned[float32](n, 4) }

func aligned[T any](n, size int) []T {
	room := make([]T, n+64/size)
	skip := int(-uintptr(unsafe.Pointer(&room[0]))&63) / size
	return room[skip : skip+n : skip+n]
}
