package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
)

// packedVectors are vectors as rows keep them: catalog and index share the rows, so
// that what is stored is what is searched.
type packedVectors struct {
	dims   []int
	signs  []pgtype.Bits
	packed [][]byte // nil: the passage cannot have a vector
}

// packVectors packs vectors at a byte a component, and sets them to what is kept.
func packVectors(vectors [][]float32) (p packedVectors) {
	for i, v := range vectors {
		var packed []byte
		if v != nil {
			packed = quantize.Bytes(vectors[i : i+1])
		}
		p.dims, p.signs, p.packed = append(p.dims, len(v)), append(p.signs, signsOf(v)), append(p.packed, packed)
	}
	return p
}

// signsOf tells which components are above 0, a bit each.
func signsOf(v []float32) pgtype.Bits {
	bits := pgtype.Bits{Bytes: make([]byte, (len(v)+7)/8), Len: int32(len(v)), Valid: true}
	for i, x := range v {
		if x > 0 {
			bits.Bytes[i/8] |= 0x80 >> (i % 8)
		}
	}
	return bits
}

func (p packedVectors) queue(rows *pgx.Batch, collection int, id evidence.PassageID, digest, embedder string, i int) {
	rows.Queue(`INSERT INTO vectors (collection, id, digest, embedder, dims, signs, packed) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id, collection) DO UPDATE SET digest = excluded.digest, embedder = coalesce(nullif(excluded.embedder, ''), vectors.embedder),
		dims = excluded.dims, signs = excluded.signs, packed = excluded.packed
		WHERE (vectors.packed, vectors.digest) IS DISTINCT FROM (excluded.packed, excluded.digest) OR excluded.embedder NOT IN ('', vectors.embedder)`,
		collection, string(id), digest, embedder, p.dims[i], p.signs[i], p.packed[i])
}

// Unvectored gives at most n passages that have no vector of this embedder, those
// of a text in its order. A text that has all is noted as complete on the way.
func (v *View) Unvectored(ctx context.Context, embedder string, n int) (placed []library.Placed, err error) {
	for more := true; more && err == nil && len(placed) == 0; {
		err = v.write(ctx, "read passages without vectors", func(tx pgx.Tx, c int) error {
			due, err := v.dueTexts(ctx, tx, c, n, `t.vectored <> $3`, embedder)
			if more = len(due) > 0; err != nil || !more {
				return err
			}
			numbers, paths := dueNumbers(due)
			if placed, err = passagesOf(ctx, tx, paths, `SELECT `+placedColumns+`, p.text FROM passages p WHERE p.text = ANY ($1)
				AND NOT EXISTS (SELECT 1 FROM vectors w WHERE w.id = p.id AND w.collection = p.collection AND w.embedder = $2) ORDER BY p.text, p.idx LIMIT $3`, numbers, embedder, n); err != nil {
				return err
			}
			return markVectored(ctx, tx, c, embedder, numbers)
		})
	}
	return placed, err
}

// markVectored notes which of some texts have all their vectors.
func markVectored(ctx context.Context, tx pgx.Tx, c int, embedder string, texts []int64) error {
	_, err := tx.Exec(ctx, `UPDATE texts t SET vectored = $2 WHERE t.collection = $1 AND t.n = ANY ($3) AND t.vectored <> $2 AND NOT EXISTS (SELECT 1 FROM passages p WHERE p.text = t.n
		AND NOT EXISTS (SELECT 1 FROM vectors w WHERE w.id = p.id AND w.collection = p.collection AND w.embedder = $2))`, c, embedder, texts)
	return err
}

// PutVectors stores vectors by passage, at one byte a component, and sets them to
// what it kept; passages that are gone are passed over.
func (v *View) PutVectors(ctx context.Context, embedder string, _ bool, ids []evidence.PassageID, vectors [][]float32) error {
	if len(ids) != len(vectors) {
		return fault.New(fault.Internal, "Passages and vectors do not match in number.", "")
	}
	packed := packVectors(vectors)
	return v.write(ctx, "store vectors", func(tx pgx.Tx, c int) error {
		digests, texts, err := placesOf(ctx, tx, c, ids)
		if err != nil {
			return err
		}
		rows := &pgx.Batch{}
		for i, id := range ids {
			if digest, there := digests[id]; there {
				packed.queue(rows, c, id, digest, embedder, i)
			}
		}
		if err := tx.SendBatch(ctx, rows).Close(); err != nil {
			return err
		}
		return markVectored(ctx, tx, c, embedder, texts)
	})
}

// placesOf gives the digests of the passages that are there, and their texts.
func placesOf(ctx context.Context, tx pgx.Tx, c int, ids []evidence.PassageID) (digests map[evidence.PassageID]string, texts []int64, err error) {
	digests, seen := map[evidence.PassageID]string{}, map[int64]bool{}
	_, err = collect(ctx, tx, func(row pgx.CollectableRow) (struct{}, error) {
		var id evidence.PassageID
		var digest string
		var text int64
		err := row.Scan(&id, &digest, &text)
		if digests[id] = digest; !seen[text] {
			seen[text], texts = true, append(texts, text)
		}
		return struct{}{}, err
	}, `SELECT id, digest, text FROM passages WHERE collection = $1 AND id = ANY ($2)`, c, letters(ids))
	return digests, texts, err
}

// vectorBatch is how many vectors EachVector hands over at once.
const vectorBatch = 500

// EachVector walks all vectors of an embedder in batches. No connection is held
// while a batch is used.
func (v *View) EachVector(ctx context.Context, embedder string, each func(ids []evidence.PassageID, digests []string, vectors []quantize.Steps) error) error {
	for after := ""; ; {
		last := after
		ids, digests := []evidence.PassageID{}, []string{}
		rows, err := list(ctx, v, "read vectors", func(row pgx.CollectableRow) (s quantize.Steps, err error) {
			digest, packed := "", []byte(nil)
			if err := row.Scan(&last, &digest, &packed); err != nil {
				return s, err
			}
			ids, digests = append(ids, evidence.PassageID(last)), append(digests, digest)
			return unpack(packed)
		}, `SELECT DISTINCT ON (id) id, digest, packed FROM vectors WHERE collection = ANY ($1) AND embedder = $2 AND packed IS NOT NULL AND id > $3 ORDER BY id LIMIT $4`, embedder, after, vectorBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		if after = last; after == "" {
			return nil
		}
		if err := each(ids, digests, rows); err != nil {
			return err
		}
	}
}

func unpack(packed []byte) (quantize.Steps, error) {
	vectors, err := quantize.Unpack(packed, 1)
	if err != nil || len(vectors) != 1 {
		return quantize.Steps{}, fmt.Errorf("read vector: %w", err)
	}
	return vectors[0], nil
}
