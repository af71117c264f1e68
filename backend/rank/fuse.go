package rank

import (
	"cmp"
	"slices"

	"footnote/backend/evidence"
)

// Weights of words against vectors. Measured on SciFact, CACM and XQuAD.
const (
	s1Words = 0.6
	s2Words = 0.35
	rrfK    = 60
)

// S1 is the score of the recall list: bm is BM25 divided by the best BM25 of the
// question, cos the raw cosine of the static vectors.
func S1(bm, cos float64) float64 { return s1Words*bm + (1-s1Words)*cos }

// S2 orders the head of the recall list by the nearness that the sentence encoder finds,
// which reads any language.
func S2(bm, near float64) float64 { return s2Words*bm + (1-s2Words)*near }

// Hit is a passage with the raw score of one method.
type Hit struct {
	ID    evidence.PassageID
	Score float64
}

// Fused is a passage with what both methods know of it. Vector is false when no
// vector spoke for it, Encoded is true when the cosine is the sentence encoder's;
// Score is what the order goes by.
type Fused struct {
	ID      evidence.PassageID
	BM25    float64
	Cosine  float64
	Vector  bool
	Encoded bool
	Boost   float64
	Score   float64
}

// Fusion says how FuseHits joins the two lists. The zero value is the weighted
// sum S1, measured better than reciprocal ranks.
type Fusion struct {
	Reciprocal bool
	K          int  // of reciprocal ranks; 0 = 60
	Encoded    bool // the vectors are the sentence encoder's: the weighted sum is S2
	Boost      func(evidence.PassageID) float64
}

func (f Fusion) sum(bm, cos float64) float64 {
	if f.Encoded {
		return S2(bm, cos)
	}
	return S1(bm, cos)
}

// FuseHits joins the hits of words and of vectors, each best first, into one
// list, best first. With the gate WordsOnly the vectors of the index are left out. A passage that
// words found and vectors did not takes the lowest cosine of the list: it is at
// most that near. Ties go by id.
func FuseHits(gate Gate, words, vectors []Hit, f Fusion) []Fused {
	if gate == WordsOnly && !f.Encoded {
		vectors = nil
	}
	fused := join(words, vectors)
	if f.Reciprocal {
		reciprocal(fused, words, vectors, f.K)
	} else {
		weighted(fused, len(vectors) > 0, f)
	}
	for i := range fused {
		fused[i].Encoded = f.Encoded && fused[i].Vector
		if f.Boost != nil {
			fused[i].Boost = f.Boost(fused[i].ID)
			fused[i].Score += fused[i].Boost
		}
	}
	slices.SortFunc(fused, byScore)
	return fused
}

func byScore(a, b Fused) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

// Reorder puts what the sentence encoder has a cosine of before the rest of a list
// that FuseHits made, in the order of S2. The rest keeps its order and takes no score
// above theirs. The list itself is left as it is.
func Reorder(fused []Fused, cosines map[evidence.PassageID]float64) []Fused {
	var head, rest []Fused
	best := bestWords(fused)
	for _, f := range fused {
		cos, has := cosines[f.ID]
		if !has {
			rest = append(rest, f)
			continue
		}
		f.Cosine, f.Vector, f.Encoded = cos, true, true
		f.Score = S2(share(f.BM25, best), cos) + f.Boost
		head = append(head, f)
	}
	slices.SortFunc(head, byScore)
	for i := range rest {
		if len(head) > 0 {
			rest[i].Score = min(rest[i].Score, head[len(head)-1].Score)
		}
	}
	return append(head, rest...)
}

// WithNear adds what is near to a question, best first, to the first n of a list that
// FuseHits made, at most as much again; the rest of the list stands behind.
func WithNear(fused []Fused, near []Hit, n int) (all []Fused, first int) {
	n = min(n, len(fused))
	all = slices.Clone(fused[:n])
	at := make(map[evidence.PassageID]int, len(fused))
	for i, f := range fused {
		at[f.ID] = i
	}
	taken := map[evidence.PassageID]bool{}
	for _, h := range near[:min(n+ReorderFirst, len(near))] {
		i, known := at[h.ID]
		switch {
		case len(taken) == ReorderFirst:
		case !known:
			all, taken[h.ID] = append(all, Fused{ID: h.ID}), true
		case i >= n:
			all, taken[h.ID] = append(all, fused[i]), true
		}
	}
	first = len(all)
	for _, f := range fused[n:] {
		if !taken[f.ID] {
			all = append(all, f)
		}
	}
	return all, first
}

func bestWords(fused []Fused) (best float64) {
	for _, f := range fused {
		best = max(best, f.BM25)
	}
	return best
}

// share is bm25 divided by the best of its question; 0 when nothing matched.
func share(bm25, best float64) float64 {
	if best <= 0 {
		return 0
	}
	return bm25 / best
}

func join(words, vectors []Hit) []Fused {
	fused := make([]Fused, 0, len(words)+len(vectors))
	at := make(map[evidence.PassageID]int, len(words)+len(vectors))
	slot := func(id evidence.PassageID) *Fused {
		i, ok := at[id]
		if !ok {
			i = len(fused)
			at[id] = i
			fused = append(fused, Fused{ID: id})
		}
		return &fused[i]
	}
	for _, h := range words {
		slot(h.ID).BM25 = h.Score
	}
	for _, h := range vectors {
		s := slot(h.ID)
		s.Cosine, s.Vector = h.Score, true
	}
	return fused
}

func weighted(fused []Fused, vectors bool, sum Fusion) {
	best, lowest := bestWords(fused), 1.0
	for _, f := range fused {
		if f.Vector {
			lowest = min(lowest, f.Cosine)
		}
	}
	for i := range fused {
		f := &fused[i]
		bm := share(f.BM25, best)
		switch {
		case !vectors:
			f.Score = bm
		case f.Vector:
			f.Score = sum.sum(bm, f.Cosine)
		default:
			f.Score = sum.sum(bm, lowest)
		}
	}
}

func reciprocal(fused []Fused, words, vectors []Hit, k int) {
	if k == 0 {
		k = rrfK
	}
	ranks := map[evidence.PassageID]float64{}
	for _, list := range [][]Hit{words, vectors} {
		for i, h := range list {
			ranks[h.ID] += 1 / float64(k+i+1)
		}
	}
	for i := range fused {
		fused[i].Score = ranks[fused[i].ID]
	}
}

// Missing are the passages that words found and vectors did not.
func Missing(words, vectors []Hit) []evidence.PassageID {
	near := make(map[evidence.PassageID]bool, len(vectors))
	for _, h := range vectors {
		near[h.ID] = true
	}
	var ids []evidence.PassageID
	for _, h := range words {
		if !near[h.ID] {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// Complete adds cosines that were asked for by id behind the hits of vectors,
// best first.
func Complete(vectors []Hit, cosines map[evidence.PassageID]float64) []Hit {
	all := slices.Clone(vectors)
	for id, cos := range cosines {
		all = append(all, Hit{id, cos})
	}
	slices.SortFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return all
}
