package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/store/quantize"
	"footnote/backend/store/sqlite"
	"footnote/backend/store/tally"
)

// Unvectored gives at most n passages of the shelf that have no vector of this
// embedder, those of a text in its order. A text that has all is noted as
// complete on the way.
func (d *DB) Unvectored(ctx context.Context, embedder string, n int) ([]library.Placed, error) {
	due, err := d.dueTexts(ctx, n, withoutVectors)
	if err != nil {
		return nil, sqlite.Explain(err, "list texts without vectors")
	}
	if len(due) == 0 {
		others, err := d.forgetOtherVectors(ctx, embedder)
		if err != nil || !others {
			return nil, err
		}
		return d.Unvectored(ctx, embedder, n)
	}
	rows, err := d.unvectoredOf(ctx, due, embedder, n)
	if err != nil {
		return nil, err
	}
	if err := d.markVectored(ctx, embedder, completeOf(due, rows)); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return d.Unvectored(ctx, embedder, n) // a listed text is complete now: look again
	}
	return bare(rows), nil
}

// unvectoredOf gives the passages of texts that stand behind the last one of
// their text that was done, as far as n reach.
func (d *DB) unvectoredOf(ctx context.Context, due []dueText, embedder string, n int) ([]placedRow, error) {
	paths := map[int64]string{}
	for _, t := range due {
		paths[t.n] = t.path
	}
	list, err := sqlite.JSONList(keysOf(due))
	if err != nil {
		return nil, err
	}
	rows, err := d.readPlaced(ctx, scanPlaced, `WITH due AS MATERIALIZED (SELECT j.value AS text, coalesce((SELECT max(v.passage + v.count)
			FROM passages q JOIN vectors v ON v.passage = q.n AND v.embedder = ?2 WHERE q.text = j.value), 0) AS since FROM json_each(?1) j)
		SELECT `+placedColumns+` FROM due CROSS JOIN passages p ON p.text = due.text JOIN texts t ON t.n = p.text
		WHERE p.n >= due.since ORDER BY p.text, p.n LIMIT ?3`, list, embedder, n)
	for i := range rows {
		rows[i].Path = paths[rows[i].text]
	}
	return rows, sqlite.Explain(err, "read passages without vectors")
}

// completeOf are the texts that have no passage among the rows though later ones
// have: nothing of them is missing. Without any row it is the first, and those
// that never had passages.
func completeOf(due []dueText, rows []placedRow) (texts []int64) {
	if len(rows) == 0 {
		for i, t := range due {
			if i == 0 || t.passages == 0 {
				texts = append(texts, t.n)
			}
		}
		return texts
	}
	missing := map[int64]bool{}
	for _, r := range rows {
		missing[r.text] = true
	}
	for _, t := range due {
		if t.n < rows[len(rows)-1].text && !missing[t.n] {
			texts = append(texts, t.n)
		}
	}
	return texts
}

// forgetOtherVectors makes texts that are complete with another embedder's
// vectors due, and drops those. It reports whether there were any.
func (d *DB) forgetOtherVectors(ctx context.Context, embedder string) (bool, error) {
	var others bool
	err := d.counts.Read(ctx, d.r, func(all tally.Classes) {
		for class := range all.Texts {
			others = others || class.Vectored != "" && class.Vectored != embedder
		}
	})
	if err != nil || !others {
		return false, sqlite.Explain(err, "look for other vectors")
	}
	return true, d.write(ctx, "forget other vectors", func(tx *sqlite.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE texts SET vectored = '' WHERE vectored NOT IN ('', ?)`, embedder); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM vectors WHERE embedder <> ?`, embedder)
		return err
	})
}

func (d *DB) markVectored(ctx context.Context, embedder string, texts []int64) error {
	if len(texts) == 0 {
		return nil
	}
	list, err := sqlite.JSONList(texts)
	if err != nil {
		return err
	}
	_, err = d.w.ExecContext(ctx, `UPDATE texts SET vectored = ? WHERE n IN (SELECT value FROM json_each(?))`, embedder, list)
	return sqlite.Explain(err, "note complete vectors")
}

// spot is where a passage stands in the tables.
type spot struct {
	n, text int64
	last    bool // of its text
}

