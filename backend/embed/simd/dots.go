package simd

import "sync"

// fastest is the kernel that Dots uses; nil where there is none.
var fastest = sync.OnceValue(func() *Kernel {
	if list := kernels(); len(list) > 0 {
		return list[0]
	}
	return nil
})

// Dots writes to out[i] the product of q and the row of the same length that
// begins at rows[i*stride]. It is exact, with and without a kernel. A caller that
// may be stopped asks for some thousand rows at a time.
func Dots(out []int32, q, rows []int8, stride int) { fastest().products(out, q, rows, stride) }

func (k *Kernel) products(out []int32, q, rows []int8, stride int) {
	if len(out) == 0 || len(q) == 0 {
		clear(out)
		return
	}
	if stride < len(q) || len(rows) < (len(out)-1)*stride+len(q) {
		panic("simd: there are fewer rows than products")
	}
	switch {
	case k != nil && k.dots64 != nil && len(q)%64 == 0:
		k.dots64(len(q), &q[0], len(out), &rows[0], stride, &out[0])
		return
	case k != nil && len(q)%32 == 0:
		k.dots(len(q), &q[0], len(out), &rows[0], stride, &out[0])
		return
	}
	for i := range out {
		out[i] = plainDot(q, rows[i*stride:][:len(q)])
	}
}

// plainDot multiplies vectors of equal length.
func plainDot(a, b []int8) int32 {
	var s0, s1, s2, s3 int32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]int8)(a), (*[8]int8)(b)
		s0 += int32(x[0])*int32(y[0]) + int32(x[4])*int32(y[4])
		s1 += int32(x[1])*int32(y[1]) + int32(x[5])*int32(y[5])
		s2 += int32(x[2])*int32(y[2]) + int32(x[6])*int32(y[6])
		s3 += int32(x[3])*int32(y[3]) + int32(x[7])*int32(y[7])
		a, b = a[8:], b[8:]
	}
	for i := range min(len(a), len(b)) {
		s0 += int32(a[i]) * int32(b[i])
	}
	return s0 + s1 + s2 + s3
}
