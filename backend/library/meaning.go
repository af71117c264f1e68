package library

import (
	"context"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library/asked"
	"footnote/backend/rank"
)

// Meaning is the sentence encoder. On tells whether it takes part now. Cosines tells
// how near those of texts are that it has vectors of, and the best of them, which come
// first and are waited for; the others follow for the next time. Nearest searches what is encoded of the
// library; whole tells that this is all of it, and so does Whole. Wake tells that there
// are new passages, Forget that some are gone.
// Encode waits until the passages without vectors have them, where there are no more than
// most; left is how many still have none.
type Meaning interface {
	Encode(ctx context.Context, most int) (left int, err error)
	On() bool
	Cosines(ctx context.Context, question string, texts []rank.Text, wait time.Duration) map[evidence.PassageID]float64
	Whole(ctx context.Context) bool
	Nearest(ctx context.Context, question string, within map[string]bool, also []evidence.PassageID, n int) (hits []Hit, whole bool)
	Wake()
	Forget(ids []evidence.PassageID)
}

// encoderWait is how long a question waits for its best passages to be encoded at most.
// It is there to end, not to hurry: they are few, and an order that depended on how busy
// the computer is would not be the same twice.
const encoderWait = 20 * time.Second

// found is what a question finds by its words, and by how near passages are.
type found struct {
	words, vectors       []Hit
	encoded              bool  // the sentence encoder tells how near, of the whole library
	meant                []Hit // what is nearest of the part that it knows, where that is not all
	wordsErr, vectorsErr error
}

// find searches by words and beside it by the vectors of the index, or, where the
// sentence encoder knows the whole library, by that, with what words found.
func (l *Library) find(ctx context.Context, gates rank.Gates, query string, a asked.Search, within map[string]bool) (f found) {
	whole := l.encodes() && l.Meaning.Whole(ctx)
	var near nearby
	var beside sync.WaitGroup
	if !whole {
		beside.Go(func() { near = l.nearby(ctx, gates.Index, query, within) })
	}
	f.words, _, f.wordsErr = l.wordHits(ctx, demand(a, within, recall), a, recall)
	if l.encodes() {
		f.meant, f.encoded = l.Meaning.Nearest(ctx, query, within, idsOfHits(f.words), recall)
	}
	beside.Wait()
	if f.encoded {
		f.vectors, f.meant = f.meant, nil
		return f
	}
	if whole { // until just now
		near = l.nearby(ctx, gates.Index, query, within)
	}
	f.vectors, f.vectorsErr = near.and(f.words, l.Index)
	return f
}

// gates decides which vectors a question can be trusted to.
func (l *Library) gates(query string) rank.Gates {
	if l.Embedder == nil {
		return rank.Gates{}
	}
	return rank.GatesOf(query, l.Embedder)
}

// encodes reports whether the sentence encoder takes part: reciprocal ranks know
// no cosines.
func (l *Library) encodes() bool {
	return l.Meaning != nil && l.Meaning.On() && l.Settings().Rank.Fusion != "rrf"
}

func idsOfHits(hits []Hit) []evidence.PassageID {
	ids := make([]evidence.PassageID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

// reorder has the sentence encoder order the best of what was found, and beside it
// what is near of what it knows. Without it, or when the texts cannot be read, the order
// stays.
func (l *Library) reorder(ctx context.Context, query string, fused []rank.Fused, meant []Hit, s shelf) []rank.Fused {
	if !l.encodes() {
		return fused
	}
	all, first := rank.WithNear(fused, meant, rank.ReorderFirst)
	ids := make([]evidence.PassageID, first)
	for i := range ids {
		ids[i] = all[i].ID
	}
	placed, err := l.Catalog.Passages(ctx, ids)
	if err != nil {
		l.Log.Warn("read passages for the sentence encoder", "err", err)
		return fused
	}
	byID := make(map[evidence.PassageID]Placed, len(placed))
	for _, p := range placed {
		byID[p.Passage.ID] = p
	}
	texts := make([]rank.Text, 0, len(ids))
	for _, id := range ids {
		if p, known := byID[id]; known { // else removed just now
			texts = append(texts, rank.TextOf(evidence.Source{Kind: evidence.File, Address: s.files[p.Digest][0].Path, Digest: p.Digest}, p.Passage))
		}
	}
	cosines := l.Meaning.Cosines(ctx, query, texts, encoderWait)
	if len(cosines) == 0 {
		return fused
	}
	return rank.Reorder(all, cosines)
}
