package refresh

import (
	"context"
	"slices"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Keep has an answer kept fresh, or changes how it is. What was given up is tried
// again. Faults: not-found, invalid-request.
func (r *Refresher) Keep(ctx context.Context, id contract.RunID, schedule Schedule) (Subscription, error) {
	run, err := r.past(ctx, id)
	if err != nil {
		return Subscription{}, err
	}
	if err := schedule.checked(run); err != nil {
		return Subscription{}, err
	}
	s, err := r.Of(ctx, id)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		s = Subscription{Run: run.ID, Thread: run.Thread}
	case err != nil:
		return Subscription{}, err
	}
	s.EveryMs, s.OnChange, s.Paused, s.Failures, s.Failure, s.Due = schedule.EveryMs, schedule.OnChange, false, 0, nil, nil
	if schedule.EveryMs > 0 {
		s.Due = s.next(lastLook(s, run))
	}
	if err := r.Store.PutSubscription(ctx, s); err != nil {
		return Subscription{}, err
	}
	r.mu.Lock()
	r.look = r.Now() // a file may have changed since the answer was given
	r.mu.Unlock()
	r.Wake()
	return r.Of(ctx, s.Run)
}

// lastLook is when it was last seen that an answer holds.
func lastLook(s Subscription, run contract.Run) time.Time {
	last := run.Started
	if s.Checked != nil && s.Checked.After(last) {
		last = *s.Checked
	}
	return last.UTC()
}

// Drop has an answer kept fresh no longer. One that is not is fault not-found.
func (r *Refresher) Drop(ctx context.Context, id contract.RunID) error {
	s, err := r.Of(ctx, id)
	if err != nil {
		return err
	}
	if err := r.Store.DropSubscription(ctx, s.Run); err != nil {
		return err
	}
	r.Wake()
	if s.Checking {
		for _, run := range r.Engine.Rechecks(s.Thread) {
			r.halt(ctx, run)
		}
	}
	r.tell(News{Run: s.Run, Thread: s.Thread, State: "off"})
	return nil
}

// Of is how an answer is kept fresh: it, or one that it refreshes. One that is not
// is fault not-found.
func (r *Refresher) Of(ctx context.Context, id contract.RunID) (Subscription, error) {
	run, err := r.past(ctx, id)
	if err != nil {
		return Subscription{}, err
	}
	all, err := r.List(ctx, run.Thread)
	if err != nil {
		return Subscription{}, err
	}
	for range 1000 { // a chain in a circle is none of ours
		if at := slices.IndexFunc(all, func(s Subscription) bool { return s.Run == run.ID }); at >= 0 {
			return all[at], nil
		}
		if run.Question.Refreshes == "" {
			break
		}
		if run, err = r.past(ctx, run.Question.Refreshes); err != nil {
			break // the older one is gone
		}
	}
	return Subscription{}, fault.New(fault.NotFound, "This answer is not kept fresh.", "Say first when it is to be checked.")
}

// List gives all answers that are kept fresh; those of one thread, if one is named.
func (r *Refresher) List(ctx context.Context, thread contract.ThreadID) ([]Subscription, error) {
	all, err := r.Store.Subscriptions(ctx, thread)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range all {
		all[i].Checking = all[i].Run == r.checking
	}
	return all, err
}

func (r *Refresher) past(ctx context.Context, id contract.RunID) (contract.Run, error) {
	past, ok := r.Engine.Records.(answer.Past)
	if !ok {
		return contract.Run{}, answer.NoSuchRun()
	}
	run, err := past.Run(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		if _, private := r.Engine.PrivateRun(id); private {
			return contract.Run{}, NoPrivate()
		}
	}
	return run, err
}

// cited are the files of an answer with the digests of what it was given of them:
// a file that has changed since is seen to have.
func (r *Refresher) cited(ctx context.Context, run contract.Run) (map[string]string, error) {
	files, err := r.Store.FileDigests(ctx, run.FilesRead())
	past, ok := r.Engine.Records.(answer.Past)
	if err != nil || !ok {
		return files, err
	}
	for _, card := range run.Answer.Sources {
		if card.Kind != evidence.File || len(card.Passages) == 0 {
			continue
		}
		_, src, err := past.Passage(ctx, card.Passages[0].ID)
		if err == nil {
			files[card.Path] = src.Digest
		} else if fault.CodeOf(err) != fault.NotFound {
			return nil, err
		}
	}
	return files, nil
}
