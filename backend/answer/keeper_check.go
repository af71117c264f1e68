package answer

import (
	"context"
	"maps"
	"time"

	"footnote/backend/fault"
)

// trial is a check and what came of it.
type trial struct {
	before, run Run
	files       map[string]string
	began       time.Time
	away        bool // it gave way to a person's question, or was stopped with the program
}

// check asks a standing question again and notes what came of it.
func (k *Keeper) check(ctx context.Context, s Standing) error {
	if err := k.quiet(ctx); err != nil {
		return err
	}
	still, err := k.stillDue(ctx, s)
	if err != nil || !still {
		return err
	}
	k.begin(s)
	t, err := k.try(ctx, s)
	k.end()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return k.failed(ctx, s, t, failureOf(err))
	case t.away:
		return forgiven(k.Standings.SettleCheck(ctx, s.Run, t.run.ID, false, func(*Standing) {}))
	}
	return k.settle(ctx, s, t)
}

// stillDue looks again after a wait: a person may have changed their mind.
func (k *Keeper) stillDue(ctx context.Context, s Standing) (bool, error) {
	all, err := k.Standings.Standing(ctx, s.Thread)
	for _, now := range all {
		if now.Run == s.Run {
			return now.Due != nil && !now.Paused && !now.Due.After(k.Now()), err
		}
	}
	return false, err
}

func (k *Keeper) begin(s Standing) {
	k.mu.Lock()
	k.checking = s.Run
	k.mu.Unlock()
	k.tell(FreshNews{Run: s.Run, Thread: s.Thread, State: "checking"})
}

func (k *Keeper) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.checking = ""
}

func (k *Keeper) tell(news FreshNews) {
	if k.Tell != nil {
		k.Tell(news)
	}
}

// try asks once more and waits for the end.
func (k *Keeper) try(ctx context.Context, s Standing) (t trial, err error) {
	t.began = k.Now().UTC()
	if t.before, err = k.Standings.Freshest(ctx, s.Run); err != nil {
		return t, err
	}
	paths := t.before.FilesRead()
	k.renew(ctx, s.Run, paths)
	if t.files, err = k.Standings.FileDigests(ctx, paths); err != nil {
		return t, err
	}
	if t.run, err = k.Engine.check(ctx, t.before); err != nil {
		t.run = Run{}
		return t, err
	}
	last, err := k.attend(ctx, t.run)
	if err != nil {
		return t, err
	}
	t.run = t.run.EndedBy(last)
	if stopped, ok := last.Body.(StoppedRun); ok {
		t.away = stopped.By != "user"
	}
	return t, nil
}

// attend waits for the end of a check, and ends it when a person asks something.
func (k *Keeper) attend(ctx context.Context, run Run) (Event, error) {
	waiting, done := context.WithCancel(ctx)
	defer done()
	if run.Question.Mode != ModeDeep {
		go k.giveWay(waiting, run.ID)
	}
	last, err := k.Engine.Wait(ctx, run.ID)
	if ctx.Err() != nil {
		k.halt(context.WithoutCancel(ctx), run.ID)
	}
	return last, err
}

func (k *Keeper) giveWay(ctx context.Context, run RunID) {
	for ctx.Err() == nil {
		quiet, changed := k.Engine.Quiet()
		if !quiet {
			k.halt(ctx, run)
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

func (k *Keeper) halt(ctx context.Context, run RunID) {
	ctx, cancel := context.WithTimeout(ctx, stopMost)
	defer cancel()
	err := k.Engine.Stop(ctx, run, "keeper")
	if code := fault.CodeOf(err); err != nil && code != fault.AlreadyEnded && code != fault.NotFound && ctx.Err() == nil {
		k.Log.Warn("stop a check", "run", run, "err", err)
	}
}

// settle notes the end of a check that ran to it.
func (k *Keeper) settle(ctx context.Context, s Standing, t trial) error {
	switch {
	case t.run.Status == Stopped: // by a person: it is not tried again before its time
		return k.passed(ctx, s, t, false)
	case t.run.Failure != nil:
		return k.failed(ctx, s, t, t.run.Failure)
	}
	if why := unfair(*t.before.Answer, *t.run.Answer); why != nil {
		return k.failed(ctx, s, t, why)
	}
	return k.passed(ctx, s, t, differs(*t.before.Answer, *t.run.Answer))
}

func (k *Keeper) passed(ctx context.Context, s Standing, t trial, changed bool) error {
	now, ended := k.Now().UTC(), t.run.Status == Finished
	if changed {
		cited, err := k.cited(ctx, t.run)
		if err != nil {
			return err
		}
		maps.Copy(cited, t.files)
		t.files = cited
	}
	err := k.Standings.SettleCheck(ctx, s.Run, t.run.ID, changed, func(s *Standing) {
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
	news := FreshNews{Run: s.Run, Thread: s.Thread, State: "same"}
	if changed {
		news.State = "changed"
	}
	k.Log.Info("an answer was checked", "run", s.Run, "thread", s.Thread, "found", news.State)
	k.tell(news)
	return nil
}

// next is when a standing question is due after a check at a time.
func (s *Standing) next(after time.Time) *time.Time {
	if s.EveryMs == 0 {
		return nil
	}
	due := after.Add(time.Duration(s.EveryMs) * time.Millisecond)
	return &due
}

// failed puts a check off, and gives up after several in a row.
func (k *Keeper) failed(ctx context.Context, s Standing, t trial, why *Failure) error {
	now := k.Now().UTC()
	note := func(s *Standing) {
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
		err = k.Standings.EditStanding(ctx, s.Run, note)
	} else {
		err = k.Standings.SettleCheck(ctx, s.Run, t.run.ID, false, note)
	}
	if err != nil {
		return forgiven(err)
	}
	news := FreshNews{Run: s.Run, Thread: s.Thread, State: "failed", Message: why.Message}
	if s.Failures >= len(retries) {
		news.State = "paused"
	}
	k.Log.Warn("an answer could not be checked", "run", s.Run, "thread", s.Thread, "code", why.Code, "why", why.Message, "state", news.State)
	k.tell(news)
	return nil
}
