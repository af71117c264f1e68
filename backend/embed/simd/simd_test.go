package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// onEachKernel runs a test with every kernel that this processor has.
func onEachKernel(t *testing.T, run func(*testing.T, *Kernel)) {
	if len(Kernels()) == 0 {
		t.Skip("this processor has no kernel")
	}
	for _, k := range Kernels() {
		t.Run(k.Name(), func(t *testing.T) { run(t, k) })
	}
}

func random(n int, scale float64, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	v := Floats(n)
	for i := range v {
		v[i] = float32(rng.NormFloat64() * scale)
	}
	return v
}

func randomBytes(n int, seed uint64) []int8 {
	rng := rand.New(rand.NewPCG(seed, 2))
	v := make([]int8, n)
	for i := range v {
		v[i] = int8(rng.IntN(255) - 127)
	}
	return v
}

func filled[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

// near fails where a value is further from what is wanted than tolerance.
func near(t *testing.T, what string, got, want []float32, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if d := math.Abs(float64(got[i]) - float64(want[i])); !(d <= tolerance) {
			t.Fatalf("%s[%d] is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestRowsAreRoundedToTheNearestEven(t *testing.T) {
	rows := map[string][]float32{
		"random": random(384, 3, 1), "inner": random(1536, 0.1, 2), "zeros": make([]float32, 384),
		"one large": append(make([]float32, 383), -1e20), "tiny": random(64, 1e-35, 3), "ties": ties(),
	}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		for name, x := range rows {
			r := k.NewRows(1, len(x))
			k.Round(r, 0, x)
			q, scale := rounded(x)
			if got := r.values(0); !slices.Equal(got, q) || r.scale[0] != scale {
				t.Errorf("%s: %v × %v, want %v × %v", name, r.scale[0], got, scale, q)
			}
		}
	})
}

// ties is a row whose values fall half-way between two steps.
func ties() []float32 {
	x := make([]float32, 64)
	for i := range x {
		x[i] = float32(i) - 31.5
	}
	x[0] = 127
	return x
}

// values is row i as plain numbers, whatever its form.
func (r *Rows) values(i int) []int {
	v := make([]int, r.width)
	for j := range v {
		switch at := i*r.width + j; r.form {
		case unsigned:
			v[j] = int(r.q[at]) - 128
		case widened:
			v[j] = int(int16(uint16(r.q[2*at]) | uint16(r.q[2*at+1])<<8))
		default:
			v[j] = int(int8(r.q[at]))
		}
	}
	return v
}

// rounded is the reference of Round.
func rounded(x []float32) (q []int, scale float32) {
	largest := float32(0)
	for _, v := range x {
		largest = max(largest, v, -v)
	}
	inverse := 127 / max(largest, 1e-30)
	for _, v := range x {
		q = append(q, int(math.RoundToEven(float64(v*inverse))))
	}
	return q, largest / 127
}

// Products below 2^24 are exact in float32, so equal results mean equal sums.
func TestProductsAreExact(t *testing.T) {
	shapes := [][3]int{{1, 32, 64}, {3, 64, 128}, {12, 32, 384}, {13, 96, 384}, {16, 384, 384}, {131, 96, 960}, {29, 1152, 384}, {2, 32, 1024}}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		for i, s := range shapes {
			seed := uint64(10 * i)
			checkProduct(t, k, s[0], s[1], s[2], randomBytes(s[0]*s[2], seed), randomBytes(s[1]*s[2], seed+1))
		}
		for _, a := range []int8{127, -127, 0} { // where instructions that saturate go wrong
			for _, w := range []int8{127, -127, 0} {
				checkProduct(t, k, 5, 32, 1024, filled(5*1024, a), filled(32*1024, w))
			}
		}
	})
}

