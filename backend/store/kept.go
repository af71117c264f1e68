package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/store/pack"
	"footnote/backend/store/sqlite"
)

// Kept gives a thread with everything it rests on. Runs that have not ended are
// left out; a missing thread is fault not-found.
func (d *DB) Kept(ctx context.Context, id contract.ThreadID) (trace.KeptThread, error) {
	detail, err := d.Thread(ctx, id)
	if err != nil {
		return trace.KeptThread{}, err
	}
	kept := trace.KeptThread{ID: detail.ID, Title: detail.Title, Type: detail.Type, Created: detail.Created, Updated: detail.Updated}
	named := map[evidence.SourceID]map[evidence.PassageID]bool{}
	for _, run := range detail.Items {
		if run.Status == contract.Running {
			continue
		}
		k, err := d.keptRun(ctx, run, named)
		if err != nil {
			return kept, err
		}
		kept.Runs = append(kept.Runs, k)
	}
	for _, source := range slices.Sorted(maps.Keys(named)) {
		doc, err := d.keptDocument(ctx, source, slices.Collect(maps.Keys(named[source])))
		switch {
		case fault.CodeOf(err) == fault.NotFound: // erased, with its file
		case err != nil:
			return kept, err
		default:
			kept.Documents = append(kept.Documents, doc)
		}
	}
	return kept, nil
}

// keptRun reads what was noted of a run and adds the passages it names to named.
func (d *DB) keptRun(ctx context.Context, run contract.Run, named map[evidence.SourceID]map[evidence.PassageID]bool) (trace.KeptRun, error) {
	k := trace.KeptRun{Run: run}
	var err error
	if k.Events, err = d.Since(ctx, run.ID, 0); err != nil {
		return k, err
	}
	if k.Sources, err = sqlite.Collect(ctx, d.r, sqlite.ScanString[evidence.SourceID], `SELECT source FROM holds WHERE run = ? ORDER BY source`, run.ID); err != nil {
		return k, sqlite.Explain(err, "read sources of a run")
	}
	if k.Ranking, err = optional(d.Ranking(ctx, run.ID)); err != nil {
		return k, err
	}
	if k.Tape, err = optional(d.Tape(ctx, run.ID)); err != nil {
		return k, err
	}
	for _, source := range k.Sources {
		if named[source] == nil {
			named[source] = map[evidence.PassageID]bool{}
		}
	}
	for source, passage := range passagesOf(k) {
		if named[source] != nil {
			named[source][passage] = true
		}
	}
	return k, nil
}

// optional makes nil of what is not there.
func optional[T any](v T, err error) (*T, error) {
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	return &v, err
}

// passagesOf lists the passages a run names, with their sources.
func passagesOf(k trace.KeptRun) func(yield func(evidence.SourceID, evidence.PassageID) bool) {
	return func(yield func(evidence.SourceID, evidence.PassageID) bool) {
		for _, e := range k.Events {
			chosen, _ := e.Body.(contract.Selected)
			for _, p := range chosen.Passages {
				if !yield(p.Source, p.ID) {
					return
				}
			}
		}
		if k.Run.Answer == nil {
			return
		}
		for _, c := range k.Run.Answer.Citations {
			if !yield(c.Source, c.Passage) {
				return
			}
		}
		for _, s := range k.Run.Answer.Sources {
			for _, p := range s.Passages {
				if !yield(s.ID, p.ID) {
					return
				}
			}
		}
	}
}

func (d *DB) keptDocument(ctx context.Context, id evidence.SourceID, passages []evidence.PassageID) (trace.KeptDocument, error) {
	var k trace.KeptDocument
	info, err := d.Source(ctx, id)
	if err != nil {
		return k, err
	}
	k.Source, k.Coverage, k.Flags, k.Image = info.Source, info.Coverage, info.Flags, info.Image
	if k.Text, k.Blocks, err = d.SourceText(ctx, id); err != nil {
		return k, err
	}
	text := pack.NewRuler(k.Text)
	for _, name := range passages {
		p, _, err := d.Passage(ctx, name)
		if fault.CodeOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return k, err
		}
		if there, ok := text.Slice(p.At.Start, p.At.End); ok && there == p.Text { // one that another version read otherwise proves nothing
			p.Source = id
			k.Passages = append(k.Passages, p)
		}
	}
	slices.SortFunc(k.Passages, func(a, b evidence.Passage) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.ID, b.ID))
	})
	return k, nil
}