// PutVectors stores vectors by passage, at one byte a component, those of an
// embedder of this process at about half of it, and sets them to what it kept;
// passages that are gone or off the shelf are passed over.
func (d *DB) PutVectors(ctx context.Context, embedder string, own bool, ids []evidence.PassageID, vectors [][]float32) error {
	if len(ids) != len(vectors) {
		return fault.New(fault.Internal, "Passages and vectors do not match in number.", "")
	}
	pack := quantize.Bytes
	if own {
		pack = quantize.Coarse
	}
	return d.write(ctx, "store vectors", func(tx *sqlite.Tx) error {
		var run []spot // passages that follow each other in one text, and end at i
		for i, id := range ids {
			var s spot
			err := tx.QueryRowContext(ctx, `SELECT p.n, p.text, NOT EXISTS (SELECT 1 FROM passages q WHERE q.text = p.text AND q.idx > p.idx)
				FROM passages p JOIN texts t ON t.n = p.text WHERE p.id = ? AND t.shelved = 1`, storedID(id)).Scan(&s.n, &s.text, &s.last)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
			gone := err != nil
			if len(run) > 0 && (gone || s.text != run[0].text || s.n != run[0].n+int64(len(run))) {
				if err := putRun(ctx, tx, embedder, run, pack(vectors[i-len(run):i])); err != nil {
					return err
				}
				run = run[:0]
			}
			if !gone {
				run = append(run, s)
			}
		}
		return putRun(ctx, tx, embedder, run, pack(vectors[len(vectors)-len(run):]))
	})
}

func putRun(ctx context.Context, tx *sqlite.Tx, embedder string, run []spot, data []byte) error {
	if len(run) == 0 {
		return nil
	}
	err := putVectorRow(ctx, tx, embedder, run[0].n, len(run), data)
	if err == nil && run[len(run)-1].last {
		_, err = tx.ExecContext(ctx, `UPDATE texts SET vectored = ? WHERE n = ?`, embedder, run[0].text)
	}
	return err
}

// rowVectors are the most vectors of a row that comes with its text: rows are read
// whole.
const rowVectors = 64

// vectorsRow are the packed vectors of passages of a text that follow each other.
type vectorsRow struct {
	first, count int // among the passages
	data         []byte
}

// packRows packs the vectors of the passages of a text, and sets them to what is
// kept.
func packRows(vectors [][]float32) (rows []vectorsRow) {
	for at := 0; at < len(vectors); at += rowVectors {
		part := vectors[at:min(at+rowVectors, len(vectors))]
		rows = append(rows, vectorsRow{at, len(part), quantize.Coarse(part)})
	}
	return rows
}

// putVectorRows stores the vectors that came with a new text, and notes that it
// has all. Without a vector for each passage, or where passages do not follow each
// other, they are left to be made.
func putVectorRows(ctx context.Context, tx *sqlite.Tx, text int64, p packed, passages int) error {
	if len(p.vectors) == 0 {
		return nil
	}
	last := p.vectors[len(p.vectors)-1]
	var first, count, end int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce(min(n), 0), count(*), coalesce(max(n), 0) FROM passages WHERE text = ?`, text).Scan(&first, &count, &end)
	if err != nil || last.first+last.count != passages || count != int64(passages) || end-first+1 != count {
		return err
	}
	for _, row := range p.vectors {
		if err := putVectorRow(ctx, tx, p.embedder, first+int64(row.first), row.count, row.data); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE texts SET vectored = ? WHERE n = ?`, p.embedder, text)
	return err
}

