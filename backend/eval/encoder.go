package eval

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// sentences is a collection as the sentence encoder knows it: every piece of
// every passage, made with the first question that needs one.
type sentences struct {
	encoder *embed.Encoder
	ids     []evidence.PassageID
	vectors [][]embed.Vector
	at      map[evidence.PassageID]int
}

// hasEncoder reports whether this processor can run the sentence encoder.
func hasEncoder() bool {
	_, err := embed.NewMultilingual()
	return !errors.Is(err, embed.ErrNoKernel)
}

// encoded makes the vectors of all passages, on all cores.
func (c *collection) encoded(ctx context.Context) (*sentences, error) {
	if c.sentences != nil {
		return c.sentences, nil
	}
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return nil, err
	}
	s := &sentences{encoder: encoder, at: map[evidence.PassageID]int{}}
	for id := range c.text {
		s.ids = append(s.ids, id)
	}
	slices.Sort(s.ids)
	s.vectors = make([][]embed.Vector, len(s.ids))
	start := cpuTime()
	if err := s.encode(ctx, c.text); err != nil {
		return nil, err
	}
	c.cpu += cpuTime() - start
	c.sentences = s
	return s, nil
}

func (s *sentences) encode(ctx context.Context, texts map[evidence.PassageID]passage) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for w := range errs {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(s.ids) && errs[w] == nil; i = int(next.Add(1)) - 1 {
				p := texts[s.ids[i]]
				text := rank.TextOf(p.source, p.Passage)
				s.vectors[i], errs[w] = s.encoder.Encode(ctx, s.encoder.Cut(text.Title, text.Body))
			}
		})
	}
	workers.Wait()
	for i, id := range s.ids {
		s.at[id] = i
	}
	return errors.Join(errs...)
}

func (s *sentences) question(ctx context.Context, query string) (embed.Vector, error) {
	v, err := s.encoder.Encode(ctx, []embed.Piece{s.encoder.Query(query)})
	if err != nil {
		return embed.Vector{}, err
	}
	return s.encoder.Distinct(v[0]), nil
}

// cosine is that of the nearest piece.
func (s *sentences) cosine(question embed.Vector, id evidence.PassageID) (best float64, has bool) {
	for _, v := range s.vectors[s.at[id]] {
		if cos := embed.Dot(question, v); !has || cos > best {
			best, has = cos, true
		}
	}
	return s.encoder.NearnessOf(best), has
}

func (s *sentences) nearest(question embed.Vector, n int) []rank.Hit {
	var hits []rank.Hit
	for _, id := range s.ids {
		if cos, has := s.cosine(question, id); has {
			hits = append(hits, rank.Hit{ID: id, Score: cos})
		}
	}
	slices.SortFunc(hits, func(a, b rank.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(n, len(hits))]
}

// byEncoder searches by the sentence encoder alone.
func (c *collection) byEncoder(ctx context.Context, query string, n int) ([]rank.Hit, error) {
	s, err := c.encoded(ctx)
	if err != nil {
		return nil, err
	}
	question, err := s.question(ctx, query)
	return s.nearest(question, n), err
}

// reordered puts the head of the fused list in the order of the encoder.
func (c *collection) reordered(head int) method {
	return func(ctx context.Context, query string, n int) ([]rank.Hit, error) {
		fused, err := c.s2(ctx, query, head)
		return hitsOf(fused, n), err
	}
}

func (c *collection) s2(ctx context.Context, query string, head int) ([]rank.Fused, error) {
	fused, err := c.fused(ctx, query)
	if err != nil {
		return nil, err
	}
	s, err := c.encoded(ctx)
	if err != nil {
		return nil, err
	}
	question, err := s.question(ctx, query)
	if err != nil {
		return nil, err
	}
	var ids []evidence.PassageID
	for _, f := range fused[:min(head, len(fused))] {
		ids = append(ids, f.ID)
	}
	return rank.Reorder(fused, s.cosines(question, ids)), nil
}

func (s *sentences) cosines(question embed.Vector, ids []evidence.PassageID) map[evidence.PassageID]float64 {
	cosines := map[evidence.PassageID]float64{}
	for _, id := range ids {
		if cos, has := s.cosine(question, id); has {
			cosines[id] = cos
		}
	}
	return cosines
}

// whole joins words and the encoder over all passages.
func (c *collection) whole(ctx context.Context, query string, n int) ([]rank.Hit, error) {
	words, err := c.words(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	s, err := c.encoded(ctx)
	if err != nil {
		return nil, err
	}
	question, err := s.question(ctx, query)
	if err != nil {
		return nil, err
	}
	near := s.nearest(question, depth)
	near = rank.Complete(near, s.cosines(question, rank.Missing(words, near)))
	return hitsOf(rank.FuseHits(rank.WordsOnly, words, near, rank.Fusion{Encoded: true}), n), nil
}

func hitsOf(fused []rank.Fused, n int) []rank.Hit {
	hits := make([]rank.Hit, min(n, len(fused)))
	for i := range hits {
		hits[i] = rank.Hit{ID: fused[i].ID, Score: fused[i].Score}
	}
	return hits
}
