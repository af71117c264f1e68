package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
)

// Keep stores what was read: the sources, their texts under the digest, and the
// passages. What is there already stays as it was first read, so that a citation
// never moves under its reader.
func (d *DB) Keep(ctx context.Context, texts ...answer.Kept) error {
	all := make([]packed, len(texts))
	for i, t := range texts {
		var err error
		if all[i], err = packDocument(&d.packer, t.Document); err == nil {
			all[i].sections, err = d.packer.Sections(t.Passages)
		}
		if err != nil {
			return fmt.Errorf("keep source %s: %w", t.Source.ID, err)
		}
	}
	return d.write(ctx, "keep sources", func(tx *sqlite.Tx) error {
		for i, t := range texts {
			if err := putSource(ctx, tx, t.Source); err != nil {
				return err
			}
			if _, _, err := putText(ctx, tx, all[i], t.Passages); err != nil {
				return err
			}
		}
		return nil
	})
}

// packed is a document as its rows want it. Packing is work for the processor
// and happens before the transaction.
type packed struct {
	evidence.Document
	parts           [][]byte
	blocks          []byte
	coverage, flags string
	brought         bool // in a bundle: it was read elsewhere
	sections        pack.Sections
	embedder        string // of the vectors
	vectors         []vectorsRow
}

func packDocument(p *pack.Packer, doc evidence.Document) (packed, error) {
	parts, err := p.Parts(doc.Text)
	if err != nil {
		return packed{}, err
	}
	blocks, err := p.PackBlocks(doc.Blocks)
	if err != nil {
		return packed{}, fmt.Errorf("pack blocks: %w", err)
	}
	coverage, err := json.Marshal(doc.Coverage)
	if err != nil {
		return packed{}, fmt.Errorf("encode coverage: %w", err)
	}
	flags, err := json.Marshal(doc.Flags)
	if err != nil {
		return packed{}, fmt.Errorf("encode flags: %w", err)
	}
	return packed{Document: doc, parts: parts, blocks: blocks, coverage: string(coverage), flags: string(flags)}, nil
}

