package library

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"footnote/backend/evidence"
	"footnote/backend/library/asked"
	"footnote/backend/rank"
)

// narrowed keeps the texts that the filters of the last search left: while one
// types, only the words change.
type narrowed struct {
	mu     sync.Mutex
	key    string
	digest map[string]bool
}

// asked searches for a question, without its quotation marks when nothing stands
// as quoted.
func (l *Library) asked(ctx context.Context, a asked.Search, scope evidence.Scope) (asked.Search, ordered, error) {
	r, err := l.order(ctx, a, scope)
	if err == nil && len(r.fused) == 0 && len(a.Exactly()) > 0 {
		a = a.Loosely()
		r, err = l.order(ctx, a, scope)
	}
	return a, r, err
}

// narrow restricts a scope to the files that a search wants; nil means all.
func (l *Library) narrow(ctx context.Context, a asked.Search, within map[string]bool) (map[string]bool, error) {
	if !a.Filtered() {
		return within, nil
	}
	fitting, err := l.fitting(ctx, a)
	if err != nil || within == nil {
		return fitting, err
	}
	both := maps.Clone(fitting)
	maps.DeleteFunc(both, func(digest string, _ bool) bool { return !within[digest] })
	return both, nil
}

// fitting are the texts of the files that pass the filters.
func (l *Library) fitting(ctx context.Context, a asked.Search) (map[string]bool, error) {
	l.scope.mu.Lock()
	version := l.scope.version
	l.scope.mu.Unlock()
	key := strings.Join([]string{
		strconv.Itoa(version), strings.Join(a.Types, ","), strings.Join(a.Folders, "\x00"), a.After.String(), a.Before.String(),
	}, "\x01")
	l.narrowed.mu.Lock()
	defer l.narrowed.mu.Unlock()
	if l.narrowed.key == key {
		return l.narrowed.digest, nil
	}
	files, _, err := l.Catalog.Files(ctx, FileQuery{Unlisted: true})
	if err != nil {
		return nil, err
	}
	fitting := map[string]bool{}
	for _, f := range files {
		if f.Digest != "" && a.Fits(f.Path, f.changed()) {
			fitting[f.Digest] = true
		}
	}
	l.narrowed.key, l.narrowed.digest = key, fitting
	return fitting, nil
}

// fitting leaves out files that do not pass the filters: equal bytes may stand
// under a name that does and under one that does not.
func (s shelf) fitting(a asked.Search) shelf {
	if a.Filtered() {
		for digest, files := range s.files {
			s.files[digest] = slices.DeleteFunc(files, func(f File) bool { return !a.Fits(f.Path, f.changed()) })
		}
	}
	return s
}

// demand is what a search demands of the index.
func demand(a asked.Search, within map[string]bool, n int) Query {
	q := Query{Text: a.Text(), Within: within, Prefix: false, Not: a.Not(), N: n}
	for _, p := range a.Exactly() {
		q.Must = append(q.Must, p.Telling()...)
	}
	q.Must = slices.Compact(slices.Sorted(slices.Values(q.Must)))
	q.All = len(a.Exactly()) > 0 && len(rank.Terms(q.Text)) == 0
	return q
}

const (
	widening    = 8   // times more candidates, when too few of them have a phrase
	textsAtOnce = 512 // passages that are read from the catalog at once
	triesAtOnce = 256 // candidates that are read before what was found has to do
)

// wordHits are the best passages by words. Where only the texts can tell which
// are wanted, candidates are read, best first, until enough are right; more tells
// that some were not looked at.
func (l *Library) wordHits(ctx context.Context, q Query, a asked.Search, enough int) (hits []Hit, more bool, err error) {
	if !a.Exacting() {
		hits, err = l.Index.Words(ctx, q)
		return hits, len(hits) == q.N, err
	}
	for looked := 0; ; q.N *= widening {
		candidates, err := l.Index.Words(ctx, q)
		if err != nil {
			return nil, false, err
		}
		for part := range slices.Chunk(candidates[min(looked, len(candidates)):], min(textsAtOnce, enough+enough/2+1)) {
			right, err := l.exactly(ctx, a, part)
			if err != nil {
				return nil, false, err
			}
			hits, looked = append(hits, right...), looked+len(part)
			if len(hits) >= enough || len(hits) > 0 && looked >= max(triesAtOnce, enough) {
				n := min(enough, len(hits))
				return hits[:n], looked < len(candidates) || len(candidates) == q.N || len(hits) > n, nil
			}
		}
		if len(candidates) < q.N {
			return hits, false, nil
		}
	}
}

// exactly keeps the hits whose text has every phrase and none of those that are
// to be left out. The name of a file and the headings count as text.
func (l *Library) exactly(ctx context.Context, a asked.Search, hits []Hit) ([]Hit, error) {
	if !a.Exacting() || len(hits) == 0 {
		return hits, nil
	}
	placed, err := l.Catalog.Passages(ctx, idsOfHits(hits))
	if err != nil {
		return nil, err
	}
	texts := map[string]bool{}
	for _, p := range placed {
		texts[p.Digest] = true
	}
	files, err := l.Catalog.Holders(ctx, slices.Collect(maps.Keys(texts)))
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, f := range files {
		names[f.Digest] += plainName(f.Path) + "\n"
	}
	right := map[evidence.PassageID]bool{}
	for _, p := range placed {
		right[p.Passage.ID] = a.Exact(p.Passage, names[p.Digest])
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !right[h.ID] }), nil
}
