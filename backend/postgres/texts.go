package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
)

// Known gives what is held of texts.
func (v *View) Known(ctx context.Context, digests []string) (map[string]library.Known, error) {
	known := map[string]library.Known{}
	_, err := list(ctx, v, "look up texts", func(row pgx.CollectableRow) (struct{}, error) {
		var digest, coverage string
		var k library.Known
		err := row.Scan(&digest, &k.Title, &k.Media, &coverage, &k.Passages)
		if err == nil {
			err = json.Unmarshal([]byte(coverage), &k.Coverage)
		}
		known[digest] = k
		return struct{}{}, err
	}, `SELECT digest, title, media, coverage, passages FROM texts WHERE collection = ANY ($1) AND digest = ANY ($2)`, digests)
	return known, err
}

// Commit stores what came of reading a batch of files, all or nothing. Vectors
// that come with a text are set to what was kept.
func (v *View) Commit(ctx context.Context, batch []library.Intake) error {
	packed := make([]packedVectors, len(batch))
	for i, in := range batch {
		packed[i] = packVectors(in.Vectors)
	}
	return v.write(ctx, "store texts", func(tx pgx.Tx, c int) error {
		files := make([]library.File, len(batch))
		for i, in := range batch {
			files[i] = in.File
			if in.Document == nil {
				continue
			}
			if err := putText(ctx, tx, c, in, packed[i]); err != nil {
				return err
			}
		}
		return putFiles(ctx, tx, c, files)
	})
}

// putText stores a text with its passages, unless it is there.
func putText(ctx context.Context, tx pgx.Tx, c int, in library.Intake, vectors packedVectors) error {
	doc := in.Document
	columns, err := inJSON(doc.Coverage, doc.Flags, doc.Blocks, in.Words, in.Topics)
	if err != nil {
		return fmt.Errorf("write text: %w", err)
	}
	source := doc.Source
	vectored := ""
	if len(in.Vectors) > 0 && len(in.Vectors) == len(in.Passages) {
		vectored = in.Embedder
	}
	var n int64
	err = tx.QueryRow(ctx, `INSERT INTO texts (collection, digest, title, media, published, coverage, flags, body, blocks, passages, vectored)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (collection, digest) DO NOTHING RETURNING n`,
		c, source.Digest, plainText(source.Title), source.MediaType, millis(source.Published), columns[0], columns[1], plainText(doc.Text), columns[2], len(in.Passages), vectored).Scan(&n)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	rows := &pgx.Batch{}
	for _, p := range in.Passages {
		rows.Queue(`INSERT INTO passages (collection, id, text, digest, idx, page, line, start, stop, heading, place, words) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			c, string(p.ID), n, source.Digest, p.Index, p.At.Page, p.At.Line, p.At.Start, p.At.End, plainText(p.At.Heading), plainText(p.At.Place), plainText(p.Text))
		rows.Queue(`DELETE FROM dropped WHERE collection = $1 AND id = $2`, c, string(p.ID))
	}
	if vectored != "" {
		for i, p := range in.Passages {
			vectors.queue(rows, c, p.ID, source.Digest, vectored, i)
		}
	}
	rows.Queue(`INSERT INTO topics (text, collection, words, chosen) VALUES ($1, $2, $3, $4)`, n, c, columns[3], columns[4])
	return tx.SendBatch(ctx, rows).Close()
}

func inJSON(values ...any) ([]string, error) {
	out := make([]string, len(values))
	for i, value := range values {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		out[i] = string(data)
	}
	return out, nil
}

const placedColumns = `p.id, p.digest, p.idx, p.page, p.line, p.start, p.stop, p.heading, p.place, p.words`

func scanPlaced(row pgx.CollectableRow) (library.Placed, error) { return scanPlacedWith(row) }

func scanPlacedWith(row pgx.CollectableRow, more ...any) (placed library.Placed, err error) {
	p, at := &placed.Passage, &placed.Passage.At
	into := []any{&p.ID, &placed.Digest, &p.Index, &at.Page, &at.Line, &at.Start, &at.End, &at.Heading, &at.Place, &p.Text}
	err = row.Scan(append(into, more...)...)
	return placed, err
}

// Passages gives stored passages by id, in no order; ids that are unknown are left
// out, as are those that may not be read. What two collections have is given once.
func (v *View) Passages(ctx context.Context, ids []evidence.PassageID) ([]library.Placed, error) {
	return list(ctx, v, "read passages", scanPlaced, `SELECT DISTINCT ON (p.id) `+placedColumns+` FROM passages p
		WHERE p.collection = ANY ($1) AND p.id = ANY ($2) ORDER BY p.id, p.collection`, letters(ids))
}

// Openings gives the first passage of each text, in no order; a text without any
// is left out.
func (v *View) Openings(ctx context.Context, digests []string) ([]library.Placed, error) {
	return list(ctx, v, "read the openings of texts", scanPlaced, `SELECT DISTINCT ON (t.digest) `+placedColumns+` FROM texts t JOIN passages p ON p.text = t.n
		WHERE t.collection = ANY ($1) AND t.digest = ANY ($2) ORDER BY t.digest, t.collection, p.idx`, digests)
}

// Where tells in which text each passage stands, by its digest.
func (v *View) Where(ctx context.Context, ids []evidence.PassageID) (map[evidence.PassageID]string, error) {
	found := make(map[evidence.PassageID]string, len(ids))
	_, err := list(ctx, v, "look up passages", func(row pgx.CollectableRow) (struct{}, error) {
		var id evidence.PassageID
		var digest string
		err := row.Scan(&id, &digest)
		found[id] = digest
		return struct{}{}, err
	}, `SELECT p.id, p.digest FROM passages p WHERE p.collection = ANY ($1) AND p.id = ANY ($2)`, letters(ids))
	return found, err
}

func letters[T ~string](ids []T) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

// Text gives a text with its places. One that is not there, or may not be read, is
// fault not-found.
func (v *View) Text(ctx context.Context, digest string) (text string, blocks []evidence.Block, err error) {
	var packed string
	err = v.read(ctx, "read text", func(tx pgx.Tx, reads []int) error {
		return tx.QueryRow(ctx, `SELECT body, blocks FROM texts WHERE collection = ANY ($1) AND digest = $2 ORDER BY collection LIMIT 1`, reads, digest).Scan(&text, &packed)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil, fault.New(fault.NotFound, "This text is not in the library.", "It may have been removed, or you may not open it.")
	case err != nil:
		return "", nil, err
	}
	return text, blocks, json.Unmarshal([]byte(packed), &blocks)
}
