package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/store/quantize"
)

func randomVector(rnd *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rnd.NormFloat64())
	}
	return v
}

func everything(evidence.PassageID) bool { return true }

func TestFlatScanFindsWhatChromemFinds(t *testing.T) {
	ctx, rnd := context.Background(), rand.New(rand.NewPCG(3, 4))
	small, flat := newChromemStore(), newFlatStore(64)
	for i := range 3000 {
		id := evidence.PassageID(fmt.Sprintf("psg_%d", i))
		unit, err := unitVector(randomVector(rnd, 64))
		if err != nil {
			t.Fatal(err)
		}
		if err := small.put(id, unit); err != nil {
			t.Fatal(err)
		}
		flat.put(id, "d", unit, 1)
	}
	for range 20 {
		q, _ := unitVector(randomVector(rnd, 64))
		want, err := small.nearest(ctx, q, everything, false, 20)
		if err != nil {
			t.Fatal(err)
		}
		got, err := flat.nearest(ctx, q, nil, 20)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(got[i].Score-want[i].Score) > 1e-4 {
				t.Fatalf("place %d: %v, chromem %v", i, got[i], want[i])
			}
		}
	}
}

func TestFlatStoreReplacesAndDrops(t *testing.T) {
	s := newFlatStore(2)
	s.put("a", "d", []float32{1, 0}, 1)
	s.put("b", "d", []float32{0, 1}, 1)
	s.put("c", "d", []float32{0.6, 0.8}, 1)
	s.drop("a")
	s.put("b", "d", []float32{1, 0}, 1)
	hits, err := s.nearest(context.Background(), []float32{1, 0}, nil, 5)
	if err != nil || len(hits) != 2 || hits[0].ID != "b" || hits[1].ID != "c" {
		t.Fatalf("%v, %v", hits, err)
	}
	if c, known := s.cosine("c", []float32{1, 0}); !known || math.Abs(c-0.6) > 1e-4 {
		t.Errorf("cosine is %v", c)
	}
}

func TestVectorsMoveToTheFlatScanUnnoticed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	v := newVectors()
	for i := range smallLibrary + 50 {
		if err := v.put(evidence.PassageID(fmt.Sprintf("psg_%d", i)), fmt.Sprint("f", i%10), randomVector(rnd, 8)); err != nil {
			t.Fatal(err)
		}
	}
	if v.flat == nil || v.count() != smallLibrary+50 {
		t.Fatalf("flat %v, %d vectors", v.flat != nil, v.count())
	}
	hits, err := v.nearest(context.Background(), randomVector(rnd, 8), map[string]bool{"f3": true}, 7)
	if err != nil || len(hits) != 7 {
		t.Fatalf("%v, %v", hits, err)
	}
	for _, h := range hits {
		if at, known := v.flat.places.find(h.ID); !known || v.flat.digests[at] != "f3" {
			t.Errorf("%s is out of scope", h.ID)
		}
	}
	if err := v.drop(context.Background(), []evidence.PassageID{hits[0].ID}); err != nil || v.count() != smallLibrary+49 {
		t.Errorf("%d vectors, %v", v.count(), err)
	}
}

