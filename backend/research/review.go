package research

import (
	"context"
	"slices"
	"time"

	"footnote/backend/answer/contract"
)

// reviewWait is how long the plan is shown before the run goes on by itself.
func (r *research) reviewWait() time.Duration {
	if r.p.Task.Settings.Deep.Review == "ask" && !r.p.Task.Question.Unattended {
		return r.p.Task.Settings.Ask.ClarifyWait.Duration
	}
	return time.Duration(r.p.Task.Settings.Deep.ReviewMs) * time.Millisecond
}

// review shows the plan and waits for the reader to change it.
func (r *research) review(ctx context.Context) {
	s := &r.study
	if s.Reviewed {
		return
	}
	r.p.Tell.Begin(contract.StagePlanReview)
	began := r.p.Tell.Now()
	dimensions, edited := r.p.Tell.ReviewPlan(ctx, r.reviewWait(), r.p.Task.Settings.Ask.ClarifyWait.Duration)
	r.mu.Lock()
	r.waited += r.p.Tell.Now().Sub(began)
	if edited {
		r.wroteOf(dimensions, s.Dimensions)
		s.Dimensions, s.By = dimensions, "user"
	}
	s.Reviewed, s.Pass, s.Plan = true, 1, s.Dimensions
	r.mu.Unlock()
	if edited {
		r.p.Tell.Emit(r.scoped(0))
	}
	r.keepStudy(context.WithoutCancel(ctx))
	r.p.Tell.Finish(0, len(s.Plan))
}

// wroteOf notes the lines of a plan that the reader changed or added.
func (r *research) wroteOf(plan, before []string) {
	for _, line := range plan {
		if !slices.Contains(before, line) {
			r.p.Task.Wrote(line)
		}
	}
}
