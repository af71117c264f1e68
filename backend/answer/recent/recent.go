// Package recent keeps results for some minutes under the digest of what they depend on.
package recent

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
)

const most = 64 // results that are kept, where nobody says how many

// Digest names what a kept result depends on.
type Digest [32]byte

// DigestOf is the digest of values as JSON. They are structs of plain fields, so
// there is nothing that JSON cannot say.
func DigestOf(values ...any) Digest {
	b, err := json.Marshal(values)
	if err != nil {
		b = fmt.Appendf(nil, "%#v", values)
	}
	return sha256.Sum256(b)
}

// Values keeps results for some minutes, the last ones only. The zero value is
// ready. Safe for concurrent use.
type Values[T any] struct {
	Most  int // kept at a time; 0 = most
	mu    sync.Mutex
	by    map[Digest]aged[T]
	order []Digest // as they were put, oldest first
}

type aged[T any] struct {
	value T
	since time.Time
}

// Get gives what was put under a name less than keep ago.
func (r *Values[T]) Get(name Digest, now time.Time, keep time.Duration) (value T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.by[name]
	if !ok || now.Sub(a.since) >= keep {
		return value, false
	}
	return a.value, true
}

// Put keeps a value under a name.
func (r *Values[T]) Put(name Digest, now time.Time, value T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[Digest]aged[T]{}
	}
	if _, again := r.by[name]; again {
		r.order = slices.DeleteFunc(r.order, func(d Digest) bool { return d == name })
	}
	r.by[name], r.order = aged[T]{value, now}, append(r.order, name)
	for left := cmp.Or(r.Most, most); len(r.order) > left; r.order = r.order[1:] {
		delete(r.by, r.order[0])
	}
}
