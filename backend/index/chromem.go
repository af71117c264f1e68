package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/philippgille/chromem-go"

	"footnote/backend/evidence"
	"footnote/backend/library"
)

// chromemStore holds a small library's vectors in chromem: memory only (its
// files lose records), no content, our ids.
type chromemStore struct{ col *chromem.Collection }

func newChromemStore() *chromemStore {
	never := func(context.Context, string) ([]float32, error) {
		return nil, errors.New("texts are not embedded here")
	}
	col, err := chromem.NewDB().CreateCollection("passages", nil, never)
	if err != nil { // only for a missing name
		panic(err)
	}
	return &chromemStore{col}
}

func (s *chromemStore) put(id evidence.PassageID, unit []float32) error {
	return s.col.AddDocument(context.Background(), chromem.Document{ID: string(id), Embedding: unit})
}

func (s *chromemStore) get(id evidence.PassageID) ([]float32, error) {
	d, err := s.col.GetByID(context.Background(), string(id))
	if err != nil {
		return nil, fmt.Errorf("read vector of %s: %w", id, err)
	}
	return d.Embedding, nil
}

func (s *chromemStore) drop(ctx context.Context, id evidence.PassageID) error {
	return s.col.Delete(ctx, nil, nil, string(id))
}

// nearest asks for more than n when a scope is set, doubling until enough of
// them are inside or all have been seen.
func (s *chromemStore) nearest(ctx context.Context, unit []float32, inScope func(evidence.PassageID) bool, scoped bool, n int) ([]library.Hit, error) {
	total := s.col.Count()
	ask := min(n, total)
	if scoped {
		ask = min(n*4, total)
	}
	for {
		found, err := s.col.QueryEmbedding(ctx, unit, ask, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("search vectors: %w", err)
		}
		hits := make([]library.Hit, 0, n)
		for _, f := range found {
			if id := evidence.PassageID(f.ID); inScope(id) {
				hits = append(hits, library.Hit{ID: id, Score: float64(f.Similarity)})
			}
		}
		if len(hits) >= n || ask == total {
			sortHits(hits)
			return hits[:min(n, len(hits))], nil
		}
		ask = min(ask*8, total)
	}
}