// A vector in steps is held as one whose numbers they are, in a small library, in a large
// one, and beside vectors that have second bytes.
func TestVectorsInStepsAreHeldAsTheirNumbers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for name, with := range map[string]func(*vectors){
		"small": func(*vectors) {}, "large": func(v *vectors) { v.small, v.flat, v.files, v.dim = nil, newFlatStore(64), nil, 64 },
		"large and exact": func(v *vectors) {
			v.small, v.flat, v.files, v.dim = nil, newFlatStore(64), nil, 64
			if err := v.put("psg_exact", "d", randomVector(rand.New(rand.NewPCG(13, 14)), 64)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		numbers, inSteps := newVectors(), newVectors()
		with(numbers)
		with(inSteps)
		for i := range 300 {
			id, steps, vector := evidence.PassageID(fmt.Sprint("psg_", i%200)), make([]int8, 64), make([]float32, 64) // some twice
			for k := range steps {
				steps[k] = int8(rnd.IntN(255) - 127)
				if k == 0 {
					steps[k] = 127 // the largest of what is kept
				}
				vector[k] = float32(steps[k]) * 0.01
			}
			if err := errors.Join(numbers.put(id, "d", vector), inSteps.putSteps(id, "d", quantize.Steps{Of: steps, Scale: 0.01})); err != nil {
				t.Fatal(err)
			}
		}
		q := randomVector(rnd, 64)
		want, err := numbers.nearest(t.Context(), q, nil, 200)
		if err != nil {
			t.Fatal(err)
		}
		got, err := inSteps.nearest(t.Context(), q, nil, 200)
		if err != nil || len(got) != len(want) || len(got) < 200 {
			t.Fatalf("%s: %d of %d, %v", name, len(got), len(want), err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: place %d is %v, want %v", name, i, got[i], want[i])
			}
		}
	}
	v := newVectors()
	if v.putSteps("psg_a", "d", quantize.Steps{Of: []int8{0, 0}}) == nil || v.putSteps("psg_a", "d", quantize.Steps{}) == nil {
		t.Error("steps without a direction are accepted")
	}
	if v.putSteps("psg_a", "d", quantize.Steps{Of: []int8{1, 0}}) != nil || v.putSteps("psg_b", "d", quantize.Steps{Of: []int8{1, 0, 0}}) == nil {
		t.Error("two dimensions in one index")
	}
}

func BenchmarkPutStored100k(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	ids, digests, steps := make([]evidence.PassageID, 100_000), make([]string, 100_000), make([]quantize.Steps, 100_000)
	for i := range ids {
		ids[i], digests[i], steps[i] = evidence.NewPassageID("d", i, i+1), fmt.Sprint(i/20), quantize.Steps{Of: make([]int8, 256)}
		for k := range steps[i].Of {
			steps[i].Of[k] = int8(rnd.IntN(255) - 127)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		x := &Index{vectors: newVectors()}
		if err := x.PutStored(b.Context(), ids, digests, steps); err != nil {
			b.Fatal(err)
		}
	}
}

func TestVectorsWithoutDirectionAreRefused(t *testing.T) {
	v := newVectors()
	nan := float32(math.NaN())
	for _, bad := range [][]float32{{}, {0, 0}, {nan, 1}, {float32(math.Inf(1)), 0}} {
		if v.put("psg_a", "d", bad) == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	if err := v.put("psg_a", "d", []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	if v.put("psg_b", "d", []float32{1, 0, 0}) == nil {
		t.Error("two dimensions in one index")
	}
}

func TestCosinesOfAskedPassages(t *testing.T) {
	x := openAt(t, t.TempDir())
	ids := []evidence.PassageID{"psg_a", "psg_b"}
	if err := x.PutVectors(context.Background(), ids, []string{"d", "d"}, [][]float32{{1, 0}, nil}); err != nil {
		t.Fatal(err)
	}
	got, err := x.Cosines([]float32{3, 4}, ids)
	if err != nil || len(got) != 1 || math.Abs(got["psg_a"]-0.6) > 1e-6 {
		t.Errorf("%v, %v", got, err)
	}
}

func BenchmarkFlatScan100k(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	s := newFlatStore(256)
	unit, _ := unitVector(randomVector(rnd, 256))
	for i := range 100_000 {
		unit[i%256] += 0.1
		s.put(evidence.PassageID(fmt.Sprint(i)), "d", unit, 1)
	}
	b.ResetTimer()
	for range b.N {
		if _, err := s.nearest(context.Background(), unit, nil, 200); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkChromem20k(b *testing.B) {
	rnd := rand.New(rand.NewPCG(7, 8))
	s := newChromemStore()
	for i := range smallLibrary {
		unit, _ := unitVector(randomVector(rnd, 256))
		if err := s.put(evidence.PassageID(fmt.Sprint(i)), unit); err != nil {
			b.Fatal(err)
		}
	}
	q, _ := unitVector(randomVector(rnd, 256))
	b.ResetTimer()
	for range b.N {
		if _, err := s.nearest(context.Background(), q, everything, false, 200); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFrontKeepsTheBestAndEndsWithTheWorstOfThem(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for size := range 40 {
		for n := 1; n <= size; n++ {
			list := make([]near, size)
			for i := range list {
				list[i] = near{i, float32(rnd.IntN(12))}
			}
			want := slices.SortedFunc(slices.Values(list), func(a, b near) int { return cmp.Compare(b.score, a.score) })
			got := front(list, n, near.before)
			if n < size && got[n-1].score != want[n-1].score {
				t.Fatalf("the last of %d among %d scores %v, want %v", n, size, got[n-1].score, want[n-1].score)
			}
			slices.SortFunc(got, func(a, b near) int { return cmp.Compare(b.score, a.score) })
			for i := range got {
				if got[i].score != want[i].score {
					t.Fatalf("%v, want the scores of %v", got, want[:n])
				}
			}
		}
	}
}

func TestFlatStoreKeepsSecondBytesOnlyWhereTheyTellSomething(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	v := randomVector(rnd, 64)
	scale, _ := quantise(make([]int8, 64), v)
	stored := make([]float32, 64)
	coarse := make([]int8, 64)
	quantise(coarse, v)
	for i, q := range coarse {
		stored[i] = float32(q) * scale
	}
	s := newFlatStore(64)
	length, err := lengthOf(stored)
	if err != nil {
		t.Fatal(err)
	}
	if s.put("psg_stored", "d", stored, length); s.fine != nil {
		t.Error("a vector of one byte a component was given a second")
	}
	if got := s.exact(0, scaled(stored, length)); math.Abs(got-1) > 1e-6 {
		t.Errorf("its product with itself is %v", got)
	}
	length, _ = lengthOf(v)
	if s.put("psg_exact", "d", v, length); s.fine == nil {
		t.Error("a vector that one byte does not tell has no second")
	}
	if got := s.exact(1, scaled(v, length)); math.Abs(got-1) > 1e-5 {
		t.Errorf("its product with itself is %v", got)
	}
}
