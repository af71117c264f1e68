package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/records"
)

// Begin stores a new run and its thread, when that is new too, and notes in the
// audit log that it was asked. A run that replaces another one takes that and all
// later ones out of the thread.
func (o *Own) Begin(ctx context.Context, run contract.Run, title string) error {
	record, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	return o.change(ctx, "begin run", func(tx pgx.Tx, s scope) error {
		batch := &pgx.Batch{}
		if !run.Question.Aside { // else nothing happens in the thread that anybody sees
			o.putThread(batch, s, run, title)
		}
		if old := run.Question.Replaces; old != "" {
			batch.Queue(`DELETE FROM runs WHERE person = ANY ($1) AND thread = $2 AND NOT aside AND n >= (SELECT n FROM runs WHERE person = ANY ($1) AND id = $3 AND thread = $2)`, s.own, run.Thread, old)
		}
		batch.Queue(`INSERT INTO runs (person, id, thread, status, started, asked, folded, aside, reads) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			o.person, run.ID, run.Thread, string(run.Status), millis(run.Started), string(record), strings.ToLower(plainText(run.Question.Text)), run.Question.Aside, s.reads)
		batch.Queue(`INSERT INTO touched SELECT t.person, $2, t.digest, t.collection FROM touched t JOIN runs e ON e.person = t.person AND e.id = t.run
			WHERE t.person = ANY ($1) AND e.thread = $3 AND NOT e.aside AND e.id <> $2 AND e.id <> ALL ($4) ON CONFLICT DO NOTHING`, s.own, run.ID, run.Thread, s.withheld) // a model reads what was said before
		o.auditQuestion(batch, s, run)
		return tx.SendBatch(ctx, batch).Close()
	})
}

func (o *Own) putThread(batch *pgx.Batch, s scope, run contract.Run, title string) {
	title, within := plainText(records.TitleOf(run, title)), records.WithinOf(run)
	batch.Queue(`INSERT INTO threads (person, id, title, folded, type, created, updated, collection)
		VALUES ($1, $2, $3, $4, $5, $6, $6, coalesce((SELECT id FROM scopes WHERE collection = ANY ($7) AND (id = $8 OR key = $9) LIMIT 1), ''))
		ON CONFLICT (person, id) DO UPDATE SET updated = excluded.updated`,
		o.person, run.Thread, title, strings.ToLower(title), records.TypeOf(run), millis(run.Started), s.reads, within, library.CollectionKey(within))
}

// End stores what became of a run and holds the sources its answer rests on.
// Ending twice keeps the last word.
func (o *Own) End(ctx context.Context, run contract.Run) error {
	return o.change(ctx, "end run", func(tx pgx.Tx, s scope) error { return o.end(ctx, tx, s, run) })
}

func (o *Own) end(ctx context.Context, tx pgx.Tx, s scope, run contract.Run) error {
	record, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	tag, err := tx.Exec(ctx, `UPDATE runs SET status = $3 WHERE person = ANY ($1) AND id = $2`, s.own, run.ID, string(run.Status))
	if err := there(tag.RowsAffected(), err, "run"); err != nil {
		return err
	}
	if err := o.hold(ctx, tx, run.ID, records.SourcesOf(run)); err != nil {
		return err
	}
	if err := o.touchCatalog(ctx, tx, s, run); err != nil {
		return err
	}
	folded := plainText(records.Folded(run))
	tag, err = tx.Exec(ctx, `UPDATE outcomes SET record = $3, folded = $4 WHERE person = ANY ($1) AND run = $2`, s.own, run.ID, string(record), folded)
	if err == nil && tag.RowsAffected() == 0 { // one that is there, and withheld, stays as it is
		_, err = tx.Exec(ctx, `INSERT INTO outcomes (person, run, record, folded) VALUES ($1, $2, $3, $4) ON CONFLICT (person, run) DO NOTHING`, o.person, run.ID, string(record), folded)
	}
	if err != nil {
		return err
	}
	if run.Question.Aside {
		return nil
	}
	_, err = tx.Exec(ctx, `UPDATE threads SET updated = greatest(updated, $3) WHERE person = ANY ($1) AND id = $2`, s.own, run.Thread, millis(o.clock()))
	return err
}

// hold notes the sources of a run, and which collections have those that are files.
func (o *Own) hold(ctx context.Context, tx pgx.Tx, run contract.RunID, sources []evidence.SourceID) error {
	if len(sources) == 0 {
		return nil
	}
	ids := letters(sources)
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO holds (person, run, source) SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`, o.person, run, ids)
	batch.Queue(`SELECT touch($1, $2)`, run, ids)
	return tx.SendBatch(ctx, batch).Close()
}

// touchCatalog marks an answer that was made of the catalogue, which cites nothing:
// it stands as long as all collections can be read that it was made of.
func (o *Own) touchCatalog(ctx context.Context, tx pgx.Tx, s scope, run contract.Run) error {
	if run.Answer == nil || len(run.Answer.Sources) > 0 || run.Question.Focus != contract.FocusAll && run.Question.Focus != contract.FocusLocal {
		return nil
	}
	_, err := tx.Exec(ctx, `INSERT INTO touched (person, run, digest, collection) SELECT person, id, 'collection ' || c, c FROM runs, unnest(reads) c WHERE person = ANY ($1) AND id = $2 ON CONFLICT DO NOTHING`, s.own, run.ID)
	return err
}

// Append stores the events; they are stored on return, or none of them is. A
// number that is not the next of its run, and anything after the last event, is
// refused.
func (o *Own) Append(ctx context.Context, events ...contract.Event) error {
	return o.AppendEnding(ctx, events, nil)
}

// AppendEnding is Append, and stores with the events how runs ended, how their
// evidence was ranked and what models said in them.
func (o *Own) AppendEnding(ctx context.Context, events []contract.Event, endings []journal.Ending) error {
	return o.change(ctx, "journal event", func(tx pgx.Tx, s scope) error {
		if err := o.append(ctx, tx, s, events); err != nil {
			return err
		}
		for _, e := range endings {
			if e.Ranking != nil {
				if err := o.putFact(ctx, tx, e.Run.ID, "ranking", e.Ranking); err != nil {
					return err
				}
			}
			if e.Tape != nil {
				if err := o.putFact(ctx, tx, e.Run.ID, "tape", e.Tape); err != nil {
					return err
				}
			}
			if err := o.end(ctx, tx, s, e.Run); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *Own) append(ctx context.Context, tx pgx.Tx, s scope, events []contract.Event) error {
	for _, e := range events {
		body, err := json.Marshal(e.Body)
		if err != nil {
			return fmt.Errorf("encode event %d of %s: %w", e.Seq, e.Run, err)
		}
		tag, err := tx.Exec(ctx, `UPDATE runs SET seq = $3, ended = $4, beat = now(), reads = CASE WHEN reads @> $5 THEN reads ELSE ARRAY (SELECT DISTINCT unnest(reads || $5)) END WHERE person = ANY ($1) AND id = $2 AND seq = $3 - 1 AND NOT ended`, s.own, e.Run, e.Seq, e.Kind.Terminal(), s.reads)
		if err != nil {
			return err
		}
		if tag.RowsAffected() != 1 {
			return fault.New(fault.Internal, fmt.Sprintf("Event %d of run %s does not continue its journal.", e.Seq, e.Run), "")
		}
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO events (person, run, seq, at, kind, body) VALUES ($1, $2, $3, $4, $5, $6)`, o.person, e.Run, e.Seq, millis(e.At), string(e.Kind), string(body))
		switch b := e.Body.(type) {
		case contract.FoundLeads:
			sources := make([]string, len(b.Leads))
			for i, l := range b.Leads {
				sources[i] = string(l.Source)
			}
			batch.Queue(`SELECT touch($1, $2)`, e.Run, sources)
		case contract.Selected:
			if err := o.hold(ctx, tx, e.Run, records.SourcesGiven(b)); err != nil {
				return err
			}
		}
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return err
		}
	}
	return nil
}

// Since gives the events of a run after seq, in order. An unknown run has none; of
// one that is withheld only is told that it is.
func (o *Own) Since(ctx context.Context, run contract.RunID, seq int) ([]contract.Event, error) {
	var events []contract.Event
	err := o.look(ctx, "read journal", func(tx pgx.Tx, s scope) (err error) {
		events, err = collect(ctx, tx, scanEvent, `SELECT run, seq, at, kind, body FROM events WHERE person = ANY ($1) AND run <> ALL ($2) AND run = $3 AND seq > $4 ORDER BY seq`, s.own, s.withheld, run, seq)
		if err == nil && len(events) == 0 && seq == 0 && slices.Contains(s.withheld, string(run)) {
			failed := contract.FailedRun{Failure: notAnyMore()}
			events = []contract.Event{{Run: run, Seq: 1, At: o.clock().UTC(), Kind: failed.Kind(), Body: failed}}
		}
		return err
	})
	return events, err
}

func scanEvent(row pgx.CollectableRow) (e contract.Event, err error) {
	var at int64
	var body string
	if err := row.Scan(&e.Run, &e.Seq, &at, &e.Kind, &body); err != nil {
		return e, err
	}
	e.At = moment(at)
	e.Body, err = contract.DecodeBody(e.Kind, []byte(body))
	return e, err
}

const runColumns = `r.n, r.status, r.asked, o.record, r.id = ANY ($2)`

const runRows = ` FROM runs r LEFT JOIN outcomes o ON o.person = r.person AND o.run = r.id AND o.run <> ALL ($2) WHERE r.person = ANY ($1) `

type numberedRun struct {
	contract.Run
	n int64
}

// scanRun reads a run: how it was asked, and what became of it. One whose answer
// may not be read any more says so in its place.
func scanRun(row pgx.CollectableRow) (r numberedRun, err error) {
	var status contract.Status
	var asked string
	var outcome *string
	var withheld bool
	if err := row.Scan(&r.n, &status, &asked, &outcome, &withheld); err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(asked), &r.Run); err != nil {
		return r, err
	}
	switch {
	case outcome != nil:
		r.Run = contract.Run{}
		return r, json.Unmarshal([]byte(*outcome), &r.Run)
	case withheld || status != contract.Running:
		why := notAnyMore()
		r.Run.Status, r.Run.Failure = contract.Failed, &why
	}
	return r, nil
}

func notAnyMore() contract.Failure {
	return contract.Failure{Code: fault.PathNotAllowed, Message: "This answer rests on a source that you may not open any more.", Hint: "Ask again to get an answer from what you may read."}
}

// Run gives a run with its answer or what there is of it. A missing one is fault
// not-found.
func (o *Own) Run(ctx context.Context, id contract.RunID) (contract.Run, error) {
	list, err := answered(ctx, o, "read run", scanRun, `SELECT `+runColumns+runRows+`AND r.id = $3`, id)
	r, err := only(list, err, "run")
	return r.Run, err
}

// Runs lists runs and gives the cursor of the next page, empty at the end.
func (o *Own) Runs(ctx context.Context, q records.RunQuery) (page []contract.Run, next string, err error) {
	limit := records.LimitOr(q.Limit, 50)
	after, err := records.CursorNumber(q.After, 1<<62)
	if err != nil {
		return nil, "", err
	}
	list, err := answered(ctx, o, "list runs", scanRun, `SELECT `+runColumns+runRows+`AND r.n < $3 AND ($4 = '' OR r.status = $4) AND ($5 = '' OR r.thread = $5) AND (NOT r.aside OR $6)
		ORDER BY r.n DESC LIMIT $7`, after, string(q.Status), string(q.Thread), q.Aside, limit+1)
	if err != nil {
		return nil, "", err
	}
	if len(list) > limit {
		list = list[:limit]
		next = fmt.Sprint(list[limit-1].n)
	}
	for _, r := range list {
		page = append(page, r.Run)
	}
	return page, next, nil
}

const citedTurns = 5 // last ones whose cited passages are read again

// History gives the last n turns of a thread that have an answer, oldest first,
// from before the given run; an unknown or empty run means all. What may not be
// read any more is no turn.
func (o *Own) History(ctx context.Context, thread contract.ThreadID, before contract.RunID, n int) ([]contract.Turn, error) {
	rows, err := answered(ctx, o, "read history", scanRun, `SELECT `+runColumns+runRows+`AND r.thread = $3 AND r.status IN ('finished', 'stopped') AND NOT r.aside AND o.run IS NOT NULL
		AND r.n < coalesce((SELECT n FROM runs b WHERE b.person = r.person AND b.id = $4), 9223372036854775807) ORDER BY r.n DESC LIMIT $5`, thread, before, n)
	if err != nil {
		return nil, err
	}
	slices.Reverse(rows)
	turns := make([]contract.Turn, 0, len(rows))
	for i, r := range rows {
		turn := records.TurnOf(r.Run)
		if a := r.Run.Answer; a != nil && i >= len(rows)-citedTurns {
			if turn.Cited, err = o.cited(ctx, *a); err != nil {
				return nil, err
			}
		}
		if turn.Answer != "" {
			turns = append(turns, turn)
		}
	}
	return turns, nil
}

// cited reads the passages that an answer cites, each once; those that are gone are
// passed over.
func (o *Own) cited(ctx context.Context, a contract.Answer) (found []evidence.Found, err error) {
	for _, c := range a.Citations {
		if slices.ContainsFunc(found, func(f evidence.Found) bool { return f.Passage.ID == c.Passage }) {
			continue
		}
		passage, _, err := o.Passage(ctx, c.Passage)
		src, srcErr := o.Source(ctx, c.Source)
		if err := errors.Join(err, srcErr); fault.CodeOf(err) == fault.NotFound {
			continue
		} else if err != nil {
			return nil, err
		}
		passage.Source = c.Source
		found = append(found, evidence.Found{Source: src.Source, Passage: passage, Via: records.EngineOf(a, c.Source)})
	}
	return found, nil
}

// CloseOpen ends this person's runs that a process left: those at which none has
// been at work for a while. Deep research stays open (Unfinished).
func (o *Own) CloseOpen(ctx context.Context) (int, error) {
	open, err := o.left(ctx)
	if err != nil {
		return 0, err
	}
	ended := 0
	for _, run := range open {
		events, err := o.Since(ctx, run.ID, 0)
		if err != nil {
			return ended, err
		}
		if records.GoesOn(run, events) {
			continue
		}
		missing := records.ClosingEvents(run.ID, events)
		for i := range missing {
			missing[i].Seq, missing[i].At = len(events)+i+1, o.clock().UTC()
		}
		all := slices.Concat(events, missing)
		if err := o.AppendEnding(ctx, missing, []journal.Ending{{Run: records.EndAs(run, all[len(all)-1])}}); err != nil {
			return ended, err
		}
		ended++
	}
	return ended, nil
}

// abandoned is how long no process has been at work on a run that is nobody's.
const abandoned = `interval '2 minutes'`

func (o *Own) left(ctx context.Context) ([]contract.Run, error) {
	list, err := answered(ctx, o, "list open runs", scanRun, `SELECT `+runColumns+runRows+`AND r.status = 'running' AND r.id <> ALL ($2) AND r.beat < now() - `+abandoned+` ORDER BY r.n`)
	runs := make([]contract.Run, len(list))
	for i, r := range list {
		runs[i] = r.Run
	}
	return runs, err
}

// AtWork implements journal.Shared.
func (o *Own) AtWork(ctx context.Context, run contract.RunID) (bool, error) {
	list, err := kept(ctx, o, "look at run", pgx.RowTo[bool], `SELECT status = 'running' AND NOT ended AND beat >= now() - `+abandoned+` FROM runs WHERE person = ANY ($1) AND id = $2`, run)
	return len(list) > 0 && list[0], err
}

// Withheld implements journal.Shared.
func (o *Own) Withheld(ctx context.Context, run contract.RunID) (hidden bool, err error) {
	err = o.look(ctx, "look at run", func(_ pgx.Tx, s scope) error {
		hidden = slices.Contains(s.withheld, string(run))
		return nil
	})
	return hidden, err
}

// Beat tells other processes that this one is at work on runs.
func (o *Own) Beat(ctx context.Context, runs []contract.RunID) error {
	if len(runs) == 0 {
		return nil
	}
	_, err := o.exec(ctx, "note that runs go on", `UPDATE runs SET beat = now() WHERE person = ANY ($1) AND id = ANY ($2)`, letters(runs))
	return err
}
