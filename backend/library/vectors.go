package library

import (
	"context"
	"fmt"
	"strconv"

	"footnote/backend/evidence"
	"footnote/backend/privacy"
	"footnote/backend/rank"
	"footnote/backend/store/quantize"
)

// embedAt is how many passages are embedded at once.
const embedAt = 256

// piecer is an embedder that can tell how many word pieces a text has, and how
// many of them it does not know.
type piecer interface {
	Pieces(text string) (n, unknown int)
}

// pieces is nil without such an embedder.
func (l *Library) pieces() func(string) (int, int) {
	if p, ok := l.Embedder.(piecer); ok {
		return p.Pieces
	}
	return nil
}

// embedNow makes the vectors of a text that was just read, with an embedder of
// this process: it is done at once and does not fail but with ctx. Others make
// them behind the words, from the store.
func (l *Library) embedNow(ctx context.Context, passages []evidence.Passage, digest, path string) (embedder string, vectors [][]float32, err error) {
	if l.pieces() == nil || len(passages) == 0 {
		return "", nil, nil
	}
	placed := make([]Placed, len(passages))
	for i, p := range passages {
		placed[i] = Placed{Passage: p, Digest: digest, Path: path}
	}
	if err := l.embed(ctx, placed); err != nil {
		return "", nil, err
	}
	return l.embedderID(), vectorsOf(placed), nil
}

func vectorsOf(placed []Placed) [][]float32 {
	vectors := make([][]float32, len(placed))
	for i, p := range placed {
		vectors[i] = p.Vector
	}
	return vectors
}

// indexIntakes gives the index the vectors that were stored with their texts. The
// caller holds learning.
func (l *Library) indexIntakes(ctx context.Context, intakes []Intake) error {
	var placed []Placed
	for _, in := range intakes {
		for i, v := range in.Vectors {
			if v != nil {
				placed = append(placed, Placed{Passage: in.Passages[i], Digest: in.File.Digest, Vector: v})
			}
		}
	}
	return l.indexVectors(ctx, placed)
}

// runVectors first gives the index the vectors that are stored, then makes those
// that are missing, behind the words.
func (l *Library) runVectors(ctx context.Context) {
	if l.Embedder == nil {
		close(l.fed)
		return
	}
	err := l.feedVectors(ctx)
	for err != nil && ctx.Err() == nil {
		l.trouble(ctx, "load vectors", err)
		err = l.feedVectors(ctx)
	}
	close(l.fed)
	for ctx.Err() == nil {
		l.whilePaused(ctx)
		busy, err := l.embedSome(ctx)
		l.stuck.Store(err != nil)
		if err != nil {
			l.trouble(ctx, "make vectors", fmt.Errorf("vectors are missing for now: %w", err))
		} else if !busy && !l.vectors.wait(ctx, 0) {
			return
		}
	}
}

func (l *Library) feedVectors(ctx context.Context) error {
	return l.Catalog.EachVector(ctx, l.embedderID(), func(ids []evidence.PassageID, digests []string, vectors []quantize.Steps) error {
		l.learning.Lock()
		defer l.learning.Unlock()
		l.length = len(vectors[0].Of)
		return l.Index.PutStored(ctx, ids, digests, vectors)
	})
}

func (l *Library) indexVectors(ctx context.Context, placed []Placed) error {
	digests, vectors := make([]string, len(placed)), vectorsOf(placed)
	for i, p := range placed {
		digests[i] = p.Digest
	}
	if n := lengthOf(vectors); n > 0 {
		l.length = n
	}
	return l.Index.PutVectors(ctx, idsOf(placed), digests, vectors)
}

// embedSome makes the vectors of one batch, stores and then indexes them.
func (l *Library) embedSome(ctx context.Context) (busy bool, err error) {
	placed, err := l.Catalog.Unvectored(ctx, l.embedderID(), embedAt)
	if err != nil || len(placed) == 0 {
		return false, err
	}
	if err := l.embed(ctx, placed); err != nil {
		return false, err
	}
	vectors := vectorsOf(placed)
	l.learning.Lock()
	defer l.learning.Unlock()
	if n := lengthOf(vectors); n > 0 && l.length > 0 && n != l.length {
		return true, l.startVectorsAnew(ctx)
	}
	if err := l.Catalog.PutVectors(ctx, l.embedderID(), l.pieces() != nil, idsOf(placed), vectors); err != nil {
		return false, err
	}
	return true, l.indexVectors(ctx, placed)
}

// lengthOf is the length of vectors, which have one; 0 when there is none.
func lengthOf(vectors [][]float32) (n int) {
	for _, v := range vectors {
		n = max(n, len(v))
	}
	return n
}

// vectorEra is the note that tells vectors of one embedder apart from earlier
// ones of another length: a model of the same name may have been replaced.
const vectorEra = "vectors.era"

// startVectorsAnew gives up all vectors: those of another length cannot be
// compared with the new ones. Search goes on by words until they are made. The
// caller holds learning.
func (l *Library) startVectorsAnew(ctx context.Context) error {
	l.Log.Info("the embedding model gives vectors of another length; all are made anew", "model", l.Embedder.ID())
	era := strconv.FormatInt(l.Now().UnixNano(), 36)
	if err := l.Catalog.SetNote(ctx, vectorEra, era); err != nil {
		return err
	}
	l.era.Store(&era)
	l.length = 0
	if x, ok := l.Index.(interface{ ResetVectors() }); ok {
		x.ResetVectors()
	}
	return nil
}

// embed sets the vectors of passages, with the ranking prefix in front of their
// text. Texts in a script that the embedder does not know get none.
func (l *Library) embed(ctx context.Context, placed []Placed) error {
	var texts []string
	var at []int
	pieces := l.pieces()
	for i, p := range placed {
		if pieces != nil && !rank.Embeddable(p.Passage.Text, pieces) {
			continue
		}
		prefix := evidence.Prefix(evidence.Source{Kind: evidence.File, Address: p.Path}, p.Passage.At)
		texts, at = append(texts, prefix+"\n"+p.Passage.Text), append(at, i)
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := l.Embedder.Embed(privacy.Carrying(ctx, firstOfTexts(placed)...), texts)
	if err != nil {
		return err
	}
	if len(vectors) != len(texts) {
		return fmt.Errorf("embed passages: %d vectors for %d texts", len(vectors), len(texts))
	}
	for i, v := range vectors {
		placed[at[i]].Vector = v
	}
	return nil
}

// firstOfTexts names to the ledger what an embedder is sent, which are whole files:
// of each text the first passage.
func firstOfTexts(placed []Placed) (first []evidence.PassageID) {
	for i, p := range placed {
		if i == 0 || p.Digest != placed[i-1].Digest {
			first = append(first, p.Passage.ID)
		}
	}
	return first
}
