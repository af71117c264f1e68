package people

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/postgres"
	"footnote/backend/team/sharing"
)

// The program's own check: $1 are whose the reader is, $2 the collections that they
// read. The functions that are asked beside it know by themselves what is shown.
const (
	mine  = `IN (SELECT shared FROM showings WHERE person = ANY ($1))`
	whole = `NOT EXISTS (SELECT 1 FROM given g WHERE g.person = r.person AND g.run = r.run GROUP BY g.digest
		HAVING NOT bool_or(g.collection = ANY ($2)) OR bool_or(g.had AND NOT g.collection = ANY ($2)))`
	listed = `SELECT t.id, t.sharer, t.question, CASE WHEN ` + whole + ` THEN t.title END, t.updated, t.runs FROM shown_threads() t CROSS JOIN LATERAL (SELECT t.person, t.first AS run) r WHERE t.id ` + mine
)

func scanShared(row pgx.CollectableRow) (s sharing.Shared, err error) {
	var updated int64
	var question string
	var title *string
	if err := row.Scan(&s.ID, &s.From, &question, &title, &updated, &s.Runs); err != nil {
		return s, err
	}
	s.Updated = time.UnixMilli(updated).UTC()
	if title != nil {
		s.Title = *title
		return s, nil
	}
	return s, json.Unmarshal([]byte(question), &s.Title)
}

// Listed lists what others share with this person, the newest first.
func (s Sharing) Listed(ctx context.Context) (list []sharing.Shared, err error) {
	err = postgres.Reading(ctx, s.Own, "list what is shared", func(tx pgx.Tx, may postgres.May) error {
		list, err = rowsOf(ctx, tx, scanShared, listed+` ORDER BY t.updated DESC, t.id LIMIT 500`, may.Own, may.Reads)
		return err
	})
	return list, err
}

// shownRun is a run of somebody else, and whether all that it had may be read.
type shownRun struct {
	contract.Run
	person int64
	whole  bool
	cited  []sharing.Cited
}

// Shown gives a conversation of somebody else as this person may see it now.
func (s Sharing) Shown(ctx context.Context, id string) (t sharing.Thread, err error) {
	var runs []shownRun
	t.Shared, runs, err = s.shown(ctx, id)
	t.Items = make([]contract.Run, len(runs))
	for i, r := range runs {
		t.Items[i] = r.told()
	}
	return t, err
}

func (r shownRun) told() contract.Run {
	if r.whole {
		return sharing.Whole(r.Run)
	}
	return sharing.Cut(r.Run, r.cited)
}

func (s Sharing) shown(ctx context.Context, id string) (info sharing.Shared, runs []shownRun, err error) {
	err = postgres.Reading(ctx, s.Own, "read what is shared", func(tx pgx.Tx, may postgres.May) error {
		infos, err := rowsOf(ctx, tx, scanShared, listed+` AND t.id = $3`, may.Own, may.Reads, id)
		if err != nil {
			return err
		}
		if len(infos) == 0 {
			return missing()
		}
		info = infos[0]
		runs, err = rowsOf(ctx, tx, scanShown, `SELECT r.person, r.run, r.status, r.started, r.question, r.focus, r.mode, CASE WHEN `+whole+` THEN r.record END FROM shown_runs($3) r WHERE $3 `+mine+` ORDER BY r.n`, may.Own, may.Reads, id)
		if err != nil {
			return err
		}
		return cite(ctx, tx, may, id, runs)
	})
	return info, runs, err
}

func scanShown(row pgx.CollectableRow) (r shownRun, err error) {
	var question string
	var started int64
	var outcome *string
	q := &r.Question
	if err := row.Scan(&r.person, &r.ID, &r.Status, &started, &question, &q.Focus, &q.Mode, &outcome); err != nil {
		return r, err
	}
	if r.whole = outcome != nil; r.whole {
		r.Run = contract.Run{}
		return r, json.Unmarshal([]byte(*outcome), &r.Run)
	}
	r.Started = time.UnixMilli(started).UTC()
	return r, json.Unmarshal([]byte(question), &q.Text)
}

