package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
)

// smallLibrary is the number of vectors up to which chromem holds them; beyond
// it the flat scan is faster by an order and takes half the memory.
const smallLibrary = 20_000

// vectors holds the vectors of passages, in memory only. It starts small and
// moves to the flat scan once; it does not move back.
type vectors struct {
	mu    sync.RWMutex
	dim   int
	files map[evidence.PassageID]string // digest of each passage in small
	small *chromemStore                 // nil once flat took over
	flat  *flatStore
}

func newVectors() *vectors {
	return &vectors{files: map[evidence.PassageID]string{}, small: newChromemStore()}
}

func (v *vectors) count() int {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.size()
}

func (v *vectors) size() int {
	if v.flat != nil {
		return v.flat.places.count()
	}
	return len(v.files)
}

func (v *vectors) has(id evidence.PassageID) bool {
	if v.flat != nil {
		_, known := v.flat.places.find(id)
		return known
	}
	_, known := v.files[id]
	return known
}

// put keeps a copy of vector, scaled to unit length. The first one sets the
// dimension for all.
func (v *vectors) put(id evidence.PassageID, digest string, vector []float32) error {
	length, err := lengthOf(vector)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.expect(id, len(vector)); err != nil {
		return err
	}
	if v.flat != nil {
		v.flat.put(id, digest, vector, length)
		return nil
	}
	if err := v.small.put(id, scaled(vector, length)); err != nil {
		return err
	}
	v.files[id] = digest
	return nil
}

// putSteps keeps a vector just as put keeps the numbers that it stands for.
func (v *vectors) putSteps(id evidence.PassageID, digest string, vector quantize.Steps) error {
	v.mu.Lock()
	if v.flat == nil {
		v.mu.Unlock()
		return v.put(id, digest, vector.Vector())
	}
	defer v.mu.Unlock()
	if vector.IsNowhere() || vector.Of == nil {
		return fmt.Errorf("vector of %d dimensions has no direction", len(vector.Of))
	}
	if err := v.expect(id, len(vector.Of)); err != nil {
		return err
	}
	v.flat.putSteps(id, digest, vector.Of)
	return nil
}

// expect makes room for a vector of so many dimensions.
func (v *vectors) expect(id evidence.PassageID, dim int) error {
	if v.size() == 0 {
		v.dim = dim
	}
	if dim != v.dim {
		return fmt.Errorf("vector has %d dimensions, the index %d", dim, v.dim)
	}
	if v.small != nil && len(v.files) >= smallLibrary && !v.has(id) {
		return v.grow()
	}
	return nil
}

// grow moves all vectors to the flat scan.
func (v *vectors) grow() error {
	flat := newFlatStore(v.dim)
	for id, digest := range v.files {
		unit, err := v.small.get(id)
		if err != nil {
			return err
		}
		flat.put(id, digest, unit, 1)
	}
	v.small, v.flat, v.files = nil, flat, nil
	return nil
}

func (v *vectors) drop(ctx context.Context, ids []evidence.PassageID) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, id := range ids {
		if !v.has(id) {
			continue
		}
		if v.flat != nil {
			v.flat.drop(id)
			continue
		}
		delete(v.files, id)
		if err := v.small.drop(ctx, id); err != nil {
			return err
		}
	}
	if v.size() == 0 { // the next vector may have another dimension
		v.reset()
	}
	return nil
}

func (v *vectors) reset() {
	v.files, v.small, v.flat = map[evidence.PassageID]string{}, newChromemStore(), nil
}

// ResetVectors forgets all vectors; the next one sets the dimension anew.
func (x *Index) ResetVectors() {
	v := x.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.reset()
}

// Vectors gives the passages nearest to vector, best cosine first. A vector of
// another dimension than the index has is an error.
func (x *Index) Vectors(ctx context.Context, vector []float32, within map[string]bool, n int) (hits []library.Hit, err error) {
	defer recovered("search vectors", &err)
	return x.vectors.nearest(ctx, vector, within, n)
}

func (v *vectors) nearest(ctx context.Context, vector []float32, within map[string]bool, n int) ([]library.Hit, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if n <= 0 || v.size() == 0 || vector == nil || within != nil && len(within) == 0 {
		return nil, ctx.Err()
	}
	unit, err := unitVector(vector)
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	if len(unit) != v.dim {
		return nil, fmt.Errorf("search vectors: question has %d dimensions, the index %d", len(unit), v.dim)
	}
	if v.flat != nil {
		return v.flat.nearest(ctx, unit, within, n)
	}
	inScope := func(id evidence.PassageID) bool { return within == nil || within[v.files[id]] }
	return v.small.nearest(ctx, unit, inScope, within != nil, n)
}

// Cosines gives the cosines of vector and the passages among ids that have one.
// Fusion asks it for what only words found.
func (x *Index) Cosines(vector []float32, ids []evidence.PassageID) (map[evidence.PassageID]float64, error) {
	unit, err := unitVector(vector)
	if err != nil {
		return nil, fmt.Errorf("compare vectors: %w", err)
	}
	v := x.vectors
	v.mu.RLock()
	defer v.mu.RUnlock()
	out := make(map[evidence.PassageID]float64, len(ids))
	for _, id := range ids {
		if len(unit) != v.dim || v.small != nil && !v.has(id) {
			continue
		}
		if v.flat != nil {
			if c, known := v.flat.cosine(id, unit); known {
				out[id] = c
			}
			continue
		}
		other, err := v.small.get(id)
		if err != nil {
			return nil, err
		}
		out[id] = dot(unit, other)
	}
	return out, nil
}

// Digests tells of which files those passages are that have a vector.
func (x *Index) Digests(ids []evidence.PassageID) map[evidence.PassageID]string {
	v := x.vectors
	v.mu.RLock()
	defer v.mu.RUnlock()
	digests := make(map[evidence.PassageID]string, len(ids))
	for _, id := range ids {
		if v.flat == nil {
			if digest, known := v.files[id]; known {
				digests[id] = digest
			}
		} else if at, known := v.flat.places.find(id); known {
			digests[id] = v.flat.digests[at]
		}
	}
	return digests
}

// unitVector copies v at unit length.
func unitVector(v []float32) ([]float32, error) {
	length, err := lengthOf(v)
	if err != nil {
		return nil, err
	}
	return scaled(v, length), nil
}

// lengthOf is an error when there is no length, or one that is not finite.
func lengthOf(v []float32) (float64, error) {
	length := math.Sqrt(dot(v, v))
	if !(length > 0) || math.IsInf(length, 0) {
		return 0, fmt.Errorf("vector of %d dimensions has no direction", len(v))
	}
	return length, nil
}

func scaled(v []float32, length float64) []float32 {
	unit := slices.Clone(v)
	for i := range unit {
		unit[i] = float32(float64(unit[i]) / length)
	}
	return unit
}

func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0) + float64(s1) + float64(s2) + float64(s3)
}
