package index

import (
	"context"
	"fmt"
	"strconv"

	bleve "github.com/blevesearch/bleve_index_api"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
)

// Fields of the postings.
const (
	fieldText   = "t" // terms of name, heading and body together
	fieldDigest = "d" // of the file, for scope
	fieldLength = "l" // number of terms, so that their average can be read off the dictionary
	fieldSpeech = "g" // language of the terms, unless it is English or told by its script
)

// A batch is durable as a whole; larger ones hold memory and delay the first hit,
// smaller ones cost a dictionary each and more merging.
const (
	batchEntries = 4000
	batchBytes   = 3 << 20
)

// Put replaces entries of the same id. It returns when they are on disk; after
// an error some of them may be. An entry without a vector keeps the one that its
// passage has.
func (x *Index) Put(ctx context.Context, entries []library.Entry) error {
	maker, _ := x.makers.Get().(*maker)
	if maker == nil {
		maker = newMaker()
	}
	defer x.makers.Put(maker)
	for len(entries) > 0 {
		n := batchEnd(entries)
		batch := bleve.NewBatch()
		for _, e := range entries[:n] {
			batch.Update(maker.document(e))
		}
		if err := x.write(ctx, batch); err != nil {
			return fmt.Errorf("index %d passages: %w", n, err)
		}
		for _, e := range entries[:n] {
			if e.Vector == nil {
				continue
			}
			if err := x.vectors.put(e.ID, e.Digest, e.Vector); err != nil {
				return fmt.Errorf("index vector of %s: %w", e.ID, err)
			}
		}
		entries = entries[n:]
	}
	return nil
}

func batchEnd(entries []library.Entry) int {
	size := 0
	for i, e := range entries {
		size += len(e.Name) + len(e.Heading) + len(e.Body)
		if i > 0 && (i == batchEntries || size > batchBytes) {
			return i
		}
	}
	return len(entries)
}

// PutVectors gives passages their vectors. The three slices run in parallel; nil
// vectors are passed over.
func (x *Index) PutVectors(ctx context.Context, ids []evidence.PassageID, digests []string, vecs [][]float32) error {
	if len(vecs) != len(ids) {
		return fmt.Errorf("index vectors: %d ids, %d vectors", len(ids), len(vecs))
	}
	return putEach(ctx, ids, digests, func(i int, digest string) error {
		if vecs[i] == nil {
			return nil
		}
		return x.vectors.put(ids[i], digest, vecs[i])
	})
}

// PutStored is PutVectors of vectors as they are stored: a large library holds them so.
func (x *Index) PutStored(ctx context.Context, ids []evidence.PassageID, digests []string, vecs []quantize.Steps) error {
	if len(vecs) != len(ids) {
		return fmt.Errorf("index vectors: %d ids, %d vectors", len(ids), len(vecs))
	}
	return putEach(ctx, ids, digests, func(i int, digest string) error { return x.vectors.putSteps(ids[i], digest, vecs[i]) })
}

// putEach calls put with the places of ids, and one copy of the digest for the passages of
// a file: it is kept.
func putEach(ctx context.Context, ids []evidence.PassageID, digests []string, put func(i int, digest string) error) error {
	if len(digests) != len(ids) {
		return fmt.Errorf("index vectors: %d ids, %d digests", len(ids), len(digests))
	}
	digest := ""
	for i, id := range ids {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if digests[i] != digest {
			digest = digests[i]
		}
		if err := put(i, digest); err != nil {
			return fmt.Errorf("index vector of %s: %w", id, err)
		}
	}
	return nil
}

// Drop removes passages; ids that are not there are passed over.
func (x *Index) Drop(ctx context.Context, ids []evidence.PassageID) error {
	for start := 0; start < len(ids); start += batchEntries {
		part := ids[start:min(start+batchEntries, len(ids))]
		batch := bleve.NewBatch()
		for _, id := range part {
			batch.Delete(docID(id))
		}
		if err := x.write(ctx, batch); err != nil {
			return fmt.Errorf("drop %d passages: %w", len(part), err)
		}
		if err := x.vectors.drop(ctx, part); err != nil {
			return fmt.Errorf("drop vectors: %w", err)
		}
	}
	return nil
}

// write applies a batch when its turn comes. When ctx ends first, the batch is
// still applied in full, or not at all.
func (x *Index) write(ctx context.Context, batch *bleve.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case x.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-x.broken:
		return ErrBroken
	}
	return x.unlessBroken(ctx, func() error {
		defer func() { <-x.writing }()
		return x.apply(batch)
	})
}

func (x *Index) apply(batch *bleve.Batch) (err error) {
	defer recovered("write index", &err)
	x.sequence++
	batch.SetInternal(sequenceKey, strconv.AppendUint(nil, x.sequence, 10))
	if err := x.words.Batch(batch); err != nil {
		return err
	}
	return x.markSequence()
}