// cite gives runs that are not shown whole what they cite, as far as it may be read.
func cite(ctx context.Context, tx pgx.Tx, may postgres.May, id string, runs []shownRun) error {
	type row struct {
		run  contract.RunID
		cite sharing.Cited
	}
	list, err := rowsOf(ctx, tx, func(r pgx.CollectableRow) (found row, err error) {
		var passage, words, source, kind, title, address, media, heading, place *string
		var start, stop, page, line, from, to *int
		if err := r.Scan(&found.run, &start, &stop, &passage, &words, &page, &line, &from, &to, &heading, &place, &source, &kind, &title, &address, &media); err != nil {
			return found, err
		}
		if found.cite.Hidden = passage == nil || words == nil || source == nil || kind == nil || start == nil || stop == nil; found.cite.Hidden {
			return found, nil
		}
		found.cite.Quote = contract.Range{Start: *start, End: *stop}
		found.cite.Passage = evidence.Passage{ID: evidence.PassageID(*passage), Source: evidence.SourceID(*source), Text: *words, At: evidence.Locator{Page: *page, Line: *line, Start: *from, End: *to, Heading: *heading, Place: *place}}
		found.cite.Source = evidence.Source{ID: evidence.SourceID(*source), Kind: evidence.Kind(*kind), Title: *title, Address: postgres.ReadPath(*address), MediaType: *media}
		return found, nil
	}, `SELECT c.run, c.start, c.stop, p.id, p.words, p.page, p.line, p.start, p.stop, p.heading, p.place, f.source, f.kind, f.title, f.address, f.media FROM shown_citations($3) c
		LEFT JOIN LATERAL (SELECT id, digest, words, page, line, start, stop, heading, place FROM all_passages WHERE id = c.passage AND collection = ANY ($2)
			UNION ALL SELECT id, digest, words, page, line, start, stop, heading, place FROM shown_excerpts($3) WHERE id = c.passage LIMIT 1) p ON true
		LEFT JOIN LATERAL (SELECT f.source, 'file' AS kind, t.title, f.path AS address, t.media FROM files f JOIN texts t ON t.collection = f.collection AND t.digest = f.digest
				WHERE f.source = c.source AND f.digest = p.digest AND f.collection = ANY ($2)
			UNION ALL SELECT id, kind, title, address, media FROM shown_sources($3) WHERE id = c.source LIMIT 1) f ON true
		WHERE $3 `+mine+` ORDER BY c.run, c.n`, may.Own, may.Reads, id)
	for i := range runs {
		for _, r := range list {
			if r.run == runs[i].ID {
				runs[i].cited = append(runs[i].cited, r.cite)
			}
		}
	}
	return err
}

// Open has this person see what a link shows, until the link is taken back.
func (s Sharing) Open(ctx context.Context, secret string) (id string, err error) {
	me := postgres.PersonOf(s.Own)
	err = postgres.Owning(ctx, s.DB, "open link", func(tx pgx.Tx) error {
		var owner int64
		err := tx.QueryRow(ctx, `SELECT d.id, d.person FROM shares s JOIN shared d ON d.id = s.shared WHERE s.link = $1 FOR SHARE OF s`, hashOf(secret)).Scan(&id, &owner)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && owner == me {
			return missing()
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO shares (id, shared, person, via) SELECT $1, s.shared, $2, s.id FROM shares s WHERE s.link = $3 ON CONFLICT DO NOTHING`, evidence.ID("shr", rand.Text()), me, hashOf(secret))
		return err
	})
	return id, err
}

// Since gives what a run of somebody else has said after a number: its text and its
// end. Of one that is not shown whole only is told that it is not.
func (s Sharing) Since(ctx context.Context, id string, run contract.RunID, seq int) (events []contract.Event, err error) {
	err = postgres.Reading(ctx, s.Own, "follow what is shown", func(tx pgx.Tx, may postgres.May) error {
		var all bool
		err := tx.QueryRow(ctx, `SELECT `+whole+` FROM shown_runs($3) r WHERE $3 `+mine+` AND r.run = $4`, may.Own, may.Reads, id, run).Scan(&all)
		if errors.Is(err, pgx.ErrNoRows) {
			return missing()
		}
		if err != nil {
			return err
		}
		if !all {
			return fault.New(fault.PathNotAllowed, "This answer also rests on sources that you may not open.", "Open the conversation to see what you may.")
		}
		events, err = rowsOf(ctx, tx, func(row pgx.CollectableRow) (contract.Event, error) { return scanTold(row, run) }, `SELECT seq, at, kind, body FROM shown_events($1, $2, $3) ORDER BY seq`, id, run, seq)
		return err
	})
	return events, err
}

func scanTold(row pgx.CollectableRow, run contract.RunID) (e contract.Event, err error) {
	var at int64
	var body string
	if err := row.Scan(&e.Seq, &at, &e.Kind, &body); err != nil {
		return e, err
	}
	e.Run, e.At = run, time.UnixMilli(at).UTC()
	e.Body, err = contract.DecodeBody(e.Kind, []byte(body))
	return sharing.Told(e), err
}
