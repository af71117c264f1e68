package meaning

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// wholeFrom is the share of the library's passages that must be encoded before
// it is searched as a whole.
const wholeFrom = 0.99

// flat holds the vectors of the library's passages one behind the other.
type flat struct {
	mu     sync.RWMutex
	loaded bool // or being loaded; before that, nothing is put
	whole  bool // enough passages are here to search all by meaning
	at     map[evidence.PassageID]int
	shelf  []shelved
	pieces []embed.Vector
	gaps   int // pieces of passages that are gone
}

// shelved is a passage with its pieces from..to, at least one, which begin where
// those of the one before end; a passage that is gone has no id.
type shelved struct {
	id       evidence.PassageID
	digest   string
	from, to int
}

// open brings the vectors at hand that were stored before, once they are wanted, at the
// priority of a question, which may wait for them.
func (r *Reranker) open(ctx context.Context) {
	defer close(r.opened)
	for !r.Options().On {
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return
		}
	}
	f := &r.flat
	f.clear()
	err := r.Store.EachEncoded(ctx, r.Encoder.ID(), func(ids []evidence.PassageID, digests []string, packed [][]byte) error {
		made := make([]*encoded, len(packed))
		for i := range packed {
			made[i], _ = unpack(packed[i]) // one that is damaged counts as without vectors
		}
		f.put(ids, digests, made)
		return nil
	})
	var have, all int
	if err == nil {
		_, have, all, err = r.Store.Unencoded(ctx, r.Encoder.ID(), 0)
	}
	r.complain(ctx, "read encoded passages", err)
	f.covers(have, all)
}

// covers notes how much of the library is here.
func (f *flat) covers(have, all int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.whole = all > 0 && float64(have) >= wholeFrom*float64(all)
}

// clear makes room for all vectors: what is put from now on stays.
func (f *flat) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loaded, f.at, f.shelf, f.pieces, f.gaps = true, map[evidence.PassageID]int{}, nil, nil, 0
}

// put keeps passages of the library. Without a digest a passage is none.
func (f *flat) put(ids []evidence.PassageID, digests []string, made []*encoded) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.loaded {
		return
	}
	for i, id := range ids {
		if digests[i] == "" || made[i] == nil || len(made[i].vectors) == 0 {
			continue
		}
		f.remove(id)
		f.at[id] = len(f.shelf)
		from := len(f.pieces)
		f.pieces = append(f.pieces, made[i].vectors...)
		f.shelf = append(f.shelf, shelved{id, digests[i], from, len(f.pieces)})
	}
}

func (f *flat) drop(ids []evidence.PassageID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		f.remove(id)
	}
	if f.gaps > len(f.pieces)/4 {
		f.close()
	}
}

// remove wipes a passage and leaves a gap.
func (f *flat) remove(id evidence.PassageID) {
	i, known := f.at[id]
	if !known {
		return
	}
	p := &f.shelf[i]
	clear(f.pieces[p.from:p.to])
	f.gaps += p.to - p.from
	delete(f.at, id)
	p.id, p.digest = "", ""
}

// close moves all together again.
func (f *flat) close() {
	shelf, pieces := make([]shelved, 0, len(f.at)), make([]embed.Vector, 0, len(f.pieces)-f.gaps)
	for _, p := range f.shelf {
		if p.id == "" {
			continue
		}
		from := len(pieces)
		pieces = append(pieces, f.pieces[p.from:p.to]...)
		f.at[p.id] = len(shelf)
		shelf = append(shelf, shelved{p.id, p.digest, from, len(pieces)})
	}
	f.shelf, f.pieces, f.gaps = shelf, pieces, 0
}

// openWait is how long a question waits for vectors that were stored before.
const openWait = 10 * time.Second