func putSource(ctx context.Context, tx *sqlite.Tx, s evidence.Source) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO sources (id, digest, kind, title, address, media, published, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET seen = max(seen, excluded.seen), brought = 0`,
		s.ID, s.Digest, s.Kind, s.Title, s.Address, s.MediaType, millis(s.Published), millis(s.Seen))
	return err
}

// putText stores a text that is not there yet, with its vectors, and the passages
// that are not. It gives the text's number, and whether it has just the passages
// it came with.
func putText(ctx context.Context, tx *sqlite.Tx, p packed, passages []evidence.Passage) (n int64, created bool, err error) {
	var brought bool
	err = tx.QueryRowContext(ctx, `SELECT n, brought FROM texts WHERE digest = ?`, p.Source.Digest).Scan(&n, &brought)
	own := len(passages)
	if err == nil && brought && !p.brought {
		if passages, err = giveWay(ctx, tx, n, p.Text, passages); err != nil {
			return 0, false, err
		}
		err = sql.ErrNoRows
	}
	if err == nil {
		// A snapshot may have had fewer of its passages, and was perhaps read by
		// another version: they bring their own words.
		if err := putPassages(ctx, tx, n, nil, nil, passages); err != nil {
			return 0, false, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE texts SET passages = max(passages, ?) WHERE n = ?`, len(passages), n)
		return n, false, err
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, false, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO texts (digest, title, media, published, chars, coverage, flags, image, passages, part, brought) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING n`,
		p.Source.Digest, p.Source.Title, p.Source.MediaType, millis(p.Source.Published), utf8.RuneCountInString(p.Text), p.coverage, p.flags, p.Image, len(passages), pack.PartChars, p.brought).Scan(&n)
	if err != nil {
		return 0, false, err
	}
	for i, part := range slices.Concat([][]byte{p.blocks}, p.parts) {
		if _, err := tx.ExecContext(ctx, `INSERT INTO parts (text, part, data) VALUES (?, ?, ?)`, n, i+pack.BlocksPart, part); err != nil {
			return 0, false, err
		}
	}
	for i, part := range p.sections.Parts {
		if _, err := tx.ExecContext(ctx, `INSERT INTO parts (text, part, data) VALUES (?, ?, ?)`, n, pack.SectionsPart-i, part); err != nil {
			return 0, false, err
		}
	}
	if err := putPassages(ctx, tx, n, pack.NewRuler(p.Text), p.sections.Place, passages); err != nil || len(passages) != own {
		return n, false, err
	}
	return n, true, putVectorRows(ctx, tx, n, p, len(passages))
}

// putPassages stores passages as places in their text; one that is not what
// stands there keeps its own words, and so do all without a text, and those whose
// heading has no place in it keep that.
func putPassages(ctx context.Context, tx *sqlite.Tx, text int64, r *pack.Ruler, places map[string]int, passages []evidence.Passage) error {
	for group := range slices.Chunk(passages, passagesAtOnce) {
		args := make([]any, 0, 11*len(group))
		for _, q := range group {
			words := sql.NullString{String: q.Text, Valid: true}
			if r != nil {
				there, ok := r.Slice(q.At.Start, q.At.End)
				words.Valid = !ok || there != q.Text
			}
			heading := q.At.Heading
			place, placed := places[heading]
			if placed {
				heading = ""
			}
			args = append(args, storedID(q.ID), text, q.Index, q.At.Page, q.At.Line, q.At.Start, q.At.End, heading, q.At.Place, words,
				sql.NullInt64{Int64: int64(place), Valid: placed})
		}
		row := ", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO passages (id, text, idx, page, line, start, stop, heading, place, words, section) VALUES `+
			strings.Repeat(row, len(group))[2:], args...); err != nil {
			return err
		}
	}
	return nil
}

// passagesAtOnce are stored with one statement. Few, for each number of them is
// a statement to compile.
const passagesAtOnce = 8

// Source gives a source by id; a missing one is fault not-found.
func (d *DB) Source(ctx context.Context, id evidence.SourceID) (records.SourceInfo, error) {
	row := d.r.QueryRowContext(ctx, `SELECT s.id, s.kind, s.title, s.address, s.media, s.digest, s.published, s.seen,
		t.coverage, t.flags, t.image, t.chars, s.brought FROM sources s JOIN texts t ON t.digest = s.digest WHERE s.id = ?`, id)
	var s records.SourceInfo
	var published, seen int64
	var coverage, flags string
	err := row.Scan(&s.ID, &s.Kind, &s.Title, &s.Address, &s.MediaType, &s.Digest, &published, &seen, &coverage, &flags, &s.Image, &s.Chars, &s.Brought)
	if err != nil {
		return records.SourceInfo{}, sqlite.NotFound(err, "source")
	}
	s.Published, s.Seen = moment(published), moment(seen)
	if err := json.Unmarshal([]byte(coverage), &s.Coverage); err != nil {
		return records.SourceInfo{}, sqlite.Damaged(fmt.Errorf("read coverage of %s: %w", id, err))
	}
	if err := json.Unmarshal([]byte(flags), &s.Flags); err != nil {
		return records.SourceInfo{}, sqlite.Damaged(fmt.Errorf("read flags of %s: %w", id, err))
	}
	return s, nil
}

// PathOf gives the path of a file of the library whose bytes have this digest, the
// first one by name; a missing one is fault not-found.
func (d *DB) PathOf(ctx context.Context, digest string) (path string, err error) {
	err = d.r.QueryRowContext(ctx, `SELECT path FROM files WHERE digest = ? AND state <> 'removed' ORDER BY path LIMIT 1`, digest).Scan(&path)
	return path, sqlite.NotFound(err, "file with these bytes")
}

