package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"footnote/backend/library"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
)

// placedRow is a passage as it is stored: Text is empty until it was cut out of
// its text, unless the row has it.
type placedRow struct {
	library.Placed
	n, text int64
	part    int  // length of the parts of the text
	own     bool // the row has the words
	section int  // place of the heading in the parts of the text; -1: the row has it
}

const placedColumns = `p.n, p.id, p.text, t.part, t.digest, p.idx, p.page, p.line, p.start, p.stop, p.heading, p.place, p.words, p.section`

func scanPlaced(rows *sql.Rows) (placedRow, error) { return scanPlacedWith(rows) }

// scanPlacedWith reads placedColumns and what stands behind them.
func scanPlacedWith(rows *sql.Rows, more ...any) (placedRow, error) {
	var r placedRow
	var words sql.NullString
	var section sql.NullInt64
	p, at := &r.Passage, &r.Passage.At
	into := []any{&r.n, ofID(&p.ID), &r.text, &r.part, &r.Digest, &p.Index, &at.Page, &at.Line, &at.Start, &at.End, &at.Heading, &at.Place, &words, &section}
	err := rows.Scan(append(into, more...)...)
	p.Text, r.own, r.section = words.String, words.Valid, -1
	if section.Valid {
		r.section = int(section.Int64)
	}
	return r, err
}

// readPlaced runs a query for placedColumns and fills in the words. Passages
// whose text went meanwhile are left out.
func (d *DB) readPlaced(ctx context.Context, scan func(*sql.Rows) (placedRow, error), query string, args ...any) ([]placedRow, error) {
	return d.readPlacedFrom(ctx, d.r, scan, query, args...)
}

func (d *DB) readPlacedFrom(ctx context.Context, q sqlite.Querier, scan func(*sql.Rows) (placedRow, error), query string, args ...any) ([]placedRow, error) {
	rows, err := sqlite.Collect(ctx, q, scan, query, args...)
	if err != nil {
		return nil, err
	}
	parts, err := d.partsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	kept := rows[:0]
	for _, r := range rows {
		if err := r.displaced(); err != nil {
			d.harmed(ctx, r.text, err)
			continue
		}
		if parts.complete(&r) {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

func bare(rows []placedRow) []library.Placed {
	placed := make([]library.Placed, len(rows))
	for i, r := range rows {
		placed[i] = r.Placed
	}
	return placed
}

// partKey names a part of a text: its number and the part's, which may be below 0.
func partKey(text int64, part int) int64 { return text<<partBits | int64(part+partZero) }

const (
	partBits = 20
	partZero = 1 << (partBits - 1)
)

// partSet holds the unpacked parts that some passages stand in.
type partSet map[int64]*pack.Ruler

func (d *DB) partsOf(ctx context.Context, rows []placedRow) (partSet, error) {
	found := partSet{}
	var keys []int64
	need := func(key int64) {
		if found[key] != nil {
			return
		}
		if found[key] = d.recent.Get(key); found[key] == nil {
			found[key] = &pack.Ruler{}
			keys = append(keys, key)
		}
	}
	for _, r := range rows {
		if r.section >= 0 {
			need(partKey(r.text, pack.SectionPart(r.section)))
		}
		if r.own {
			continue
		}
		for part, last := r.parts(); part <= last; part++ {
			need(partKey(r.text, part))
		}
	}
	if len(keys) == 0 {
		return found, nil
	}
	return found, d.readParts(ctx, keys, found)
}

// readParts unpacks parts into found. One that is not there, or not as it was
// written, stays as it is.
func (d *DB) readParts(ctx context.Context, keys []int64, found partSet) error {
	list, err := sqlite.JSONList(keys)
	if err != nil {
		return err
	}
	harms := map[int64]error{}
	scan := func(rows *sql.Rows) (struct{}, error) {
		var key int64
		var packed sql.RawBytes // unpacked before the next row
		if err := rows.Scan(&key, &packed); err != nil {
			return struct{}{}, err
		}
		text, err := d.packer.UnpackText(packed)
		if err != nil {
			harms[key>>partBits] = fmt.Errorf("read part %d: %w", key&(1<<partBits-1)-partZero, err)
			return struct{}{}, nil
		}
		found[key] = pack.NewRuler(text)
		d.recent.Put(key, *found[key])
		return struct{}{}, nil
	}
	_, err = sqlite.Collect(ctx, &d.often, scan, `SELECT j.value, s.data FROM json_each(?) j CROSS JOIN parts s ON s.text = j.value >> 20 AND s.part = (j.value & 1048575) - 524288`, list)
	for text, cause := range harms {
		d.harmed(ctx, text, cause)
	}
	return err
}

// parts are the first and the last part that a passage stands in.
func (r placedRow) parts() (first, last int) {
	at := r.Passage.At
	return at.Start / r.part, max(at.Start, at.End-1) / r.part
}

// complete fills in what the row of a passage has not; false when that is gone.
func (s partSet) complete(r *placedRow) (ok bool) {
	if r.section >= 0 {
		if r.Passage.At.Heading, ok = pack.Heading(s[partKey(r.text, pack.SectionPart(r.section))].Text(), r.section); !ok {
			return false
		}
	}
	if !r.own {
		r.Passage.Text, ok = s.cut(*r)
		return ok
	}
	return true
}

// cut gives the words of a passage.
func (s partSet) cut(r placedRow) (string, bool) {
	first, last := r.parts()
	from, to := r.Passage.At.Start-first*r.part, r.Passage.At.End-first*r.part
	if first == last {
		return s[partKey(r.text, first)].Slice(from, to)
	}
	var joined strings.Builder
	for part := first; part <= last; part++ {
		joined.WriteString(s[partKey(r.text, part)].Text())
	}
	return pack.NewRuler(joined.String()).Slice(from, to)
}