// ready reports whether the vectors that were stored before are at hand, and waits
// for them.
func (r *Reranker) ready(ctx context.Context) bool {
	if !r.Options().On || !r.work.begun.Load() {
		return false
	}
	late := time.NewTimer(openWait)
	defer late.Stop()
	select {
	case <-r.opened:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}

// Whole tells whether the whole library can be searched by meaning.
func (r *Reranker) Whole(ctx context.Context) bool { return r.ready(ctx) && r.flat.isWhole() }

// Nearest gives the n nearest to a question of the passages of the library that are
// encoded, and behind them those of also, best first. whole is false while that is less
// than 99 % of the library. within restricts to texts of these digests; nil means all.
func (r *Reranker) Nearest(ctx context.Context, question string, within map[string]bool, also []evidence.PassageID, n int) (hits []rank.Hit, whole bool) {
	if !r.ready(ctx) {
		return nil, false
	}
	defer r.Hold()()
	asked, ok := r.question(ctx, question)
	if !ok {
		return nil, false
	}
	hits = r.flat.nearest(r.Encoder.Distinct(asked), within, also, n)
	for i := range hits {
		hits[i].Score = r.Encoder.NearnessOf(hits[i].Score)
	}
	return hits, r.flat.isWhole() && ctx.Err() == nil
}

func (f *flat) isWhole() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.whole
}

func (f *flat) nearest(asked embed.Vector, within map[string]bool, also []evidence.PassageID, n int) []rank.Hit {
	f.mu.RLock()
	defer f.mu.RUnlock()
	workers := max(1, min(runtime.GOMAXPROCS(0), len(f.shelf)/2048))
	parts := make([][]rank.Hit, workers)
	var scans sync.WaitGroup
	for w := range workers {
		scans.Go(func() {
			parts[w] = f.scan(asked, within, f.shelf[len(f.shelf)*w/workers:len(f.shelf)*(w+1)/workers], n)
		})
	}
	scans.Wait()
	hits := bestOf(slices.Concat(parts...), n)
	found := map[evidence.PassageID]bool{}
	for _, h := range hits {
		found[h.ID] = true
	}
	for _, id := range also {
		if i, known := f.at[id]; known && !found[id] {
			hits = append(hits, rank.Hit{ID: id, Score: f.cosines(asked, f.shelf[i:i+1])[0]})
		}
	}
	return bestOf(hits, len(hits))
}

// scan gives the n best of a part of the shelf. It collects twice as many and
// cuts back, which costs less than a heap.
func (f *flat) scan(asked embed.Vector, within map[string]bool, part []shelved, n int) []rank.Hit {
	list := make([]rank.Hit, 0, 2*n+1)
	floor := -2.0
	for group := range slices.Chunk(part, scanned) {
		for i, cos := range f.cosines(asked, group) {
			p := group[i]
			if cos <= floor || p.id == "" || within != nil && !within[p.digest] {
				continue
			}
			if list = append(list, rank.Hit{ID: p.id, Score: cos}); len(list) > 2*n {
				list = bestOf(list, n)
				floor = list[len(list)-1].Score
			}
		}
	}
	return bestOf(list, n)
}

// scanned is how many passages are compared at a time.
const scanned = 1024

// cosines are the greatest of the pieces of each passage, for passages that stand
// one behind the other. What is gone is not near.
func (f *flat) cosines(asked embed.Vector, group []shelved) []float64 {
	from := group[0].from
	all := make([]float64, group[len(group)-1].to-from)
	asked.Cosines(all, f.pieces[from:][:len(all)])
	best := make([]float64, len(group))
	for i, p := range group {
		best[i] = slices.Max(all[p.from-from : p.to-from])
	}
	return best
}

func bestOf(hits []rank.Hit, n int) []rank.Hit {
	slices.SortFunc(hits, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(n, len(hits))]
}

// Forget drops the vectors of passages that were removed from the library.
func (r *Reranker) Forget(ids []evidence.PassageID) {
	r.recall.drop(ids)
	r.flat.drop(ids)
}