// SourceText gives the whole text of a source as it was read, with its blocks.
func (d *DB) SourceText(ctx context.Context, id evidence.SourceID) (string, []evidence.Block, error) {
	return d.body(ctx, string(id), `SELECT t.n FROM sources s JOIN texts t ON t.digest = s.digest WHERE s.id = ?`)
}

// Text gives the text that was read from the bytes with this digest, with its
// blocks; a missing one is fault not-found.
func (d *DB) Text(ctx context.Context, digest string) (string, []evidence.Block, error) {
	return d.body(ctx, digest, `SELECT n FROM texts WHERE digest = ?`)
}

func (d *DB) body(ctx context.Context, id, query string) (string, []evidence.Block, error) {
	var n int64
	if err := d.r.QueryRowContext(ctx, query, id).Scan(&n); err != nil {
		return "", nil, sqlite.NotFound(err, "source")
	}
	var text strings.Builder
	var blocks []evidence.Block
	scan := func(rows *sql.Rows) (struct{}, error) {
		var part int
		var packed []byte
		if err := rows.Scan(&part, &packed); err != nil {
			return struct{}{}, err
		}
		var err error
		if part == pack.BlocksPart {
			blocks, err = pack.UnpackBlocks(packed)
		} else {
			var data []byte
			data, err = pack.Unpack(packed)
			text.Write(data)
		}
		if err != nil {
			return struct{}{}, harmedText(fmt.Errorf("read part %d of the text of %s: %w", part, id, err))
		}
		return struct{}{}, nil
	}
	_, err := sqlite.Collect(ctx, d.r, scan, `SELECT part, data FROM parts WHERE text = ? AND part >= -1 ORDER BY part`, n)
	if fault.CodeOf(err) == fault.DataDamaged {
		d.harmed(ctx, n, err)
	}
	if err != nil {
		return "", nil, sqlite.Explain(err, "read text")
	}
	return text.String(), blocks, nil
}

// Passage gives a passage by id with the source that was read last of those
// that share its text; a missing one is fault not-found.
func (d *DB) Passage(ctx context.Context, id evidence.PassageID) (evidence.Passage, evidence.Source, error) {
	var s evidence.Source
	rows, err := d.readPlaced(ctx, scanPlaced, `SELECT `+placedColumns+` FROM passages p JOIN texts t ON t.n = p.text WHERE p.id = ?`, storedID(id))
	if err == nil && len(rows) == 0 {
		err = d.whyGone(ctx, id)
	}
	if err != nil {
		return evidence.Passage{}, s, sqlite.Explain(err, "read passage")
	}
	p := rows[0].Passage
	var published, seen int64
	err = d.r.QueryRowContext(ctx, `SELECT id, kind, title, address, media, digest, published, seen FROM sources WHERE digest = ? ORDER BY seen DESC, id LIMIT 1`, rows[0].Digest).
		Scan(&s.ID, &s.Kind, &s.Title, &s.Address, &s.MediaType, &s.Digest, &published, &seen)
	s.Published, s.Seen = moment(published), moment(seen)
	p.Source = s.ID
	return p, s, sqlite.NotFound(err, "source")
}

// Neighbours gives the passages that stand around one in its text: the one
// before and the one after, as far as there are any.
func (d *DB) Neighbours(ctx context.Context, id evidence.PassageID) ([]evidence.Passage, error) {
	rows, err := d.readPlaced(ctx, scanPlaced, `SELECT `+placedColumns+` FROM passages o JOIN passages p ON p.text = o.text AND p.idx IN (o.idx - 1, o.idx + 1)
		JOIN texts t ON t.n = p.text WHERE o.id = ? ORDER BY p.idx`, storedID(id))
	around := make([]evidence.Passage, len(rows))
	for i, r := range rows {
		around[i] = r.Passage
	}
	return around, sqlite.Explain(err, "read neighbours")
}
