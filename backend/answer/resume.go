package answer

import (
	"context"

	"footnote/backend/answer/contract"
)

// Resume goes on with the deep research that the last process left, and ends with
// interrupted what cannot be gone on with. It returns how many go on. Call it once,
// where the process stays.
func (e *Engine) Resume(ctx context.Context) (int, error) {
	if e.Studies == nil {
		return 0, nil
	}
	runs, err := e.Studies.Unfinished(ctx)
	if err != nil {
		return 0, err
	}
	resumed := 0
	for _, run := range runs {
		if e.runs.Find(run.ID) != nil {
			continue
		}
		past, err := e.Journal.Since(ctx, run.ID, 0)
		if err != nil {
			return resumed, err
		}
		if err := e.runs.Reserve(); err != nil {
			return resumed, err
		}
		e.Log.Info("research goes on", "run", run.ID, "events", len(past))
		l := e.journalWriter.Open(run)
		l.Continue(past)
		e.runs.Start(l, e.conduct)
		resumed++
	}
	return resumed, nil
}

// noticesOf are the notices of an earlier process.
func noticesOf(past []contract.Event) (notices []contract.Notice) {
	for _, e := range past {
		if n, ok := e.Body.(contract.Noticed); ok {
			notices = append(notices, contract.Notice(n))
		}
	}
	return notices
}