func checkProduct(t *testing.T, k *Kernel, count, out, in int, a, w []int8) {
	t.Helper()
	m := k.Pack(w, out, in, filled(out, float32(1)), make([]float32, out))
	rows := k.NewRows(count, in)
	for i := range count { // as Round would store them, with scale 1
		for j, v := range a[i*in : (i+1)*in] {
			rows.put(i*in+j, v)
		}
		rows.scale[i] = 1
	}
	rows.width = in
	got := Floats((count + Pad) * out)
	k.Linear(got, rows, count, m)
	for i := range count {
		for j := range out {
			var want int32
			for l := range in {
				want += int32(a[i*in+l]) * int32(w[j*in+l])
			}
			if got[i*out+j] != float32(want) {
				t.Fatalf("%d × %d × %d: [%d][%d] is %v, want %d", count, out, in, i, j, got[i*out+j], want)
			}
		}
	}
}

func (r *Rows) put(at int, v int8) {
	switch r.form {
	case unsigned:
		r.q[at] = byte(int(v) + 128)
	case widened:
		r.q[2*at], r.q[2*at+1] = byte(v), byte(int16(v)>>8)
	default:
		r.q[at] = byte(v)
	}
}

func TestLinearScalesAndAddsTheBias(t *testing.T) {
	const count, out, in = 7, 64, 128
	w, scale, bias := randomBytes(out*in, 5), random(out, 0.01, 6), random(out, 1, 7)
	x := random(count*in, 2, 8)
	clear(x[in : 2*in]) // a row of zeros gives the bias
	want := make([]float32, count*out)
	for i := range count {
		q, sx := rounded(x[i*in : (i+1)*in])
		for j := range out {
			sum := 0
			for l := range in {
				sum += q[l] * int(w[j*in+l])
			}
			want[i*out+j] = float32(float64(sum)*float64(sx)*float64(scale[j]) + float64(bias[j]))
		}
	}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		rows := k.NewRows(count, in)
		for i := range count {
			k.Round(rows, i, x[i*in:(i+1)*in])
		}
		got := Floats((count + Pad) * out)
		k.Linear(got, rows, count, k.Pack(w, out, in, scale, bias))
		near(t, "linear", got[:count*out], want, 1e-4)
		near(t, "row of zeros", got[out:2*out], bias, 0)
	})
}

func TestGELUIsNearTheTrueOne(t *testing.T) {
	x := make([]float32, 1024)
	for i := range x {
		x[i] = float32(i-512) / 64
	}
	x = append(x, filled(16, float32(1e6))...)
	x = append(x, filled(16, float32(-1e6))...)
	want := make([]float32, len(x))
	for i, v := range x {
		want[i] = float32(0.5 * float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)))
	}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		got := slices.Clone(x)
		k.GELU(got)
		near(t, "gelu", got[:1024], want[:1024], 3e-6)
		near(t, "gelu of large", got[1024:1040], want[1024:1040], 1)
		near(t, "gelu of small", got[1040:], want[1040:], 20) // 1 + erf is a rounding error times a million
	})
}

func TestNormIsNearTheTrueOne(t *testing.T) {
	const n = 384
	gain, shift := random(n, 1, 20), random(n, 1, 21)
	inputs := map[string][2][]float32{
		"random": {random(n, 2, 22), random(n, 2, 23)}, "shifted": {filled(n, float32(50)), random(n, 1, 24)},
		"constant": {filled(n, float32(3)), make([]float32, n)},
	}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		for name, in := range inputs {
			got := slices.Clone(in[0])
			k.Norm(got, in[1], gain, shift, 1e-12)
			near(t, name, got, normed(in[0], in[1], gain, shift, 1e-12), 1e-4)
		}
	})
}

// normed is the reference of Norm.
func normed(x, y, gain, shift []float32, eps float64) []float32 {
	sum, mean, variance := make([]float64, len(x)), 0.0, 0.0
	for i := range x {
		sum[i] = float64(x[i]) + float64(y[i])
		mean += sum[i] / float64(len(x))
	}
	for _, v := range sum {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float32, len(x))
	for i, v := range sum {
		out[i] = float32((v-mean)/math.Sqrt(variance+eps)*float64(gain[i]) + float64(shift[i]))
	}
	return out
}

