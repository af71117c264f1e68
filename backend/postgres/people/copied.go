package people

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/postgres"
)

// Copy makes a conversation of this person's own of what they are shown of somebody
// else's, to ask further in it. It was given what the other one was: when a right
// goes, so does what it showed.
func (s Sharing) Copy(ctx context.Context, id string, thread contract.ThreadID, mint func() contract.RunID) error {
	_, runs, err := s.shown(ctx, id)
	if err != nil || len(runs) == 0 {
		return cmp.Or(err, missing())
	}
	title := runs[0].Question.Text // another one may have been made of an answer, and would stay when that goes
	if err := s.begin(ctx, id, title, thread); err != nil {
		return err
	}
	for _, r := range runs {
		run := r.told()
		if run.Answer == nil || run.Ended == nil && r.whole {
			continue
		}
		old := run.ID
		run.ID, run.Thread, run.Question.Thread, run.Status = mint(), thread, thread, contract.Finished
		a := *run.Answer
		a.Run, a.Thread = run.ID, thread
		run.Answer = &a
		if err := s.copyRun(ctx, run, r, old); err != nil {
			return errors.Join(err, s.Own.DeleteThread(ctx, thread, false)) // all of it, or nothing
		}
	}
	return nil
}

func (s Sharing) begin(ctx context.Context, id, title string, thread contract.ThreadID) error {
	return postgres.Writing(ctx, s.Own, "copy conversation", func(tx pgx.Tx, may postgres.May) error {
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO threads (person, id, title, folded, type, created, updated) VALUES ($1, $2, $3, $4, 'chat', $5, $5)`, postgres.PersonOf(s.Own), thread, title, strings.ToLower(title), time.Now().UnixMilli())
		batch.Queue(`SELECT keep_shown($1)`, id)
		batch.Queue(`INSERT INTO audit (person, what, about) VALUES ($1, 'copied', $2)`, postgres.PersonOf(s.Own), id)
		return tx.SendBatch(ctx, batch).Close()
	})
}

func (s Sharing) copyRun(ctx context.Context, run contract.Run, from shownRun, old contract.RunID) error {
	asked := run
	asked.Answer, asked.Ended, asked.Status = nil, nil, contract.Running
	record, err := json.Marshal(asked)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	err = postgres.Writing(ctx, s.Own, "copy run", func(tx pgx.Tx, may postgres.May) error {
		batch := &pgx.Batch{}
		batch.Queue(`INSERT INTO runs (person, id, thread, status, started, asked, folded, aside, reads) VALUES ($1, $2, $3, 'running', $4, $5, $6, false, $7)`,
			postgres.PersonOf(s.Own), run.ID, run.Thread, run.Started.UnixMilli(), string(record), strings.ToLower(run.Question.Text), may.Reads)
		if from.whole {
			batch.Queue(`SELECT touch_like($1, $2, $3)`, from.person, old, run.ID)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
	if err != nil {
		return err
	}
	last := contract.FinishedRun{Answer: *run.Answer}
	if run.Ended == nil {
		run.Ended = &run.Started
	}
	return s.Own.AppendEnding(ctx, []contract.Event{{Run: run.ID, Seq: 1, At: *run.Ended, Kind: last.Kind(), Body: last}}, []journal.Ending{{Run: run}})
}
