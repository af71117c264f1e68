package library

import (
	"context"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	textsLooked = 1024 // passages that a question reads for one that is wanted
	textsAPart  = 128
)

// SearchTexts finds passages that have all words, those that have them most first, and
// whose text is wanted: of a word that a library is about, few passages say what it
// means, and by words and vectors they are like all others. Of those that have the
// words, the first textsLooked are read.
func (l *Library) SearchTexts(ctx context.Context, words string, wanted func(text string) bool, scope evidence.Scope, n int) ([]evidence.Found, error) {
	within, err := l.within(ctx, scope)
	if err != nil || within != nil && len(within) == 0 || n <= 0 {
		return nil, err
	}
	hits, err := l.Index.Words(ctx, Query{Text: words, Within: within, All: true, N: textsLooked})
	if err != nil {
		return nil, err
	}
	var right []Hit
	for part := range slices.Chunk(hits, textsAPart) {
		placed, err := l.Catalog.Passages(ctx, idsOfHits(part))
		if err != nil {
			return nil, err
		}
		is := map[evidence.PassageID]bool{}
		for _, p := range placed {
			is[p.Passage.ID] = wanted(p.Passage.Text)
		}
		right = append(right, slices.DeleteFunc(slices.Clone(part), func(h Hit) bool { return !is[h.ID] })...)
		if len(right) >= n+n/spare {
			break
		}
	}
	s, err := l.shelve(ctx, right, within)
	if err != nil {
		return nil, err
	}
	return l.fetch(ctx, rank.FuseHits(rank.WordsOnly, s.known(right), nil, rank.Fusion{}), s, scope, n)
}
