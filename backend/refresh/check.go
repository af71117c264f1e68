package refresh

import (
	"context"
	"maps"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// trial is a check and what came of it.
type trial struct {
	before, run contract.Run
	files       map[string]string
	began       time.Time
	away        bool // it gave way to a person's question, or was stopped with the program
}

// check asks a subscription again and notes what came of it.
func (r *Refresher) check(ctx context.Context, s Subscription) error {
	if err := r.quiet(ctx); err != nil {
		return err
	}
	still, err := r.stillDue(ctx, s)
	if err != nil || !still {
		return err
	}
	r.begin(s)
	t, err := r.try(ctx, s)
	r.end()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return r.failed(ctx, s, t, failureOf(err))
	case t.away:
		return forgiven(r.Store.SettleCheck(ctx, s.Run, t.run.ID, false, func(*Subscription) {}))
	}
	return r.settle(ctx, s, t)
}

// stillDue looks again after a wait: a person may have changed their mind.
func (r *Refresher) stillDue(ctx context.Context, s Subscription) (bool, error) {
	all, err := r.Store.Subscriptions(ctx, s.Thread)
	for _, now := range all {
		if now.Run == s.Run {
			return now.Due != nil && !now.Paused && !now.Due.After(r.Now()), err
		}
	}
	return false, err
}

func (r *Refresher) begin(s Subscription) {
	r.mu.Lock()
	r.checking = s.Run
	r.mu.Unlock()
	r.tell(News{Run: s.Run, Thread: s.Thread, State: "checking"})
}

func (r *Refresher) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checking = ""
}

func (r *Refresher) tell(news News) {
	if r.Tell != nil {
		r.Tell(news)
	}
}

// try asks once more and waits for the end.
func (r *Refresher) try(ctx context.Context, s Subscription) (t trial, err error) {
	t.began = r.Now().UTC()
	if t.before, err = r.Store.Freshest(ctx, s.Run); err != nil {
		return t, err
	}
	paths := t.before.FilesRead()
	r.renew(ctx, s.Run, paths)
	if t.files, err = r.Store.FileDigests(ctx, paths); err != nil {
		return t, err
	}
	if t.run, err = r.Engine.Recheck(ctx, t.before); err != nil {
		t.run = contract.Run{}
		return t, err
	}
	last, err := r.attend(ctx, t.run)
	if err != nil {
		return t, err
	}
	t.run = t.run.EndedBy(last)
	if stopped, ok := last.Body.(contract.StoppedRun); ok {
		t.away = stopped.By != "user"
	}
	return t, nil
}

// attend waits for the end of a check, and ends it when a person asks something.
func (r *Refresher) attend(ctx context.Context, run contract.Run) (contract.Event, error) {
	waiting, done := context.WithCancel(ctx)
	defer done()
	if run.Question.Mode != contract.ModeDeep {
		go r.giveWay(waiting, run.ID)
	}
	last, err := r.Engine.Wait(ctx, run.ID)
	if ctx.Err() != nil {
		r.halt(context.WithoutCancel(ctx), run.ID)
	}
	return last, err
}

func (r *Refresher) giveWay(ctx context.Context, run contract.RunID) {
	for ctx.Err() == nil {
		quiet, changed := r.Engine.Quiet()
		if !quiet {
			r.halt(ctx, run)
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

func (r *Refresher) halt(ctx context.Context, run contract.RunID) {
	ctx, cancel := context.WithTimeout(ctx, stopMost)
	defer cancel()
	err := r.Engine.Stop(ctx, run, "keeper") // as journals have it
	if code := fault.CodeOf(err); err != nil && code != fault.AlreadyEnded && code != fault.NotFound && ctx.Err() == nil {
		r.Log.Warn("stop a check", "run", run, "err", err)
	}
}

// settle notes the end of a check that ran to it.
func (r *Refresher) settle(ctx context.Context, s Subscription, t trial) error {
	switch {
	case t.run.Status == contract.Stopped: // by a person: it is not tried again before its time
		return r.passed(ctx, s, t, false)
	case t.run.Failure != nil:
		return r.failed(ctx, s, t, t.run.Failure)
	}
	if why := unfair(*t.before.Answer, *t.run.Answer); why != nil {
		return r.failed(ctx, s, t, why)
	}
	return r.passed(ctx, s, t, differs(*t.before.Answer, *t.run.Answer))
}

func (r *Refresher) passed(ctx context.Context, s Subscription, t trial, changed bool) error {
	now, ended := r.Now().UTC(), t.run.Status == contract.Finished
	if changed {
		cited, err := r.cited(ctx, t.run)
		if err != nil {
			return err
		}
		maps.Copy(cited, t.files)
		t.files = cited
	}
	err := r.Store.SettleCheck(ctx, s.Run, t.run.ID, changed, func(s *Subscription) {
		s.Tried, s.Due, s.Failures, s.Failure = &t.began, s.next(now), 0, nil
		if ended {
			s.Checked, s.Files = &now, t.files
		}
		if changed {
			s.Changed, s.Unseen = &now, true
		}
	})
	if err != nil {
		return forgiven(err)
	}
	news := News{Run: s.Run, Thread: s.Thread, State: "same"}
	if changed {
		news.State = "changed"
	}
	r.Log.Info("an answer was checked", "run", s.Run, "thread", s.Thread, "found", news.State)
	r.tell(news)
	return nil
}

// next is when a subscription is due after a check at a time.
func (s *Subscription) next(after time.Time) *time.Time {
	if s.EveryMs == 0 {
		return nil
	}
	due := after.Add(time.Duration(s.EveryMs) * time.Millisecond)
	return &due
}

// failed puts a check off, and gives up after several in a row.
func (r *Refresher) failed(ctx context.Context, s Subscription, t trial, why *contract.Failure) error {
	now := r.Now().UTC()
	note := func(s *Subscription) {
		s.Tried, s.Failure, s.Failures = &t.began, why, s.Failures+1
		if s.Paused = s.Failures > len(retries); s.Paused {
			s.Due = nil
			return
		}
		due := now.Add(retries[s.Failures-1])
		s.Due = &due
	}
	var err error
	if t.run.ID == "" {
		err = r.Store.EditSubscription(ctx, s.Run, note)
	} else {
		err = r.Store.SettleCheck(ctx, s.Run, t.run.ID, false, note)
	}
	if err != nil {
		return forgiven(err)
	}
	news := News{Run: s.Run, Thread: s.Thread, State: "failed", Message: why.Message}
	if s.Failures >= len(retries) {
		news.State = "paused"
	}
	r.Log.Warn("an answer could not be checked", "run", s.Run, "thread", s.Thread, "code", why.Code, "why", why.Message, "state", news.State)
	r.tell(news)
	return nil
}

func failureOf(err error) *contract.Failure {
	f := fault.Of(err)
	return &contract.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}
