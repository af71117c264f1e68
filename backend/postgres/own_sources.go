package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/records"
)

// Keep stores what was read: sources, and texts with their passages under the
// digest. What is there stays as it was first read. Texts of files are the
// library's, and stay behind its rights.
func (o *Own) Keep(ctx context.Context, texts ...answer.Kept) error {
	return o.change(ctx, "keep sources", func(tx pgx.Tx, s scope) error {
		for _, t := range texts {
			if err := o.keep(ctx, tx, t, false); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *Own) keep(ctx context.Context, tx pgx.Tx, t answer.Kept, brought bool) error {
	src, file := t.Source, t.Source.Kind == evidence.File && !brought
	columns, err := inJSON(t.Coverage, t.Flags, t.Blocks)
	if err != nil {
		return fmt.Errorf("keep source %s: %w", src.ID, err)
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO sources (person, id, digest, kind, title, address, media, published, seen, brought) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (person, id) DO UPDATE SET seen = greatest(sources.seen, excluded.seen), brought = sources.brought AND excluded.brought`,
		o.person, string(src.ID), src.Digest, string(src.Kind), plainText(src.Title), storedPath(src.Address), src.MediaType, millis(src.Published), millis(src.Seen), brought)
	if !file {
		batch.Queue(`INSERT INTO snapshots (person, digest, coverage, flags, image, body, blocks) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			o.person, src.Digest, columns[0], columns[1], t.Image, plainText(t.Text), columns[2])
	}
	for _, p := range t.Passages {
		batch.Queue(`INSERT INTO excerpts (person, id, digest, idx, page, line, start, stop, heading, place, words, file) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
			o.person, string(p.ID), src.Digest, p.Index, p.At.Page, p.At.Line, p.At.Start, p.At.End, plainText(p.At.Heading), plainText(p.At.Place), plainText(p.Text), file)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// mayRead is the text with a digest as this person may read it: $1 are whose
// records, $2 the collections.
const mayRead = `(SELECT coverage, flags, image, body, blocks FROM snapshots WHERE person = ANY ($1) AND digest = %[1]s
	UNION ALL SELECT coverage, flags, '', body, blocks FROM all_texts WHERE collection = ANY ($2) AND digest = %[1]s LIMIT 1)`

// named are the sources that have a name: this person's own, and files of the library.
const named = `(SELECT id, kind, title, address, media, digest, published, seen, brought FROM sources WHERE person = ANY ($1) AND id = $3
	UNION ALL SELECT f.source, 'file', t.title, f.path, t.media, f.digest, t.published, f.indexed, false
	FROM files f JOIN texts t ON t.collection = f.collection AND t.digest = f.digest WHERE f.collection = ANY ($2) AND f.source = $3 LIMIT 1)`

// Source gives a source by id; one that is missing, or of a text that may not be
// read, is fault not-found.
func (o *Own) Source(ctx context.Context, id evidence.SourceID) (s records.SourceInfo, err error) {
	err = o.look(ctx, "read source", func(tx pgx.Tx, may scope) error {
		list, err := collect(ctx, tx, scanSource, `SELECT s.id, s.kind, s.title, s.address, s.media, s.digest, s.published, s.seen, s.brought, t.coverage, t.flags, t.image, char_length(t.body)
			FROM `+named+` s, LATERAL `+fmt.Sprintf(mayRead, "s.digest")+` t`, may.own, may.reads, string(id))
		s, err = only(list, err, "source")
		return err
	})
	return s, err
}

func scanSource(row pgx.CollectableRow) (s records.SourceInfo, err error) {
	var published, seen int64
	var coverage, flags string
	if err := row.Scan(&s.ID, &s.Kind, &s.Title, &s.Address, &s.MediaType, &s.Digest, &published, &seen, &s.Brought, &coverage, &flags, &s.Image, &s.Chars); err != nil {
		return s, err
	}
	s.Address, s.Published, s.Seen = readPath(s.Address), moment(published), moment(seen)
	return s, errors.Join(json.Unmarshal([]byte(coverage), &s.Coverage), json.Unmarshal([]byte(flags), &s.Flags))
}

// SourceText gives the whole text of a source as it was read, with its blocks.
func (o *Own) SourceText(ctx context.Context, id evidence.SourceID) (string, []evidence.Block, error) {
	src, err := o.Source(ctx, id)
	if err != nil {
		return "", nil, err
	}
	return o.Text(ctx, src.Digest)
}

// Text gives the text with a digest, with its blocks; one that is missing, or may
// not be read, is fault not-found.
func (o *Own) Text(ctx context.Context, digest string) (text string, blocks []evidence.Block, err error) {
	var packed string
	err = o.look(ctx, "read text", func(tx pgx.Tx, s scope) error {
		err := tx.QueryRow(ctx, `SELECT t.body, t.blocks FROM `+fmt.Sprintf(mayRead, "$3")+` t`, s.own, s.reads, digest).Scan(&text, &packed)
		if errors.Is(err, pgx.ErrNoRows) {
			return missing("text")
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return text, blocks, json.Unmarshal([]byte(packed), &blocks)
}

// PathOf gives the path of a file of the library whose bytes have this digest, the
// first one by name; a missing one is fault not-found.
func (o *Own) PathOf(ctx context.Context, digest string) (string, error) {
	paths, err := list(ctx, o.View, "look up file", pgx.RowTo[string], `SELECT path FROM files WHERE collection = ANY ($1) AND digest = $2 AND state <> 'removed' ORDER BY path LIMIT 1`, digest)
	path, err := only(paths, err, "file")
	return readPath(path), err
}

// excerpt are the passages that this person may read: $1 are whose records, $2 the
// collections.
const excerpt = `(SELECT id, digest, idx, page, line, start, stop, heading, place, words FROM all_passages WHERE collection = ANY ($2)
	UNION ALL SELECT id, digest, idx, page, line, start, stop, heading, place, words FROM excerpts e WHERE person = ANY ($1)
	AND (NOT file OR EXISTS (SELECT 1 FROM all_texts t WHERE t.collection = ANY ($2) AND t.digest = e.digest)))`

// Passage gives a passage by id with the source that was read last of those that
// share its text; a missing one is fault not-found.
func (o *Own) Passage(ctx context.Context, id evidence.PassageID) (p evidence.Passage, src evidence.Source, err error) {
	err = o.look(ctx, "read passage", func(tx pgx.Tx, s scope) error {
		list, err := collect(ctx, tx, scanPlaced, `SELECT `+placedColumns+` FROM `+excerpt+` p WHERE p.id = $3 LIMIT 1`, s.own, s.reads, string(id))
		placed, err := only(list, err, "passage")
		if err != nil {
			return err
		}
		p = placed.Passage
		sources, err := collect(ctx, tx, pgx.RowTo[string], `SELECT id FROM sources WHERE person = ANY ($1) AND digest = $3
			UNION ALL SELECT source FROM files WHERE collection = ANY ($2) AND digest = $3 AND state <> 'removed' LIMIT 1`, s.own, s.reads, placed.Digest)
		name, err := only(sources, err, "source")
		p.Source = evidence.SourceID(name)
		return err
	})
	if err != nil {
		return p, src, err
	}
	info, err := o.Source(ctx, p.Source)
	return p, info.Source, err
}

// Neighbours gives the passages that stand around one in its text.
func (o *Own) Neighbours(ctx context.Context, id evidence.PassageID) (around []evidence.Passage, err error) {
	err = o.look(ctx, "read neighbours", func(tx pgx.Tx, s scope) error {
		list, err := collect(ctx, tx, scanPlaced, `WITH all_of AS (SELECT * FROM `+excerpt+` x)
			SELECT DISTINCT ON (p.idx) `+placedColumns+` FROM all_of o JOIN all_of p ON p.digest = o.digest AND p.idx IN (o.idx - 1, o.idx + 1) WHERE o.id = $3 ORDER BY p.idx`, s.own, s.reads, string(id))
		for _, placed := range list {
			around = append(around, placed.Passage)
		}
		return err
	})
	return around, err
}

// KeepRanking stores how the evidence of a run was ranked; it goes with the run.
func (o *Own) KeepRanking(ctx context.Context, run contract.RunID, r trace.Ranking) error {
	return o.keepFact(ctx, run, "ranking", r)
}

// Ranking gives how the evidence of a run was ranked; none is fault not-found.
func (o *Own) Ranking(ctx context.Context, run contract.RunID) (trace.Ranking, error) {
	return fact[trace.Ranking](ctx, o, run, "ranking")
}

// KeepTape stores what models said in a run; it goes with the run.
func (o *Own) KeepTape(ctx context.Context, run contract.RunID, t trace.Tape) error {
	return o.keepFact(ctx, run, "tape", t)
}

// Tape gives what models said in a run; none is fault not-found.
func (o *Own) Tape(ctx context.Context, run contract.RunID) (trace.Tape, error) {
	return fact[trace.Tape](ctx, o, run, "tape")
}

// KeepStudy stores how far deep research has come; it goes with the run.
func (o *Own) KeepStudy(ctx context.Context, run contract.RunID, s contract.Study) error {
	return o.keepFact(ctx, run, "study", s)
}

// Study gives how far deep research had come; none is fault not-found.
func (o *Own) Study(ctx context.Context, run contract.RunID) (contract.Study, error) {
	return fact[contract.Study](ctx, o, run, "study")
}

// Unfinished lists the runs of deep research that no process is at work on.
func (o *Own) Unfinished(ctx context.Context) (unfinished []contract.Run, err error) {
	open, err := o.left(ctx)
	if err != nil {
		return nil, err
	}
	for _, run := range open {
		events, err := o.Since(ctx, run.ID, 0)
		if err != nil {
			return nil, err
		}
		if records.GoesOn(run, events) {
			unfinished = append(unfinished, run)
		}
	}
	return unfinished, nil
}

func (o *Own) keepFact(ctx context.Context, run contract.RunID, kind string, v any) error {
	return o.change(ctx, "store "+kind, func(tx pgx.Tx, _ scope) error { return o.putFact(ctx, tx, run, kind, v) })
}

// putFact stores what was noted of a run, in the place of what there was.
func (o *Own) putFact(ctx context.Context, tx pgx.Tx, run contract.RunID, kind string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", kind, run, err)
	}
	tag, err := tx.Exec(ctx, `UPDATE facts SET data = $4 WHERE person = $1 AND run = $2 AND kind = $3`, o.person, run, kind, string(data))
	if err == nil && tag.RowsAffected() == 0 { // one that is there, and withheld, stays as it is
		_, err = tx.Exec(ctx, `INSERT INTO facts (person, run, kind, data) VALUES ($1, $2, $3, $4) ON CONFLICT (person, run, kind) DO NOTHING`, o.person, run, kind, string(data))
	}
	return err
}

func fact[T any](ctx context.Context, o *Own, run contract.RunID, kind string) (T, error) {
	list, err := answered(ctx, o, "read "+kind, func(row pgx.CollectableRow) (v T, err error) { return v, scanJSON(row, &v) },
		`SELECT data FROM facts WHERE person = ANY ($1) AND run <> ALL ($2) AND run = $3 AND kind = $4`, run, kind)
	return only(list, err, kind)
}
