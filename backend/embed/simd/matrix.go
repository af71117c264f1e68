package simd

import (
	"encoding/binary"
	"unsafe"
)

// Matrix is the weights of a linear map, packed for one kernel: panels of outputs,
// each [inputs/group][panel][group] int8, so that a step of the product reads whole
// registers.
type Matrix struct {
	out, in     int
	weights     []int8
	start       []int32 // of the sums: undoes the 128 that unsigned activations carry
	scale, bias []float32
}

// Pack makes a Matrix of weights [out][in] with a scale and a bias for each output.
// out is a multiple of 32, in of 64.
func (k *Kernel) Pack(weights []int8, out, in int, scale, bias []float32) *Matrix {
	if out%32 != 0 || in%64 != 0 || len(weights) != out*in || len(scale) != out || len(bias) != out {
		panic("simd: a matrix has a shape that kernels cannot work on")
	}
	m := &Matrix{out: out, in: in, weights: aligned[int8](out*in, 1), start: make([]int32, out), scale: scale, bias: bias}
	k.interleave(bytesOf(m.weights), bytesOf(weights), out, in)
	if k.form == unsigned {
		k.offset(m)
	}
	return m
}

func (k *Kernel) interleave(dst, src []byte, out, in int) {
	step := k.panel * k.group
	for j := range out {
		from := src[j*in : (j+1)*in]
		to := dst[j/k.panel*k.panel*in+j%k.panel*k.group:]
		if k.group == 2 {
			for i := 0; i < in; i += 2 {
				binary.LittleEndian.PutUint16(to[i/2*step:], binary.LittleEndian.Uint16(from[i:]))
			}
			continue
		}
		for i := 0; i < in; i += 4 {
			binary.LittleEndian.PutUint32(to[i/4*step:], binary.LittleEndian.Uint32(from[i:]))
		}
	}
}

// offset starts each sum at -128 times the sum of its weights, which the kernel
// itself adds up: a product with ones is exact in float32 below 2^24.
func (k *Kernel) offset(m *Matrix) {
	t := k.tiles[len(k.tiles)-1]
	ones := make([]byte, m.in)
	for i := range ones {
		ones[i] = 1
	}
	var one, none, sums [64]float32
	for i := range one {
		one[i] = 1
	}
	for j := 0; j < m.out; j += k.panel {
		t.run(m.in/k.group, unsafe.Pointer(&ones[0]), 0, &m.weights[j*m.in], &m.start[j], &one[0], &one[0], &none[0], &sums[0], 0)
		for i := range k.panel {
			m.start[j+i] = -128 * int32(sums[i])
		}
	}
}

func bytesOf(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// Rows is activations rounded to int8, with a scale for each row.
type Rows struct {
	form  form
	width int
	q     []byte
	scale []float32
}

// NewRows makes room for count rows and Pad more, of at most width values.
func (k *Kernel) NewRows(count, width int) *Rows {
	count += Pad
	return &Rows{form: k.form, q: bytesOf(aligned[int8](count*width*k.form.bytes(), 1)), scale: make([]float32, count)}
}

// Round makes row i of width values: each is x × 127 / max|x|, rounded to the
// nearest even. All rows of one product have one width, a multiple of 64.
func (k *Kernel) Round(r *Rows, i int, x []float32) {
	r.width = rowOf(x)
	size := r.width * r.form.bytes()
	k.round(r.width, &x[0], unsafe.Pointer(&r.q[i*size:][:size][0]), &r.scale[i])
}

// Linear writes out = rows × m for count rows; out has Pad rows more. A panel of
// weights stays in the first cache while all rows pass it.
func (k *Kernel) Linear(out []float32, rows *Rows, count int, m *Matrix) {
	if rows.width != m.in || len(out) < (count+Pad)*m.out || len(rows.scale) < count+Pad {
		panic("simd: rows and matrix do not fit")
	}
	stride := m.in * k.form.bytes()
	for j := 0; j < m.out; j += k.panel {
		for i := 0; i < count; {
			t := next(k.tiles, count-i)
			t.run(m.in/k.group, unsafe.Pointer(&rows.q[i*stride]), stride, &m.weights[j*m.in], &m.start[j],
				&rows.scale[i], &m.scale[j], &m.bias[j], &out[i*m.out+j], 4*m.out)
			i += t.rows
		}
	}
}
