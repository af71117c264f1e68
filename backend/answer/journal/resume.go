package journal

import (
	"footnote/backend/answer/contract"
)

// Continue makes a live run the one that an earlier process left: its events, its
// text, and a stage that stood open ends.
func (l *Live) Continue(past []contract.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events, l.shown, l.Resumed = past, len(past), true
	for _, e := range past {
		switch b := e.Body.(type) {
		case contract.TextDelta:
			l.text = append(l.text[:min(b.At, len(l.text))], []rune(b.Delta)...)
		case contract.Answering:
			l.cut.by = b.By
		case contract.StageChanged:
			switch b.State {
			case "start":
				l.open.stage, l.open.since = b.Stage, e.At
			case "end", "error":
				l.open.stage = ""
			}
		}
	}
	if l.open.stage != "" {
		l.emitLocked(contract.StageChanged{Stage: l.open.stage, State: "error", Label: l.open.stage.Label(), Message: "Footnote ended here; the research goes on."})
		l.open.stage = ""
	}
}

// Outlives reports whether a run can go on after a restart, where studies are kept.
func (l *Live) Outlives() bool {
	return l.Run.Question.Mode == contract.ModeDeep && l.Journaled()
}

// Suspend ends a run in this process only: its journal stays open, its followers
// are let go.
func (l *Live) Suspend() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	for _, changed := l.Since(0); changed != nil; _, changed = l.Since(0) {
		<-changed
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
}
