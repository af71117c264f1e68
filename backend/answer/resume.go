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
		if e.find(run.ID) != nil {
			continue
		}
		past, err := e.Journal.Since(ctx, run.ID, 0)
		if err != nil {
			return resumed, err
		}
		if err := e.reserve(); err != nil {
			return resumed, err
		}
		e.Log.Info("research goes on", "run", run.ID, "events", len(past))
		l := e.newLive(run)
		l.goOn(past)
		e.start(l)
		resumed++
	}
	return resumed, nil
}

// goOn makes a live run the one that an earlier process left: its events, its
// text, and a stage that stood open ends.
func (l *live) goOn(past []contract.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events, l.shown, l.Resumed = past, len(past), true
	for _, e := range past {
		switch b := e.Body.(type) {
		case contract.TextDelta:
			l.text = append(l.text[:min(b.At, len(l.text))], []rune(b.Delta)...)
		case contract.Answering:
			l.soft = b.By
		case contract.StageChanged:
			switch b.State {
			case "start":
				l.stage, l.stageAt = b.Stage, e.At
			case "end", "error":
				l.stage = ""
			}
		}
	}
	if l.stage != "" {
		l.emitLocked(contract.StageChanged{Stage: l.stage, State: "error", Label: l.stage.Label(), Message: "Footnote ended here; the research goes on."})
		l.stage = ""
	}
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

// outlives reports whether a run goes on after a restart.
func (l *live) outlives(c Config) bool {
	return l.Run.Question.Mode == contract.ModeDeep && c.Studies != nil && l.journaled()
}

// suspend ends a run in this process only: its journal stays open, its followers
// are let go.
func (l *live) suspend() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	for _, changed := l.since(0); changed != nil; _, changed = l.since(0) {
		<-changed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
}
