package quantize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// falling is a vector whose components get smaller, as the embedder's do.
func falling(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64() / math.Sqrt(float64(i+4)))
	}
	return v
}

func cosineOf(a, b []float32) float64 {
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestCoarseVectorsComeBackAsTheyWereSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{1, 2, 15, 16, 17, 48, 49, 100, 256, 384} {
		vectors := [][]float32{nil}
		var before [][]float32
		for range 9 {
			v := falling(r, dim)
			vectors, before = append(vectors, v), append(before, slices.Clone(v))
		}
		vectors = append(vectors, make([]float32, dim)) // without a direction
		packed := Coarse(vectors)
		back, err := Unpack(packed, len(vectors))
		if err != nil {
			t.Fatal(err)
		}
		if back[0].Vector() != nil || back[len(back)-1].Vector() != nil {
			t.Errorf("dimension %d: a vector where there is none", dim)
		}
		for i, v := range vectors[1 : len(vectors)-1] {
			if !slices.Equal(back[i+1].Vector(), v) || back[i+1].IsNowhere() {
				t.Errorf("dimension %d: %v came back as %v", dim, v, back[i+1])
			}
			if c := cosineOf(v, before[i]); c < 0.995 {
				t.Errorf("dimension %d: cosine %f with what was packed", dim, c)
			}
			squares := 0.0
			for _, x := range v {
				squares += float64(x) * float64(x)
			}
			if math.Abs(squares-1) > 1e-5 {
				t.Errorf("dimension %d: squares add up to %f", dim, squares)
			}
		}
		if dim == 256 && len(packed) > len(vectors)*150 {
			t.Errorf("%d bytes for %d vectors", len(packed), len(vectors))
		}
	}
}

// The flat scan holds a vector in one byte a component where each is a whole
// number of 127th parts of the largest.
func TestCoarseVectorsAreWholeSteps(t *testing.T) {
	v := falling(rand.New(rand.NewPCG(3, 4)), 256)
	Coarse([][]float32{v})
	top := max(slices.Max(v), -slices.Min(v))
	for i, x := range v {
		steps := float64(x) * 127 / float64(top)
		if math.Abs(steps-math.Round(steps)) > 1e-3 {
			t.Errorf("component %d is %f steps", i, steps)
		}
	}
}

func TestRowsOfEitherFormAreRead(t *testing.T) {
	for name, pack := range map[string]func([][]float32) []byte{"bytes": Bytes, "coarse": Coarse} {
		vectors := [][]float32{{3, 4}, nil, {0, 1}}
		back, err := Unpack(pack(vectors), 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			if !slices.Equal(back[i].Vector(), v) || back[i].IsNowhere() {
				t.Errorf("%s: %v came back as %v", name, v, back[i])
			}
		}
		if _, err := Unpack(pack(vectors)[:5], 3); err == nil {
			t.Errorf("%s: a row that was cut was read", name)
		}
	}
}

func TestStepsOfNoDirectionOrLengthAreTold(t *testing.T) {
	for _, s := range []Steps{{Of: []int8{0, 0}}, {Of: []int8{}, Scale: 1}, {Of: []int8{1}, Scale: -1}, {Of: []int8{1}, Scale: float32(math.Inf(1))}, {Of: []int8{1}, Scale: float32(math.NaN())}} {
		if !s.IsNowhere() {
			t.Errorf("%v is taken for a vector", s)
		}
	}
}

func BenchmarkUnpackCoarse(b *testing.B) {
	r, vectors := rand.New(rand.NewPCG(5, 6)), make([][]float32, 64)
	for i := range vectors {
		vectors[i] = falling(r, 256)
	}
	packed := Coarse(vectors)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unpack(packed, len(vectors)); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(Bytes([][]float32{{0.5, -1}, nil}), 2)
	f.Add(Coarse([][]float32{{0.5, -1}, nil}), 2)
	f.Add([]byte{2, 1, 2, 3, 4, 5, 6}, 1)
	f.Fuzz(func(t *testing.T, data []byte, count int) {
		vectors, err := Unpack(data, count)
		if err == nil && len(vectors) > 8*len(data) {
			t.Errorf("%d vectors of %d bytes", len(vectors), len(data))
		}
	})
}
