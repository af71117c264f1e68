package store

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

// CloseOpen ends the runs that the last process left running: the stages that
// stood open end in error, a failed event with the next number closes the
// journal, and the text written so far is kept. A run whose last event was
// stored, but not its end, gets that end. Deep research stays open: it goes on
// (Unfinished). It returns how many runs were ended.
func (d *DB) CloseOpen(ctx context.Context) (int, error) {
	open, err := d.openRuns(ctx)
	if err != nil {
		return 0, err
	}
	ended := 0
	for _, row := range open {
		run := d.run(ctx, row)
		events, err := d.Since(ctx, run.ID, 0)
		if err != nil {
			return ended, err
		}
		if goesOn(run, events) {
			continue
		}
		if err := d.closeRun(ctx, run, events); err != nil {
			return ended, err
		}
		ended++
	}
	return ended, nil
}

// openRuns are the runs that the last process left running, oldest first.
func (d *DB) openRuns(ctx context.Context) ([]runRow, error) {
	open, err := sqlite.Collect(ctx, d.r, scanRunRow, `SELECT `+runColumns+` FROM runs WHERE status = 'running' ORDER BY n`)
	return open, sqlite.Explain(err, "list open runs")
}

func (d *DB) closeRun(ctx context.Context, run contract.Run, events []contract.Event) error {
	missing := closingEvents(run.ID, events)
	return d.write(ctx, "close run", func(tx *sqlite.Tx) error {
		for i := range missing {
			missing[i].Seq, missing[i].At = len(events)+i+1, d.now().UTC()
		}
		bodies, err := encodeBodies(missing)
		if err == nil {
			err = appendEvents(ctx, tx, missing, bodies)
		}
		if err != nil {
			return err
		}
		last := slices.Concat(events, missing)
		return d.end(ctx, tx, endAs(run, last[len(last)-1]))
	})
}

// closingEvents are the events that a broken-off journal lacks, without number.
func closingEvents(run contract.RunID, events []contract.Event) []contract.Event {
	if n := len(events); n > 0 && events[n-1].Kind.Terminal() {
		return nil
	}
	var open []contract.StageChanged
	var text strings.Builder
	stage := contract.StagePlan
	for _, e := range events {
		switch b := e.Body.(type) {
		case contract.TextDelta:
			text.WriteString(b.Delta)
		case contract.StageChanged:
			open = track(open, b)
			stage = b.Stage
		}
	}
	why := interrupted()
	var closing []contract.Event
	for _, s := range slices.Backward(open) {
		end := contract.StageChanged{Stage: s.Stage, State: "error", Label: s.Label, Message: why.Message}
		closing = append(closing, contract.Event{Run: run, Kind: end.Kind(), Body: end})
	}
	failed := contract.FailedRun{Failure: why, Stage: stage, Partial: text.String()}
	return append(closing, contract.Event{Run: run, Kind: failed.Kind(), Body: failed})
}

// track keeps the stages that were started and not ended, in order.
func track(open []contract.StageChanged, s contract.StageChanged) []contract.StageChanged {
	switch s.State {
	case "start":
		return append(open, s)
	case "end", "error":
		return slices.DeleteFunc(open, func(o contract.StageChanged) bool { return o.Stage == s.Stage })
	}
	return open
}

func interrupted() contract.Failure {
	return contract.Failure{Code: fault.Interrupted, Message: "Footnote ended while it was working on this answer.", Hint: "Ask again to get a whole answer."}
}

// endAs gives a run the end that its last event tells.
func endAs(run contract.Run, last contract.Event) contract.Run {
	at := last.At
	run.Ended = &at
	switch b := last.Body.(type) {
	case contract.FinishedRun:
		run.Status, run.Answer, run.Partial, run.Failure = contract.Finished, &b.Answer, "", nil
	case contract.StoppedRun:
		run.Status, run.Partial = contract.Stopped, b.Partial
	case contract.FailedRun:
		failure := b.Failure
		run.Status, run.Failure, run.Partial = contract.Failed, &failure, b.Partial
	}
	return run
}
