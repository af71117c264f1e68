package research

import (
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/rank"
)

// steered is a subquestion that is looked into, and what the reader said of it.
type steered struct {
	stop     context.CancelFunc // ends it
	skip     bool
	deepen   bool
	question string // that takes its place
}

// steer does what the reader wants with a subquestion of the plan. One that is done is
// deepened, or another one looked into, in the next pass.
func (r *research) steer(dimension string, to contract.Steering, question string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writing || r.study.Researched {
		return fault.New(fault.NotWaiting, "The report is being written.", "Ask about it when it is there.")
	}
	running := r.running[dimension]
	done := slices.ContainsFunc(r.study.Done, func(x contract.Explored) bool { return x.Question == dimension })
	switch {
	case running == nil && !done:
		return fault.New(fault.InvalidRequest, "This research has no such subquestion.", "Take one that its plan names.")
	case running == nil && to != contract.Skip && r.study.Pass >= r.p.Task.Settings.Deep.Passes:
		return fault.New(fault.NotWaiting, "This subquestion is done, and no further pass is left.", "Ask about it when the report is there, or raise deep.passes.")
	}
	if question != "" {
		r.p.Task.Wrote(question)
	}
	r.p.Tell.Emit(contract.Steered{Dimension: dimension, Action: to, Question: question})
	if running != nil {
		running.follow(to, question)
		return nil
	}
	switch to {
	case contract.Skip:
		for i := range r.study.Done {
			if x := &r.study.Done[i]; x.Question == dimension {
				leaveOut(x)
			}
		}
	case contract.Deepen:
		r.further = append(r.further, dimension)
	case contract.Edit:
		r.further = append(r.further, question)
	}
	return nil
}

// leaveOut forgets what was found on a subquestion.
func leaveOut(x *contract.Explored) {
	x.Facts, x.Quotes, x.Evidence, x.Sources, x.Skipped = []contract.Fact{}, []contract.Excerpt{}, []rank.Candidate{}, 0, true
}

func (s *steered) follow(to contract.Steering, question string) {
	switch to {
	case contract.Deepen:
		s.deepen = true
	case contract.Skip:
		s.skip = true
		s.stop()
	case contract.Edit:
		s.question = question
		s.stop()
	}
}

// look looks into a subquestion until it is done, or the reader skips it; another one
// that takes its place is looked into instead.
func (r *research) look(ctx context.Context, question string, index, total int) {
	for question != "" {
		inner, stop := context.WithCancel(ctx)
		own := &steered{stop: stop}
		r.mu.Lock()
		r.running[question] = own
		r.mu.Unlock()
		d := r.explore(inner, question, index, total)
		stop()
		r.mu.Lock()
		delete(r.running, question)
		instead := own.question
		if instead != "" {
			if at := slices.Index(r.study.Plan, question); at >= 0 { // those of a later pass are in no plan
				plan := slices.Clone(r.study.Plan)
				plan[at] = instead
				r.study.Plan = plan
			}
		} else if own.skip {
			leaveOut(&d.out)
		}
		r.mu.Unlock()
		if instead == "" {
			r.done(ctx, d)
		}
		question = instead
	}
}

// wantsDeeper reports whether the reader wants a subquestion looked into further.
func (r *research) wantsDeeper(question string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := r.running[question]
	return own != nil && own.deepen
}

// takeFurther are the subquestions that the reader wants in the next pass.
func (r *research) takeFurther() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.further
	r.further = nil
	return all
}