func putVectorRow(ctx context.Context, tx *sqlite.Tx, embedder string, first int64, count int, data []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO vectors (passage, embedder, count, vectors) VALUES (?, ?, ?, ?)`, first, embedder, count, data)
	return err
}

// vectorBatch is about how many vectors EachEncoded hands over at once, vectorPage
// how many rows of them EachVector does.
const (
	vectorBatch = 1000
	vectorPage  = 128
)

// vectorRow is a row of vectors with its passages, which are as many, and whose
// ids it has in their order.
type vectorRow struct {
	first, count int64
	packed       []byte
	digest, ids  string
}

// storedVectors are some of passages, side by side.
type storedVectors struct {
	ids     []evidence.PassageID
	digests []string
	vectors []quantize.Steps
}

// EachVector walks the vectors of the shelf in batches. It reads one page of
// rows at a time, so that no reader connection is held while a batch is used, and
// the next one meanwhile: a search after a start waits for all of them.
func (d *DB) EachVector(ctx context.Context, embedder string, each func(ids []evidence.PassageID, digests []string, vectors []quantize.Steps) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan storedVectors)
	var failed error // set before batches is closed
	go func() {
		defer close(batches)
		failed = d.readVectors(ctx, embedder, batches)
	}()
	for batch := range batches {
		if err := each(batch.ids, batch.digests, batch.vectors); err != nil {
			stop()
			for range batches { // the reader ends before its caller goes on
			}
			return err
		}
	}
	return sqlite.Explain(failed, "read vectors")
}

func (d *DB) readVectors(ctx context.Context, embedder string, batches chan<- storedVectors) error {
	scan := func(rows *sql.Rows) (vectorRow, error) {
		var r vectorRow
		err := rows.Scan(&r.first, &r.count, &r.packed, &r.digest, &r.ids)
		return r, err
	}
	for after := int64(0); ; {
		rows, err := sqlite.Collect(ctx, d.r, scan, `SELECT v.passage, v.count, v.vectors, t.digest,
				(SELECT group_concat(`+groupedID+`, ' ') FROM (SELECT p.id FROM passages p WHERE p.n BETWEEN v.passage AND v.passage + v.count - 1 ORDER BY p.n))
			FROM vectors v CROSS JOIN passages q ON q.n = v.passage JOIN texts t ON t.n = q.text
			WHERE v.passage > ? AND v.embedder = ? ORDER BY v.passage LIMIT ?`, after, embedder, vectorPage)
		if err != nil || len(rows) == 0 {
			return err
		}
		after = rows[len(rows)-1].first
		var batch storedVectors
		for _, r := range rows {
			if err = d.addVectors(ctx, &batch, r); errors.Is(err, quantize.ErrMalformed) {
				err = d.dropVectorRow(ctx, embedder, r.first)
			}
			if err != nil {
				return err
			}
		}
		select {
		case batches <- batch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// addVectors adds the passages of a row with their vectors; those without one are
// left out.
func (d *DB) addVectors(ctx context.Context, batch *storedVectors, r vectorRow) error {
	vectors, err := quantize.Unpack(r.packed, int(r.count))
	if err == nil && slices.ContainsFunc(vectors, quantize.Steps.IsNowhere) {
		err = quantize.ErrMalformed
	}
	if err != nil {
		return errors.Join(quantize.ErrMalformed, err)
	}
	listed := strings.Fields(r.ids)
	ids, places := make([]evidence.PassageID, len(listed)), make([]int64, len(listed))
	for i, s := range listed {
		if ids[i], err = ungroup(s); err != nil {
			return sqlite.Damaged(err)
		}
		places[i] = int64(i)
	}
	if int64(len(ids)) != r.count { // one of them is gone
		if ids, places, err = d.idsFrom(ctx, r); err != nil {
			return err
		}
	}
	for i, id := range ids {
		if at := places[i]; at < int64(len(vectors)) && vectors[at].Of != nil {
			batch.ids, batch.digests, batch.vectors = append(batch.ids, id), append(batch.digests, r.digest), append(batch.vectors, vectors[at])
		}
	}
	return nil
}

// dropVectorRow takes out a row that was harmed on disk; the vectors of its text
// are made again.
func (d *DB) dropVectorRow(ctx context.Context, embedder string, first int64) error {
	d.log.Warn("stored vectors are damaged and are made again", "first passage", first)
	return d.write(ctx, "drop damaged vectors", func(tx *sqlite.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM vectors WHERE passage = ? AND embedder = ?`, first, embedder)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE texts SET vectored = '' WHERE n = (SELECT text FROM passages WHERE n = ?)`, first)
		}
		return err
	})
}

// idsFrom reads the passages of a row one by one, with their places in it.
func (d *DB) idsFrom(ctx context.Context, r vectorRow) (ids []evidence.PassageID, places []int64, err error) {
	_, err = sqlite.Collect(ctx, d.r, func(rows *sql.Rows) (struct{}, error) {
		var id evidence.PassageID
		var at int64
		err := rows.Scan(ofID(&id), &at)
		ids, places = append(ids, id), append(places, at)
		return struct{}{}, err
	}, `SELECT id, n - ? FROM passages WHERE n BETWEEN ? AND ? ORDER BY n`, r.first, r.first, r.first+r.count-1)
	return ids, places, err
}
