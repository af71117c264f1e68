package index

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"

	"footnote/backend/embed/simd"
	"footnote/backend/evidence"
	"footnote/backend/library"
)

// flatStore holds vectors as two bytes a component: the first alone is scanned,
// both together are exact to about 1e-5 and decide among the best. Vectors that
// the first bytes tell exactly, as stored ones are, have no second. They stand in
// slabs, so that a library that grows never holds a copy of all.
type flatStore struct {
	dim     int
	places  places
	digests []string // of the file, by place
	coarse  [][]int8 // component = scale × (coarse + fine / fineSteps)
	fine    [][]int8 // nil while all are zero
	scale   []float32
}

const (
	fineSteps = 254
	rescored  = 200  // candidates of the scan that are compared exactly, at least
	slab      = 1024 // vectors in one piece of memory
)

func newFlatStore(dim int) *flatStore {
	return &flatStore{dim: dim}
}

// row is a vector's place in its slab.
func (s *flatStore) row(slabs [][]int8, i int) []int8 {
	return slabs[i/slab][i%slab*s.dim:][:s.dim]
}

// put keeps a vector at unit length; length is the one it has.
func (s *flatStore) put(id evidence.PassageID, digest string, vector []float32, length float64) {
	i := s.place(id, digest)
	scale, exact := quantise(s.row(s.coarse, i), vector)
	if exact {
		s.putScale(i)
		return
	}
	s.scale[i] = float32(float64(scale) / length)
	refine(s.fineRow(i), s.row(s.coarse, i), vector, scale)
}

// putSteps keeps a vector in whole steps at unit length.
func (s *flatStore) putSteps(id evidence.PassageID, digest string, steps []int8) {
	i := s.place(id, digest)
	copy(s.row(s.coarse, i), steps)
	s.putScale(i)
}

// putScale makes whole steps a vector of unit length: of one that came as numbers, the
// same to the bit as of one that came in steps.
func (s *flatStore) putScale(i int) {
	var squares [1]int32
	steps := s.row(s.coarse, i)
	simd.Dots(squares[:], steps, steps, s.dim)
	s.scale[i] = float32(1 / math.Sqrt(float64(squares[0])))
	if s.fine != nil {
		clear(s.fineRow(i))
	}
}

// fineRow is where the second bytes of a vector stand.
func (s *flatStore) fineRow(i int) []int8 {
	for len(s.fine) < len(s.coarse) {
		s.fine = append(s.fine, make([]int8, slab*s.dim))
	}
	return s.row(s.fine, i)
}

// place is where the vector of a passage stands, or is to.
func (s *flatStore) place(id evidence.PassageID, digest string) int {
	i, known := s.places.findOrAdd(id)
	if !known {
		s.digests, s.scale = append(s.digests, digest), append(s.scale, 0)
		if i/slab == len(s.coarse) {
			s.coarse = append(s.coarse, make([]int8, slab*s.dim))
		}
	}
	s.digests[i] = digest
	return i
}

// quantise rounds a vector to coarse times the scale it gives. It tells whether
// nothing is left for second bytes.
func quantise(coarse []int8, v []float32) (scale float32, exact bool) {
	const sign = 1 << 31
	top := uint32(0) // the bits of numbers without a sign are in order as they are
	for _, x := range v {
		top = max(top, math.Float32bits(x)&^sign)
	}
	const rounder = 3 << 22 // what is added to it loses its fraction
	scale = max(math.Float32frombits(top), 1e-30) / 127
	most, inverse := uint32(0), 1/scale
	coarse = coarse[:len(v)]
	for i, x := range v {
		q := float32(x * inverse)
		whole := float32(q+rounder) - rounder
		coarse[i] = int8(whole)
		most = max(most, math.Float32bits(q-whole)&^sign)
	}
	return scale, math.Float32frombits(most) < 0.5/fineSteps
}

// refine sets the second bytes.
func refine(fine, coarse []int8, v []float32, scale float32) {
	for i, x := range v {
		fine[i] = int8(math.Round((float64(x/scale) - float64(coarse[i])) * fineSteps))
	}
}

// drop moves the last vector into the gap.
func (s *flatStore) drop(id evidence.PassageID) {
	i, last := s.places.drop(id), s.places.count()
	copy(s.row(s.coarse, i), s.row(s.coarse, last))
	if s.fine != nil {
		copy(s.row(s.fine, i), s.row(s.fine, last))
	}
	s.digests[i], s.scale[i] = s.digests[last], s.scale[last]
	s.digests[last] = ""
	s.digests, s.scale = s.digests[:last], s.scale[:last]
	slabs := (last + slab - 1) / slab
	s.coarse, s.fine = s.coarse[:slabs], s.fine[:min(slabs, len(s.fine))]
}

// cosine is exact to about 1e-5.
func (s *flatStore) cosine(id evidence.PassageID, unit []float32) (c float64, known bool) {
	at, known := s.places.find(id)
	if known {
		c = s.exact(at, unit)
	}
	return c, known
}

func (s *flatStore) exact(i int, unit []float32) float64 {
	coarse := s.row(s.coarse, i)
	var sum float32
	for j, x := range unit {
		sum += x * float32(coarse[j])
	}
	if s.fine != nil {
		for j, q := range s.row(s.fine, i) {
			sum += unit[j] * float32(q) / fineSteps
		}
	}
	return float64(sum * s.scale[i])
}

// nearest scans all vectors on all cores and compares the best exactly.
func (s *flatStore) nearest(ctx context.Context, unit []float32, within map[string]bool, n int) ([]library.Hit, error) {
	question := make([]int8, s.dim)
	quantise(question, unit)
	workers := max(1, min(runtime.GOMAXPROCS(0), len(s.coarse)/4))
	keep := max(rescored, 2*n)
	found := make([][]near, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			found[w] = s.scan(ctx, question, within, len(s.coarse)*w/workers, len(s.coarse)*(w+1)/workers, keep)
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	best := front(slices.Concat(found...), keep, near.before)
	hits := make([]library.Hit, len(best))
	for i, b := range best {
		hits[i] = library.Hit{ID: s.places.id(b.at), Score: s.exact(b.at, unit)}
	}
	sortHits(hits)
	return hits[:min(n, len(hits))], nil
}

type near struct {
	at    int
	score float32
}

func (a near) before(b near) bool { return a.score > b.score }

// scan gives about the keep best of the vectors in slabs from..to by their coarse
// parts. It collects twice as many and cuts back, which costs less than a heap.
func (s *flatStore) scan(ctx context.Context, question []int8, within map[string]bool, from, to, keep int) []near {
	list := make([]near, 0, 2*keep)
	floor := float32(math.Inf(-1))
	var products [slab]int32
	for ; from < to; from++ {
		if ctx.Err() != nil {
			return nil
		}
		first := from * slab
		part := products[:min(slab, s.places.count()-first)]
		simd.Dots(part, question, s.coarse[from], s.dim)
		for i, product := range part {
			score := float32(product) * s.scale[first+i]
			if score <= floor || within != nil && !within[s.digests[first+i]] {
				continue
			}
			list = append(list, near{first + i, score})
			if len(list) == cap(list) {
				list = front(list, keep, near.before)
				floor = list[keep-1].score
			}
		}
	}
	return list
}