func TestAddRowAddsScaledBytes(t *testing.T) {
	row, dst := randomBytes(384, 30), random(384, 1, 31)
	row[0], row[1] = 127, -127
	want := make([]float32, len(dst))
	for i, v := range dst {
		want[i] = v + 0.02*float32(row[i])
	}
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		got := slices.Clone(dst)
		k.AddRow(got, row, 0.02)
		near(t, "sum", got, want, 1e-6)
	})
}

func TestAttentionIsNearTheTrueOne(t *testing.T) {
	const width, next = 64, 9 // two heads; a second text of next tokens follows
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		a := NewAttention(256)
		for _, tokens := range []int{1, 2, 5, 12, 13, 16, 31, 32, 33, 100, 128, 256} {
			for _, scale := range []float64{0, 1, 8} { // 8 makes one key outweigh all others
				qkv := random((tokens+next+Pad)*3*width, scale, uint64(tokens))
				out := filled((tokens+next)*width, float32(7))
				k.Attend(a, out, qkv, tokens, tokens, width)
				near(t, "attention", out[:tokens*width], attended(qkv, tokens, width), 2e-5*(1+scale*scale))
				near(t, "next text", out[tokens*width:], filled(next*width, float32(7)), 0)
				first := filled(3*width, float32(7))
				k.Attend(a, first, qkv, tokens, 1, width)
				near(t, "first query alone", first[:width], out[:width], 0)
				near(t, "what stands behind it", first[width:], filled(2*width, float32(7)), 0)
			}
		}
	})
}

// attended is the reference of Attend.
func attended(qkv []float32, tokens, width int) []float32 {
	out := make([]float32, tokens*width)
	at := func(i, part, head, d int) float64 { return float64(qkv[(i*3+part)*width+head+d]) }
	for head := 0; head < width; head += HeadWidth {
		for i := range tokens {
			scores, largest, sum := make([]float64, tokens), math.Inf(-1), 0.0
			for j := range scores {
				for d := range HeadWidth {
					scores[j] += at(i, 0, head, d) * at(j, 1, head, d) / math.Sqrt(HeadWidth)
				}
				largest = max(largest, scores[j])
			}
			for j := range scores {
				scores[j] = math.Exp(scores[j] - largest)
				sum += scores[j]
			}
			for d := range HeadWidth {
				v := 0.0
				for j, s := range scores {
					v += s / sum * at(j, 2, head, d)
				}
				out[i*width+head+d] = float32(v)
			}
		}
	}
	return out
}

func TestSumAddsRows(t *testing.T) {
	const width = 384
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		a := NewAttention(256)
		for _, tokens := range []int{1, 3, 16, 255, 256} {
			x := random(tokens*width, 1, uint64(tokens))
			want, got := make([]float32, width), make([]float32, width)
			for i, v := range x {
				want[i%width] += v
			}
			k.Sum(a, got, x, tokens)
			near(t, "sum", got, want, 1e-4)
		}
	})
}

func TestShapesThatDoNotFitAreRefused(t *testing.T) {
	onEachKernel(t, func(t *testing.T, k *Kernel) {
		m := k.Pack(make([]int8, 64*64), 64, 64, make([]float32, 64), make([]float32, 64))
		rows := k.NewRows(2, 64)
		k.Round(rows, 0, make([]float32, 64))
		for name, call := range map[string]func(){
			"matrix":        func() { k.Pack(make([]int8, 33*64), 33, 64, make([]float32, 33), make([]float32, 33)) },
			"short row":     func() { k.GELU(make([]float32, 31)) },
			"no row":        func() { k.GELU(nil) },
			"short product": func() { k.Linear(make([]float32, 64), rows, 1, m) },
			"short text":    func() { k.Attend(NewAttention(4), make([]float32, 64), make([]float32, 64), 4, 4, 32) },
			"few tokens":    func() { k.Attend(NewAttention(4), make([]float32, 5*32), make([]float32, (4+Pad)*96), 4, 5, 32) },
			"long text":     func() { k.Sum(NewAttention(4), make([]float32, 32), make([]float32, 33*32), 33) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("accepted")
					}
				}()
				call()
			})
		}
	})
}
