package answer

import (
	"context"
	"slices"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Keep has an answer kept fresh, or changes how it is. What was given up is tried
// again. Faults: not-found, invalid-request.
func (k *Keeper) Keep(ctx context.Context, id RunID, w Wish) (Standing, error) {
	run, err := k.past(ctx, id)
	if err != nil {
		return Standing{}, err
	}
	if err := w.checked(run); err != nil {
		return Standing{}, err
	}
	s, err := k.Of(ctx, id)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		s = Standing{Run: run.ID, Thread: run.Thread}
	case err != nil:
		return Standing{}, err
	}
	s.EveryMs, s.OnChange, s.Paused, s.Failures, s.Failure, s.Due = w.EveryMs, w.OnChange, false, 0, nil, nil
	if w.EveryMs > 0 {
		s.Due = s.next(lastLook(s, run))
	}
	if err := k.Standings.PutStanding(ctx, s); err != nil {
		return Standing{}, err
	}
	k.mu.Lock()
	k.look = k.Now() // a file may have changed since the answer was given
	k.mu.Unlock()
	k.Wake()
	return k.Of(ctx, s.Run)
}

// lastLook is when it was last seen that an answer holds.
func lastLook(s Standing, run Run) time.Time {
	last := run.Started
	if s.Checked != nil && s.Checked.After(last) {
		last = *s.Checked
	}
	return last.UTC()
}

// Drop has an answer kept fresh no longer. One that is not is fault not-found.
func (k *Keeper) Drop(ctx context.Context, id RunID) error {
	s, err := k.Of(ctx, id)
	if err != nil {
		return err
	}
	if err := k.Standings.DropStanding(ctx, s.Run); err != nil {
		return err
	}
	k.Wake()
	if s.Checking {
		for _, run := range k.Engine.RunningIn(s.Thread) {
			if l := k.Engine.find(run); l != nil && l.run.Question.Aside {
				k.halt(ctx, run)
			}
		}
	}
	k.tell(FreshNews{Run: s.Run, Thread: s.Thread, State: "off"})
	return nil
}

// Of is how an answer is kept fresh: it, or one that it refreshes. One that is not
// is fault not-found.
func (k *Keeper) Of(ctx context.Context, id RunID) (Standing, error) {
	run, err := k.past(ctx, id)
	if err != nil {
		return Standing{}, err
	}
	all, err := k.List(ctx, run.Thread)
	if err != nil {
		return Standing{}, err
	}
	for range 1000 { // a chain in a circle is none of ours
		if at := slices.IndexFunc(all, func(s Standing) bool { return s.Run == run.ID }); at >= 0 {
			return all[at], nil
		}
		if run.Question.Refreshes == "" {
			break
		}
		if run, err = k.past(ctx, run.Question.Refreshes); err != nil {
			break // the older one is gone
		}
	}
	return Standing{}, fault.New(fault.NotFound, "This answer is not kept fresh.", "Say first when it is to be checked.")
}

// List gives all answers that are kept fresh; those of one thread, if one is named.
func (k *Keeper) List(ctx context.Context, thread ThreadID) ([]Standing, error) {
	all, err := k.Standings.Standing(ctx, thread)
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range all {
		all[i].Checking = all[i].Run == k.checking
	}
	return all, err
}

func (k *Keeper) past(ctx context.Context, id RunID) (Run, error) {
	past, ok := k.Engine.Records.(Past)
	if !ok {
		return Run{}, noSuchRun()
	}
	run, err := past.Run(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		if _, private := k.Engine.PrivateRun(id); private {
			return Run{}, NoPrivateFreshness()
		}
	}
	return run, err
}

// cited are the files of an answer with the digests of what it was given of them:
// a file that has changed since is seen to have.
func (k *Keeper) cited(ctx context.Context, run Run) (map[string]string, error) {
	files, err := k.Standings.FileDigests(ctx, run.FilesRead())
	past, ok := k.Engine.Records.(Past)
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
