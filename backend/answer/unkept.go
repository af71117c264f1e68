package answer

import (
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
)

// PrivateRuns are the runs of a private thread, oldest first, as far as they are
// still in memory, which is the only place that has them.
func (e *Engine) PrivateRuns(thread contract.ThreadID) []contract.Run {
	var runs []contract.Run
	for _, l := range e.runs.Private(thread) {
		run := l.Run
		if l.Over() {
			events := l.Facts()
			run = run.EndedBy(events[len(events)-1])
		}
		runs = append(runs, run)
	}
	return runs
}

// PrivateRun is one run that is kept in memory only.
func (e *Engine) PrivateRun(id contract.RunID) (contract.Run, bool) {
	l := e.runs.Find(id)
	if l == nil || !l.Run.Question.Private {
		return contract.Run{}, false
	}
	runs := e.PrivateRuns(l.Run.Thread)
	at := slices.IndexFunc(runs, func(r contract.Run) bool { return r.ID == id })
	if at < 0 {
		return contract.Run{}, false
	}
	return runs[at], true
}

func (e *Engine) endedPrivately(thread contract.ThreadID) []*journal.Live {
	return slices.DeleteFunc(e.runs.Private(thread), func(l *journal.Live) bool { return !l.Over() })
}
