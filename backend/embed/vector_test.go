package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func someVector(seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 9))
	v := make([]float32, Dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func TestDotIsTheCosine(t *testing.T) {
	a, b := someVector(1), someVector(2)
	want := cosine(a, b) / math.Sqrt(cosine(a, a)*cosine(b, b))
	if got := Dot(newVector(a), newVector(b)); math.Abs(got-want) > 0.003 {
		t.Errorf("cosine is %v, want %v", got, want)
	}
	if got := Dot(newVector(a), newVector(a)); math.Abs(got-1) > 1e-6 {
		t.Errorf("cosine with itself is %v", got)
	}
	if Dot(newVector(a), Vector{}) != 0 || newVector(make([]float32, Dim)) != (Vector{}) {
		t.Error("the zero vector is near something")
	}
}

func TestCosinesAreThoseOfDot(t *testing.T) {
	asked := newVector(someVector(5))
	vectors := make([]Vector, 700)
	for i := range vectors[1:] {
		vectors[i+1] = newVector(someVector(uint64(100 + i)))
	}
	for _, n := range []int{0, 1, 256, 257, 700} {
		got := make([]float64, n)
		asked.Cosines(got, vectors[:n])
		for i, v := range vectors[:n] {
			if want := Dot(asked, v); got[i] != want || math.Abs(got[i]) > 1 {
				t.Errorf("%d of %d: %v, want %v", i, n, got[i], want)
			}
		}
	}
}

func TestStoredVectorsComeBack(t *testing.T) {
	v := newVector(someVector(3))
	data, err := v.AppendBinary([]byte("head"))
	if err != nil || len(data) != 4+VectorSize {
		t.Fatalf("%d bytes, error %v", len(data), err)
	}
	var back Vector
	if err := back.UnmarshalBinary(data[4:]); err != nil || back != v {
		t.Errorf("another vector comes back, error %v", err)
	}
}

func TestBytesThatAreNoVectorAreRefused(t *testing.T) {
	v := newVector(someVector(4))
	for name, scale := range map[string]float32{"not a number": float32(math.NaN()), "negative": -1, "infinite": float32(math.Inf(1))} {
		v.Scale = scale
		data, err := v.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if new(Vector).UnmarshalBinary(data) == nil {
			t.Errorf("scale %s: accepted", name)
		}
	}
	for _, size := range []int{0, VectorSize - 1, VectorSize + 1} {
		if new(Vector).UnmarshalBinary(make([]byte, size)) == nil {
			t.Errorf("%d bytes: accepted", size)
		}
	}
}
