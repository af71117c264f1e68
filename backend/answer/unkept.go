package answer

import (
	"maps"
	"slices"
)

// PrivateRuns are the runs of a private thread, oldest first, as far as they are
// still in memory, which is the only place that has them.
func (e *Engine) PrivateRuns(thread ThreadID) []Run {
	var runs []Run
	for _, l := range e.privately(thread) {
		run := l.Run
		if l.over() {
			events := l.facts()
			run = run.EndedBy(events[len(events)-1])
		}
		runs = append(runs, run)
	}
	return runs
}

// PrivateRun is one run that is kept in memory only.
func (e *Engine) PrivateRun(id RunID) (Run, bool) {
	l := e.find(id)
	if l == nil || !l.Run.Question.Private {
		return Run{}, false
	}
	runs := e.PrivateRuns(l.Run.Thread)
	at := slices.IndexFunc(runs, func(r Run) bool { return r.ID == id })
	if at < 0 {
		return Run{}, false
	}
	return runs[at], true
}

func (e *Engine) privately(thread ThreadID) []*live {
	e.mu.Lock()
	all := slices.AppendSeq(slices.Clone(e.unkept), maps.Values(e.live))
	e.mu.Unlock()
	all = slices.DeleteFunc(all, func(l *live) bool { return l.Run.Thread != thread || !l.Run.Question.Private })
	slices.SortStableFunc(all, func(a, b *live) int { return a.Run.Started.Compare(b.Run.Started) })
	return all
}

func (e *Engine) endedPrivately(thread ThreadID) []*live {
	return slices.DeleteFunc(e.privately(thread), func(l *live) bool { return !l.over() })
}

// EndedBy is a run as its last event tells it.
func (r Run) EndedBy(last Event) Run {
	r.Status, r.Ended = Stopped, &last.At
	switch body := last.Body.(type) {
	case FinishedRun:
		r.Status, r.Answer = Finished, &body.Answer
	case FailedRun:
		r.Status, r.Failure, r.Partial = Failed, &body.Failure, body.Partial
	case StoppedRun:
		r.Partial = body.Partial
	}
	return r
}
