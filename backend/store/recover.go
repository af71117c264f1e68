package store

import (
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
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
		if records.GoesOn(run, events) {
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
	missing := records.ClosingEvents(run.ID, events)
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
		return d.end(ctx, tx, records.EndAs(run, last[len(last)-1]))
	})
}