// Bring stores a thread that was taken away elsewhere, all or nothing. One that
// is here already is fault confirm-needed, and nothing is changed. Texts that
// are here stay as they are.
func (d *DB) Bring(ctx context.Context, k trace.KeptThread) error {
	docs, passages := make([]packed, len(k.Documents)), make([][]evidence.Passage, len(k.Documents))
	for i, doc := range k.Documents {
		var err error
		if passages[i], err = d.standing(ctx, doc); err != nil {
			return err
		}
		if docs[i], err = packDocument(&d.packer, doc.Document); err != nil {
			return err
		}
		docs[i].brought = true // its passages keep their headings: giveWay reads them
	}
	return d.write(ctx, "import thread", func(tx *sqlite.Tx) error {
		if err := absent(ctx, tx, k); err != nil {
			return err
		}
		for i, doc := range k.Documents {
			if err := bringSource(ctx, tx, doc.Source); err != nil {
				return err
			}
			if _, _, err := putText(ctx, tx, docs[i], passages[i]); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, folded, type, created, updated) VALUES (?, ?, ?, ?, ?, ?)`,
			k.ID, k.Title, strings.ToLower(k.Title), k.Type, millis(k.Created), millis(k.Updated)); err != nil {
			return err
		}
		for _, run := range k.Runs {
			if err := d.bringRun(ctx, tx, run); err != nil {
				return err
			}
		}
		return nil
	})
}

func absent(ctx context.Context, tx *sqlite.Tx, k trace.KeptThread) error {
	ids := []string{string(k.ID)}
	for _, run := range k.Runs {
		ids = append(ids, string(run.Run.ID))
	}
	list, err := sqlite.JSONList(ids)
	if err != nil {
		return err
	}
	var n int
	err = tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM threads WHERE id IN (SELECT value FROM json_each(?1))) + (SELECT count(*) FROM runs WHERE id IN (SELECT value FROM json_each(?1)))`, list).Scan(&n)
	if err == nil && n > 0 {
		err = fault.New(fault.ConfirmNeeded, "This conversation is here already.", "Delete the one that is here first, if the bundle's shall take its place.").With("thread", k.ID)
	}
	return err
}

func (d *DB) bringRun(ctx context.Context, tx *sqlite.Tx, k trace.KeptRun) error {
	run := k.Run
	record, sum, err := encodeRun(run)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO runs (id, thread, status, started, question, folded, record, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		run.ID, run.Thread, run.Status, millis(run.Started), run.Question.Text, records.Folded(run), record, sum); err != nil {
		return err
	}
	for _, e := range k.Events {
		body, err := json.Marshal(e.Body)
		if err != nil {
			return fmt.Errorf("encode event %d of %s: %w", e.Seq, e.Run, err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (run, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)`, e.Run, e.Seq, millis(e.At), e.Kind, body); err != nil {
			return err
		}
	}
	if err := hold(ctx, tx, run.ID, k.Sources); err != nil {
		return err
	}
	if k.Ranking != nil {
		if err := d.bringNote(ctx, tx, run.ID, "rankings", *k.Ranking); err != nil {
			return err
		}
	}
	if k.Tape != nil {
		return d.bringNote(ctx, tx, run.ID, "tapes", *k.Tape)
	}
	return nil
}

func (d *DB) bringNote(ctx context.Context, tx *sqlite.Tx, run contract.RunID, table string, v any) error {
	data, err := packNote(&d.packer, run, table, v)
	if err != nil {
		return err
	}
	return putNote(ctx, tx, run, table, data)
}

// standing are the passages of a document that stand in the text which is here
// under its digest; all of them where there is none.
func (d *DB) standing(ctx context.Context, doc trace.KeptDocument) ([]evidence.Passage, error) {
	here, _, err := d.Text(ctx, doc.Source.Digest)
	switch {
	case fault.CodeOf(err) == fault.NotFound || err == nil && here == doc.Text:
		return doc.Passages, nil
	case err != nil:
		return nil, err
	}
	text := pack.NewRuler(here)
	return slices.DeleteFunc(slices.Clone(doc.Passages), func(p evidence.Passage) bool {
		there, ok := text.Slice(p.At.Start, p.At.End)
		return !ok || there != p.Text
	}), nil
}

// bringSource stores a source that was read elsewhere, unless it is here.
func bringSource(ctx context.Context, tx *sqlite.Tx, s evidence.Source) error {
	_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO sources (id, digest, kind, title, address, media, published, seen, brought) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
		s.ID, s.Digest, s.Kind, s.Title, s.Address, s.MediaType, millis(s.Published), millis(s.Seen))
	return err
}

// giveWay removes a text that came in a bundle, now that its document was read
// here. Its passages that are none of the new ones become places in what was
// read: answers keep opening there, and see what truly stands there.
func giveWay(ctx context.Context, tx *sqlite.Tx, n int64, text string, passages []evidence.Passage) ([]evidence.Passage, error) {
	scan := func(rows *sql.Rows) (p evidence.Passage, err error) {
		return p, rows.Scan(ofID(&p.ID), &p.Index, &p.At.Page, &p.At.Line, &p.At.Start, &p.At.End, &p.At.Heading, &p.At.Place)
	}
	old, err := sqlite.Collect(ctx, tx, scan, `SELECT id, idx, page, line, start, stop, heading, place FROM passages WHERE text = ? ORDER BY idx, id`, n)
	if err != nil {
		return nil, err
	}
	r := pack.NewRuler(text)
	all := slices.Clone(passages)
	for _, p := range old {
		var ok bool
		if p.Text, ok = r.Slice(p.At.Start, p.At.End); ok && !slices.ContainsFunc(passages, func(q evidence.Passage) bool { return q.ID == p.ID }) {
			all = append(all, p)
		}
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE n = ?`, n)
	return all, err
}
