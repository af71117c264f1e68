package postgres

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/rank"
	"footnote/backend/store/quantize"
)

// Index is the library.Index of a view: it searches what the view's person may
// read, and learns for the view's collection.
type Index struct{ view *View }

var _ library.Index = (*Index)(nil)

// Index gives the index of what the view sees.
func (v *View) Index() *Index { return &Index{v} }

const putAtOnce = 500 // entries of one transaction

// Put replaces entries of the same id. After an error some of them may be there.
func (x *Index) Put(ctx context.Context, entries []library.Entry) error {
	tokenizer := rank.NewTokenizer()
	for part := range slices.Chunk(entries, putAtOnce) {
		learned := make([]learnedEntry, len(part))
		for i, e := range part {
			learned[i] = learn(tokenizer, e)
		}
		if err := x.view.write(ctx, "index passages", func(tx pgx.Tx, c int) error { return put(ctx, tx, c, learned) }); err != nil {
			return err
		}
		if err := x.putVectorsOf(ctx, part); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// learnedEntry is a passage as the index keeps it.
type learnedEntry struct {
	id, digest string
	terms      []string
	times      []int16
	length     int
	language   rank.Language
}

// learn cuts a passage as the index of a single reader does: name and headings
// count twice.
func learn(tokenizer *rank.Tokenizer, e library.Entry) learnedEntry {
	language := rank.LanguageOf(e.Body)
	all := tokenizer.AppendTerms(nil, language, e.Name+"\n"+e.Heading)
	all = append(all, all...)
	all = tokenizer.AppendTerms(all, language, e.Body)
	counts := map[string]int{}
	for _, term := range all {
		counts[plainText(term)]++
	}
	l := learnedEntry{id: string(e.ID), digest: e.Digest, terms: slices.Sorted(maps.Keys(counts)), length: len(all), language: language}
	l.times = make([]int16, len(l.terms))
	for i, term := range l.terms {
		l.times[i] = int16(min(counts[term], math.MaxInt16))
	}
	return l
}

// change is what entries that come and go do to the counts of a collection.
type change struct {
	terms     map[string]int
	languages map[rank.Language][2]int // passages and their length
}

func newChange() change {
	return change{map[string]int{}, map[rank.Language][2]int{}}
}

func (g change) count(terms []string, length int, language rank.Language, by int) {
	for _, term := range terms {
		g.terms[term] += by
	}
	m := g.languages[language]
	g.languages[language] = [2]int{m[0] + by, m[1] + by*length}
}

func put(ctx context.Context, tx pgx.Tx, c int, entries []learnedEntry) error {
	last := map[string]learnedEntry{} // of an id that comes twice the last one counts
	for _, e := range entries {
		last[e.id] = e
	}
	g := newChange()
	if err := remove(ctx, tx, c, slices.Sorted(maps.Keys(last)), g); err != nil {
		return err
	}
	rows := &pgx.Batch{}
	for _, id := range slices.Sorted(maps.Keys(last)) {
		e := last[id]
		g.count(e.terms, e.length, e.language, 1)
		rows.Queue(`INSERT INTO entries (collection, id, digest, terms, times, length, language) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			c, e.id, e.digest, e.terms, e.times, e.length, string(e.language))
	}
	if err := tx.SendBatch(ctx, rows).Close(); err != nil {
		return err
	}
	return g.store(ctx, tx, c)
}

// remove takes entries out. Who writes the index of a collection waits for others
// who do: counts are changed in one place.
func remove(ctx context.Context, tx pgx.Tx, c int, ids []string, g change) error {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, $2)`, indexing, c); err != nil {
		return err
	}
	_, err := collect(ctx, tx, func(row pgx.CollectableRow) (struct{}, error) {
		var terms []string
		var length int
		var language rank.Language
		err := row.Scan(&terms, &length, &language)
		g.count(terms, length, language, -1)
		return struct{}{}, err
	}, `DELETE FROM entries WHERE collection = $1 AND id = ANY ($2) RETURNING terms, length, language`, c, ids)
	return err
}

const indexing = 0x6978 // first half of the lock of those who write an index

func (g change) store(ctx context.Context, tx pgx.Tx, c int) error {
	var terms []string
	var by []int
	for _, term := range slices.Sorted(maps.Keys(g.terms)) {
		if n := g.terms[term]; n != 0 {
			terms, by = append(terms, term), append(by, n)
		}
	}
	if _, err := tx.Exec(ctx, `INSERT INTO terms AS t (collection, term, passages) SELECT $1, n.term, n.by FROM unnest($2::text[], $3::int[]) AS n (term, by)
		ON CONFLICT (term, collection) DO UPDATE SET passages = t.passages + excluded.passages`, c, terms, by); err != nil {
		return err
	}
	for _, language := range slices.Sorted(maps.Keys(g.languages)) {
		m := g.languages[language]
		if _, err := tx.Exec(ctx, `INSERT INTO measures AS m (collection, language, passages, length) VALUES ($1, $2, $3, $4)
			ON CONFLICT (collection, language) DO UPDATE SET passages = m.passages + excluded.passages, length = m.length + excluded.length`, c, string(language), m[0], m[1]); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `DELETE FROM terms WHERE collection = $1 AND term = ANY ($2) AND passages <= 0`, c, terms)
	return err
}

func (x *Index) putVectorsOf(ctx context.Context, entries []library.Entry) error {
	ids, digests, vectors := []evidence.PassageID{}, []string{}, [][]float32{}
	for _, e := range entries {
		if e.Vector != nil {
			ids, digests, vectors = append(ids, e.ID), append(digests, e.Digest), append(vectors, e.Vector)
		}
	}
	return x.PutVectors(ctx, ids, digests, vectors)
}

// PutStored is PutVectors of what the catalog gave.
func (x *Index) PutStored(ctx context.Context, ids []evidence.PassageID, digests []string, stored []quantize.Steps) error {
	return x.PutVectors(ctx, ids, digests, quantize.Vectors(stored))
}

// PutVectors gives passages their vectors; nil vectors are passed over. What the
// catalog has stored already is left as it is.
func (x *Index) PutVectors(ctx context.Context, ids []evidence.PassageID, digests []string, vectors [][]float32) error {
	if len(digests) != len(ids) || len(vectors) != len(ids) {
		return fmt.Errorf("index vectors: %d ids, %d digests, %d vectors", len(ids), len(digests), len(vectors))
	}
	if len(ids) == 0 {
		return ctx.Err()
	}
	own := make([][]float32, len(vectors))
	for i, v := range vectors {
		own[i] = slices.Clone(v)
	}
	packed := packVectors(own)
	return x.view.write(ctx, "index vectors", func(tx pgx.Tx, c int) error {
		rows := &pgx.Batch{}
		for i, id := range ids {
			if vectors[i] != nil {
				packed.queue(rows, c, id, digests[i], "", i)
			}
		}
		return tx.SendBatch(ctx, rows).Close()
	})
}

// Drop removes passages; ids that are not there are passed over.
func (x *Index) Drop(ctx context.Context, ids []evidence.PassageID) error {
	return x.view.write(ctx, "drop passages", func(tx pgx.Tx, c int) error {
		g := newChange()
		if err := remove(ctx, tx, c, letters(ids), g); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM vectors WHERE collection = $1 AND id = ANY ($2)`, c, letters(ids)); err != nil {
			return err
		}
		return g.store(ctx, tx, c)
	})
}
