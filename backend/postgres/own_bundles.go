package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
)

// Kept gives a thread with everything it rests on, as far as it may be read. Runs
// that have not ended are left out; a missing thread is fault not-found.
func (o *Own) Kept(ctx context.Context, id contract.ThreadID) (k trace.KeptThread, err error) {
	detail, err := o.Thread(ctx, id)
	if err != nil {
		return k, err
	}
	k = trace.KeptThread{ID: detail.ID, Title: detail.Title, Type: detail.Type, Created: detail.Created, Updated: detail.Updated}
	named := map[evidence.SourceID]bool{}
	for _, run := range detail.Items {
		if run.Status == contract.Running {
			continue
		}
		one, err := o.keptRun(ctx, run)
		if err != nil {
			return k, err
		}
		k.Runs = append(k.Runs, one)
		for _, source := range one.Sources {
			if named[source] {
				continue
			}
			named[source] = true
			doc, err := o.keptDocument(ctx, source)
			if fault.CodeOf(err) == fault.NotFound { // gone, or not to be read any more
				continue
			}
			if err != nil {
				return k, err
			}
			k.Documents = append(k.Documents, doc)
		}
	}
	return k, nil
}

func (o *Own) keptRun(ctx context.Context, run contract.Run) (k trace.KeptRun, err error) {
	k.Run = run
	if k.Events, err = o.Since(ctx, run.ID, 0); err != nil {
		return k, err
	}
	if k.Sources, err = answered(ctx, o, "read sources of a run", pgx.RowTo[evidence.SourceID], `SELECT source FROM holds WHERE person = ANY ($1) AND run <> ALL ($2) AND run = $3 ORDER BY source`, run.ID); err != nil {
		return k, err
	}
	if k.Ranking, err = ifThere(o.Ranking(ctx, run.ID)); err != nil {
		return k, err
	}
	k.Tape, err = ifThere(o.Tape(ctx, run.ID))
	return k, err
}

// ifThere makes nil of what is not there.
func ifThere[T any](v T, err error) (*T, error) {
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	return &v, err
}

func (o *Own) keptDocument(ctx context.Context, id evidence.SourceID) (k trace.KeptDocument, err error) {
	info, err := o.Source(ctx, id)
	if err != nil {
		return k, err
	}
	k.Source, k.Coverage, k.Flags, k.Image = info.Source, info.Coverage, info.Flags, info.Image
	if k.Text, k.Blocks, err = o.Text(ctx, info.Digest); err != nil {
		return k, err
	}
	err = o.look(ctx, "read passages", func(tx pgx.Tx, s scope) error {
		list, err := collect(ctx, tx, scanPlaced, `SELECT DISTINCT ON (p.id) `+placedColumns+` FROM `+excerpt+` p WHERE p.digest = $3
			AND p.id IN (SELECT id FROM excerpts WHERE person = ANY ($1)) ORDER BY p.id`, s.own, s.reads, info.Digest)
		for _, placed := range list {
			placed.Passage.Source = id
			k.Passages = append(k.Passages, placed.Passage)
		}
		return err
	})
	return k, err
}

// Bring stores a thread that was taken away elsewhere, all or nothing. One that is
// here already is fault confirm-needed, and nothing is changed.
func (o *Own) Bring(ctx context.Context, k trace.KeptThread) error {
	ids := make([]string, len(k.Runs))
	for i, run := range k.Runs {
		ids[i] = string(run.Run.ID)
	}
	return o.change(ctx, "import thread", func(tx pgx.Tx, s scope) error {
		var here int
		if err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM threads WHERE person = ANY ($1) AND id = $2) + (SELECT count(*) FROM runs WHERE person = ANY ($1) AND id = ANY ($3))`, s.own, k.ID, ids).Scan(&here); err != nil {
			return err
		}
		if here > 0 {
			return fault.New(fault.ConfirmNeeded, "This conversation is here already.", "Delete the one that is here first, if the bundle's shall take its place.").With("thread", k.ID)
		}
		for _, doc := range k.Documents {
			if err := o.keep(ctx, tx, answer.Kept(doc), true); err != nil {
				return err
			}
		}
		title := plainText(k.Title)
		if _, err := tx.Exec(ctx, `INSERT INTO threads (person, id, title, folded, type, created, updated) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			o.person, k.ID, title, strings.ToLower(title), k.Type, millis(k.Created), millis(k.Updated)); err != nil {
			return err
		}
		for _, run := range k.Runs {
			if err := o.bringRun(ctx, tx, s, run); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *Own) bringRun(ctx context.Context, tx pgx.Tx, s scope, k trace.KeptRun) error {
	run := k.Run
	record, err := inJSON(run)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO runs (person, id, thread, status, started, asked, folded, aside) VALUES ($1, $2, $3, $4, $5, $6, $7, false)`,
		o.person, run.ID, run.Thread, string(run.Status), millis(run.Started), record[0], strings.ToLower(plainText(run.Question.Text))); err != nil {
		return err
	}
	if err := o.append(ctx, tx, s, k.Events); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `INSERT INTO outcomes (person, run, record, folded) VALUES ($1, $2, $3, $4)`, o.person, run.ID, record[0], plainText(records.Folded(run))); err != nil {
		return err
	}
	if err := o.hold(ctx, tx, run.ID, k.Sources); err != nil {
		return err
	}
	if k.Ranking != nil {
		if err := o.putFact(ctx, tx, run.ID, "ranking", k.Ranking); err != nil {
			return err
		}
	}
	if k.Tape != nil {
		return o.putFact(ctx, tx, run.ID, "tape", k.Tape)
	}
	return nil
}
