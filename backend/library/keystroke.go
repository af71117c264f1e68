package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library/asked"
)

// Match is a passage that search as you type found.
type Match struct {
	File    string             `json:"file"`
	Passage evidence.PassageID `json:"passage"`
	Source  evidence.SourceID  `json:"source"`
	Title   string             `json:"title"`
	Path    string             `json:"path"`
	Locator evidence.Locator   `json:"locator"`
	Snippet string             `json:"snippet"`
	Marks   [][2]int           `json:"marks"` // code points of Snippet: the words that match
	Score   float64            `json:"score"`
	Via     string             `json:"via"`
	AlsoIn  []string           `json:"also_in"` // other files that say the same, or almost

	digest string
}

// Matches are the best ones, best first.
type Matches struct {
	Items      []Match      `json:"items"`
	Total      int          `json:"total"` // passages found
	More       bool         `json:"more"`  // there may be more: at most 200 are looked for, with a phrase as many as are shown
	TookMs     int64        `json:"took_ms"`
	Understood asked.Search `json:"understood"`
	Behind     *Behind      `json:"behind"` // what could not be found yet; null when all could
}

// Behind is what a search could not find yet.
type Behind struct {
	Files      int  `json:"files"`      // that wait to be read
	Passages   int  `json:"passages"`   // whose words are not in the index
	Rebuilding bool `json:"rebuilding"` // the index is being filled again
}

// String says it to people.
func (b Behind) String() string {
	switch {
	case b.Rebuilding:
		return "The index of words is being filled again: not everything is found yet."
	case b.Files > 0:
		return fmt.Sprintf("Files still to be read: %d. What is in them is not found yet.", b.Files)
	}
	return "The last files read are being indexed: what is in them is not found yet."
}

// Unfound says what a search that begins now cannot find yet; empty when it finds
// all.
func (l *Library) Unfound(ctx context.Context) (string, error) {
	b, err := l.behind(ctx)
	if err != nil || b == nil {
		return "", err
	}
	return b.String(), nil
}

// behind tells what a search that begins now cannot find. At rest it costs nothing.
func (l *Library) behind(ctx context.Context) (*Behind, error) {
	before := l.queued.Load()
	if before == l.nothingLeft.Load() {
		return nil, nil
	}
	t, err := l.Catalog.Totals(ctx, l.embedderID())
	b := Behind{Files: t.Waiting, Passages: t.Chunks - t.Indexed, Rebuilding: l.rebuilds.Load()}
	if err != nil || b != (Behind{}) {
		return &b, err
	}
	l.nothingLeft.Store(before)
	return nil, nil
}

// SearchWords searches names, headings and texts by words alone, the last one by
// its beginning: for search as you type. No model takes part.
func (l *Library) SearchWords(ctx context.Context, query string, limit int) (Matches, error) {
	began := time.Now()
	l.noteSearch()
	a := asked.Understand(query)
	within, err := l.within(ctx, evidence.Scope{})
	if err == nil {
		within, err = l.narrow(ctx, a, within)
	}
	if err != nil {
		return Matches{}, err
	}
	q := demand(a, within, recall)
	q.Prefix = a.Growing()
	behind, err := l.behind(ctx) // before the search: what comes in meanwhile may be missed
	if err != nil {
		return Matches{}, err
	}
	hits, more, err := l.typedHits(ctx, q, a, max(1, limit))
	if err != nil {
		return Matches{}, err
	}
	result := Matches{Total: len(hits), More: more, Understood: a, Behind: behind}
	if result.Items, err = l.matches(ctx, a, hits, max(0, limit), within); err != nil {
		return Matches{}, err
	}
	result.TookMs = time.Since(began).Milliseconds()
	return result, nil
}

// typedHits are the passages of a search as you type. Where there are more than
// are looked for, those that have every finished word are never among the cut.
func (l *Library) typedHits(ctx context.Context, q Query, a asked.Search, enough int) ([]Hit, bool, error) {
	hits, more, err := l.wordHits(ctx, q, a, enough)
	if err != nil || !more || a.Exacting() {
		return hits, more, err
	}
	var finished []string
	for _, w := range a.TypedWords() {
		if !w.Growing {
			finished = append(finished, w.Text)
		}
	}
	if len(finished) < 2 {
		return hits, more, nil
	}
	q.Must, q.N = slices.Compact(slices.Sorted(slices.Values(finished))), lookedInto
	front, err := l.Index.Words(ctx, q)
	if err != nil {
		return nil, false, err
	}
	known := map[evidence.PassageID]bool{}
	for _, h := range front {
		known[h.ID] = true
	}
	rest := slices.DeleteFunc(hits, func(h Hit) bool { return known[h.ID] })
	return append(front, rest...), more, nil
}

// matches reads the texts of hits, puts them in order and cuts the snippets of the
// first ones.
func (l *Library) matches(ctx context.Context, a asked.Search, hits []Hit, limit int, within map[string]bool) ([]Match, error) {
	if limit == 0 {
		return nil, nil
	}
	hits = hits[:min(max(limit, lookedInto), len(hits))]
	var placed []Placed
	var failed error
	var beside sync.WaitGroup
	beside.Go(func() { placed, failed = l.Catalog.Passages(ctx, idsOfHits(hits)) })
	s, err := l.shelve(ctx, hits, within)
	beside.Wait()
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	s = s.fitting(a)
	hits = s.arranged(a, hits, placed)
	hits = hits[:min(limit, len(hits))]
	first := idsOfHits(hits)
	placed = slices.DeleteFunc(placed, func(p Placed) bool { return !slices.Contains(first, p.Passage.ID) })
	if err := l.complete(ctx, s, placed); err != nil {
		return nil, err
	}
	marking := a.Marking()
	byID := map[evidence.PassageID]Placed{}
	for _, p := range placed {
		byID[p.Passage.ID] = p
	}
	var found []Match
	var texts []string
	for _, h := range hits {
		p, ok := byID[h.ID]
		if files := s.files[p.Digest]; ok && len(files) > 0 {
			found, texts = append(found, match(p, files, marking, h.Score)), append(texts, p.Passage.Text)
		}
	}
	return collapsed(found, texts), nil
}

func match(p Placed, files []File, marking asked.Marking, score float64) Match {
	source := files[0].Source()
	text, marks := asked.Snippet(p.Passage.Text, marking)
	var others []string
	for _, f := range files[1:] {
		others = append(others, f.Path)
	}
	return Match{
		File: files[0].ID, Passage: p.Passage.ID, Source: source.ID, Title: source.Title, Path: source.Address, Locator: p.Passage.At,
		Snippet: text, Marks: marks, Score: score, Via: "words", AlsoIn: append([]string{}, others...), digest: p.Digest,
	}
}
