package records

import (
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// ClosingEvents are the events that a broken-off journal lacks, without number.
func ClosingEvents(run contract.RunID, events []contract.Event) []contract.Event {
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

// EndAs gives a run the end that its last event tells.
func EndAs(run contract.Run, last contract.Event) contract.Run {
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

// GoesOn reports whether a run that was left open is deep research with something
// left to do, which a person waits for.
func GoesOn(run contract.Run, events []contract.Event) bool {
	return run.Question.Mode == contract.ModeDeep && !run.Question.Aside && (len(events) == 0 || !events[len(events)-1].Kind.Terminal())
}

// Folded is what a search of threads looks through.
func Folded(run contract.Run) string {
	text := run.Question.Text + "\n" + run.Partial
	if run.Answer != nil {
		text += "\n" + run.Answer.Answer
	}
	return strings.ToLower(text)
}

// SourcesOf lists what a run's answer rests on.
func SourcesOf(run contract.Run) []evidence.SourceID {
	if run.Answer == nil {
		return nil
	}
	ids := make([]evidence.SourceID, 0, len(run.Answer.Sources)+len(run.Answer.Citations))
	for _, s := range run.Answer.Sources {
		ids = append(ids, s.ID)
	}
	for _, c := range run.Answer.Citations {
		ids = append(ids, c.Source)
	}
	return ids
}

// SourcesGiven are the sources that a run was given: they are held, so that a
// file removed from now on keeps its text for this run.
func SourcesGiven(chosen contract.Selected) []evidence.SourceID {
	sources := make([]evidence.SourceID, 0, len(chosen.Passages)+len(chosen.Sources))
	for _, p := range chosen.Passages {
		sources = append(sources, p.Source)
	}
	for _, s := range chosen.Sources {
		sources = append(sources, s.ID)
	}
	return sources
}

// EngineOf is what found a source of an answer.
func EngineOf(a contract.Answer, id evidence.SourceID) string {
	at := slices.IndexFunc(a.Sources, func(s contract.SourceCard) bool { return s.ID == id })
	if at < 0 {
		return ""
	}
	return a.Sources[at].Engine
}

// TurnOf is a run as a turn of its thread, without what it cited. What a stopped run
// had written counts as its answer.
func TurnOf(run contract.Run) contract.Turn {
	turn := contract.Turn{Question: run.Question.Text, Answer: run.Partial, Untold: run.Question.Untold, Files: run.UsedFiles()}
	if run.Question.Mode == contract.ModeDeep {
		turn.Answer = "" // a report that was cut off tells less than nothing
	}
	if run.Answer != nil {
		turn.Answer, turn.Proposed = run.Answer.Told(), run.Answer.FollowUps
	}
	return turn
}
