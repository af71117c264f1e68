package answer

import (
	"footnote/backend/answer/contract"
)

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
