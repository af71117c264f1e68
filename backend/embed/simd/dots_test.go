package simd

import (
	"slices"
	"testing"
)

func TestDotsAreExactOnEveryKernel(t *testing.T) {
	for _, width := range []int{32, 64, 256, 384, 100, 7} {
		for _, n := range []int{1, 2, 4, 7, 33} {
			for _, gap := range []int{0, 4, 13} {
				stride := width + gap
				q, rows := randomBytes(width, 40), randomBytes((n-1)*stride+width, 41)
				q[0], rows[0], q[1], rows[1] = -128, -128, -128, -128
				want := make([]int32, n)
				for i := range want {
					for j, x := range q {
						want[i] += int32(x) * int32(rows[i*stride+j])
					}
				}
				got := make([]int32, n+1)
				for _, k := range append(kernels(), nil) {
					got[n] = 77
					if k.products(got[:n], q, rows, stride); !slices.Equal(got[:n], want) || got[n] != 77 {
						t.Errorf("width %d, gap %d: %v, want %v", width, gap, got, want)
					}
				}
			}
		}
	}
}

func TestDotsOfNothing(t *testing.T) {
	Dots(nil, []int8{1}, nil, 1)
	out := []int32{5}
	if Dots(out, nil, nil, 0); out[0] != 0 {
		t.Errorf("the product of nothing is %d", out[0])
	}
	defer func() {
		if recover() == nil {
			t.Error("a row beyond the end was read")
		}
	}()
	Dots(out, make([]int8, 32), make([]int8, 31), 32)
}

func BenchmarkDots(b *testing.B) {
	const width, n = 384, 1000
	q, rows, out := randomBytes(width, 1), randomBytes(width*n, 2), make([]int32, n)
	for name, k := range map[string]*Kernel{"plain": nil, "fastest": fastest()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				k.products(out, q, rows, width)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
		})
	}
}
