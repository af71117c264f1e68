package library

import (
	"context"

	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/store/quantize"
)

// Entry is what the index learns of one passage. Vector is nil when the passage
// has none (yet).
type Entry struct {
	ID      evidence.PassageID
	Digest  string // of the file the passage stands in; the unit of scope and removal
	Name    string // file name without extension, split into words by the index
	Heading string // heading path
	Body    string
	Vector  []float32
}

// Hit is a passage with the raw score of one method.
type Hit = rank.Hit

// Query of an index. Within restricts to passages of these digests; nil means
// all. Prefix makes the last word match by prefix (search as you type). Must and
// Not are words that a passage must have, and must not have, in any form. All
// also finds passages without a word of Text; they score least.
type Query struct {
	Text      string
	Within    map[string]bool
	Prefix    bool
	Must, Not []string
	All       bool
	N         int
}

// Index is the rebuildable cache of words and vectors. Put replaces entries of
// the same id and is durable when it returns; entries without a vector can be
// given one later by another Put, by PutVectors or as it is stored by PutStored. Scores of Words are BM25,
// of Vectors cosine; both come best first.
type Index interface {
	Put(ctx context.Context, entries []Entry) error
	PutVectors(ctx context.Context, ids []evidence.PassageID, digests []string, vectors [][]float32) error
	PutStored(ctx context.Context, ids []evidence.PassageID, digests []string, vectors []quantize.Steps) error
	Drop(ctx context.Context, ids []evidence.PassageID) error
	Words(ctx context.Context, q Query) ([]Hit, error)
	Vectors(ctx context.Context, vector []float32, within map[string]bool, n int) ([]Hit, error)
}
