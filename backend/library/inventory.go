package library

import (
	"context"
	"slices"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/library/asked"
)

// Inventory lists the files that pass the filters of a query, by by: largest,
// smallest, newest, oldest, else by path. Failed is those alone that could not be
// read. Of the first most files it gives the first passage. With a folder that
// holds no file the listing is empty.
func (l *Library) Inventory(ctx context.Context, query, by string, failed bool, scope evidence.Scope, most int) (evidence.Listing, error) {
	scope, err := l.expand(ctx, scope)
	if err != nil {
		return evidence.Listing{}, err
	}
	c := &census{Library: l, asked: asked.Understand(query), scope: scope}
	files, err := c.files(ctx, orders[by])
	if err != nil {
		return evidence.Listing{}, err
	}
	files = slices.DeleteFunc(files, func(f File) bool {
		return failed && f.State != Failed && f.State != Skipped && f.State != Partial || scope.Empty() && !f.Listed
	})
	m := evidence.Listing{Files: len(files)}
	for _, f := range files {
		m.Bytes += f.Stamp.Size
	}
	m.In, err = l.withOpenings(ctx, files[:min(most, len(files))])
	return m, err
}

// orders are the sorts of the catalogue for them.
var orders = map[string]string{"": "name", "largest": "-size", "smallest": "size", "newest": "-date", "oldest": "date"}

// withOpenings adds the first passage to files.
func (l *Library) withOpenings(ctx context.Context, files []File) ([]evidence.Listed, error) {
	var digests []string
	for _, f := range files {
		if f.Digest != "" {
			digests = append(digests, f.Digest)
		}
	}
	openings, err := l.Catalog.Openings(ctx, digests)
	if err != nil {
		return nil, err
	}
	opening := map[string]evidence.Passage{}
	for _, o := range openings {
		opening[o.Digest] = o.Passage
	}
	all := make([]evidence.Listed, len(files))
	for i, f := range files {
		source, passage := f.Source(), opening[f.Digest]
		passage.Source = source.ID
		all[i] = evidence.Listed{
			Found: evidence.Found{Passage: passage, Source: source, Score: evidence.Score{Partial: f.State == Partial}, Via: via},
			Bytes: f.Stamp.Size, Passages: f.Chunks, Changed: time.Unix(0, f.Stamp.Modified), Reason: f.Reason,
		}
	}
	return all, nil
}

// Stock counts the texts that a search of a scope looks through; an empty scope
// is the whole library.
func (l *Library) Stock(ctx context.Context, scope evidence.Scope) (int, error) {
	if scope.Empty() {
		totals, err := l.Catalog.Totals(ctx, l.embedderID())
		return totals.Ready + totals.Partial, err
	}
	within, err := l.within(ctx, scope)
	return len(within), err
}
