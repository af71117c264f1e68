package answer

import (
	"context"
	"errors"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// conduct takes a run to exactly one last event.
func (e *Engine) conduct(ctx context.Context, l *journal.Live) {
	if e.Meaning != nil {
		defer e.Meaning.Hold()()
	}
	ctx, meter := privacy.WithMeter(ctx)
	ctx, tape := trace.WithRecorder(ctx)
	if l.Run.Question.Refreshes != "" {
		ctx = WithFresh(ctx)
	}
	if l.Run.Question.Offline {
		ctx = privacy.WithLocalOnly(ctx)
	}
	if l.Run.Question.Private {
		ctx = privacy.WithoutTrace(ctx)
	}
	taint := privacy.NewTaint()
	ctx = privacy.WithTaint(ctx, taint)
	p := e.pipelineOf(l, meter, taint)
	if l.Resumed {
		past, _ := l.Since(0)
		p.Tell.Notices = noticesOf(past)
	}
	p.takeOpened(ctx)
	result, err := p.guarded(ctx)
	if err != nil && l.Halted() == "shutdown" && e.Studies != nil && l.Outlives() {
		l.Suspend()
		return
	}
	run := l.Run
	ended := e.Now().UTC()
	run.Ended = &ended
	var last contract.Body
	switch {
	case err == nil:
		result.Ledger = meter.Entries() // what came while the last stage ran is part of it
		run.Status, run.Answer = contract.Finished, &result
		last = contract.FinishedRun{Outcome: result.Outcome, Answer: result}
	case l.Halted() != "" || errors.Is(err, context.Canceled):
		stage := l.Abandon("Stopped.")
		run.Status, run.Partial, run.Ledger = contract.Stopped, l.Partial(), meter.Entries()
		by := l.Halted()
		if by == "" {
			by = "shutdown"
		}
		last = contract.StoppedRun{By: by, Stage: stage, Partial: run.Partial}
	default:
		f := fault.Of(err)
		stage := l.Abandon(f.Message)
		run.Status, run.Partial, run.Ledger = contract.Failed, l.Partial(), meter.Entries()
		run.Failure = &contract.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
		last = contract.FailedRun{Failure: *run.Failure, Stage: stage, Partial: run.Partial}
		l.Log.Warn("run failed", "stage", stage, "err", err)
	}
	l.End(last, p.ending(run, tape), func() {
		p.keepRanking()
		p.keepTape(tape)
		p.engine.record(run)
	})
}

// takeOpened puts what was opened ahead of the question into the run's ledger.
func (p *Pipeline) takeOpened(ctx context.Context) {
	if p.engine.TakeOpened == nil || privacy.LocalOnly(ctx) || p.Task.Settings.Privacy.Scope == "local-only" {
		return
	}
	entries, err := p.engine.TakeOpened(ctx)
	if err != nil {
		p.Tell.Log.Error("read what was opened ahead", "err", err)
	}
	p.Tell.Meter.Take(entries)
}

// ending is what is left to be stored of a run with its last event; nil where
// that cannot be done as a whole.
func (p *Pipeline) ending(run contract.Run, tape *trace.Recorder) *journal.Ending {
	if !p.engine.journalWriter.StoresEndings() || p.engine.Traces == nil || run.Question.Private {
		return nil
	}
	return &journal.Ending{Run: run, Ranking: p.ranking(), Tape: p.tape(tape)}
}

// record stores the end of a run, after its last event is in the journal and
// before it is published: whoever saw the end finds it in the store, and a
// program that is killed in between finds the end in the journal.
func (e *Engine) record(run contract.Run) {
	if run.Question.Private {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := e.Records.End(ctx, run); err != nil {
		e.Log.Error("store end of run", "run", run.ID, "err", err)
	}
}
