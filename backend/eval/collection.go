package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/index"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// collection is documents in an index of their own; the set is that of the
// documents, nil when they have none.
type collection struct {
	*set
	dir      string
	index    *index.Index
	embedder *embed.Static
	doc      map[evidence.PassageID]string  // id of the document
	text     map[evidence.PassageID]passage // for orders that read texts
	cpu      time.Duration                  // of splitting, embedding and indexing

	sentences *sentences // nil until a method asks for it
}

type passage struct {
	evidence.Passage
	source evidence.Source
}

// depth is how many hits of each method are fused, as the library does it.
const depth = 200

// openCollection indexes the documents of a set.
func openCollection(ctx context.Context, s *set) (*collection, error) {
	docs := make([]evidence.Document, len(s.docs))
	for i, d := range s.docs {
		docs[i] = document(d)
	}
	c, err := collect(ctx, docs, evidence.SplitOptions{})
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", s.name, err)
	}
	c.set = s
	return c, nil
}

// collect splits, embeds and indexes documents in a temporary folder. Their
// addresses are their ids.
func collect(ctx context.Context, docs []evidence.Document, split evidence.SplitOptions) (c *collection, err error) {
	c = &collection{doc: map[evidence.PassageID]string{}, text: map[evidence.PassageID]passage{}}
	if c.dir, err = os.MkdirTemp("", "footnote-eval-"); err != nil {
		return nil, fmt.Errorf("make folder for index: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	if c.embedder, err = embed.NewStatic(); err != nil {
		return nil, err
	}
	if c.index, err = index.Open(ctx, c.dir, slog.New(slog.DiscardHandler)); err != nil {
		return nil, err
	}
	start := cpuTime()
	for docs := range slices.Chunk(docs, 500) {
		if err := c.add(ctx, docs, split); err != nil {
			return nil, err
		}
	}
	c.cpu = cpuTime() - start
	return c, nil
}

// close removes the index and its folder.
func (c *collection) close() error {
	var err error
	if c.index != nil {
		err = c.index.Close()
	}
	return errors.Join(err, os.RemoveAll(c.dir))
}

func (c *collection) add(ctx context.Context, docs []evidence.Document, split evidence.SplitOptions) error {
	var entries []library.Entry
	var texts []string
	for _, doc := range docs {
		name := evidence.Prefix(doc.Source, evidence.Locator{})
		for _, p := range evidence.Split(doc, split) {
			entries = append(entries, library.Entry{
				ID: p.ID, Digest: doc.Source.Digest, Name: name, Heading: p.At.Heading, Body: p.Text,
			})
			texts = append(texts, evidence.Prefix(doc.Source, p.At)+"\n"+p.Text)
			c.doc[p.ID] = doc.Source.Address
			c.text[p.ID] = passage{p, doc.Source}
		}
	}
	vectors, err := c.embedder.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed passages: %w", err)
	}
	for i := range entries {
		entries[i].Vector = vectors[i]
	}
	return c.index.Put(ctx, entries)
}

// document makes a labelled text a page of its own. Its digest holds the id, so
// that equal texts of two documents stay apart.
func document(d labelled) evidence.Document {
	digest := evidence.Digest([]byte(d.ID + "\x00" + d.Text))
	src := evidence.Source{Kind: evidence.Web, Title: d.Title, Address: d.ID, Digest: digest}
	src.ID = evidence.NewSourceID(src.Kind, d.ID, digest)
	return evidence.Document{
		Source: src, Text: d.Text,
		Blocks: []evidence.Block{{End: len(d.Text), Kind: evidence.Paragraph}},
	}
}

// words searches by BM25 alone.
func (c *collection) words(ctx context.Context, query string, n int) ([]rank.Hit, error) {
	hits, err := c.index.Words(ctx, library.Query{Text: query, N: n})
	return rankHits(hits), err
}

// static searches by the static vectors alone.
func (c *collection) static(ctx context.Context, query string, n int) ([]rank.Hit, error) {
	hits, _, err := c.nearest(ctx, query, n)
	return hits, err
}

func (c *collection) nearest(ctx context.Context, query string, n int) ([]rank.Hit, []float32, error) {
	v, err := c.embedder.Embed(ctx, []string{query})
	if err != nil || v[0] == nil {
		return nil, nil, err
	}
	hits, err := c.index.Vectors(ctx, v[0], nil, n)
	return rankHits(hits), v[0], err
}

// hybrid searches by both, fused.
func (c *collection) hybrid(ctx context.Context, query string, n int) ([]rank.Hit, error) {
	fused, err := c.fused(ctx, query)
	if err != nil {
		return nil, err
	}
	return hitsOf(fused, n), nil
}

func (c *collection) fused(ctx context.Context, query string) ([]rank.Fused, error) {
	words, err := c.words(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	gate := rank.GateOf(query, c.embedder.Pieces)
	if gate == rank.WordsOnly {
		return rank.FuseHits(gate, words, nil, rank.Fusion{}), nil
	}
	near, vector, err := c.nearest(ctx, query, depth)
	if err != nil {
		return nil, err
	}
	if vector != nil {
		cosines, err := c.index.Cosines(vector, rank.Missing(words, near))
		if err != nil {
			return nil, err
		}
		near = rank.Complete(near, cosines)
	}
	return rank.FuseHits(gate, words, near, rank.Fusion{}), nil
}

func rankHits(hits []library.Hit) []rank.Hit {
	out := make([]rank.Hit, len(hits))
	for i, h := range hits {
		out[i] = rank.Hit(h)
	}
	return out
}
