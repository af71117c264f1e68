package research

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Missing are the subquestions, and what a judge missed, that were not looked into
// to their end, and those
// that nothing was found on.
func (r *research) Missing() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, question := range slices.Concat(r.study.Dimensions, r.study.Plan, r.study.Gaps) {
		found := slices.ContainsFunc(r.study.Done, func(x contract.Explored) bool { return x.Question == question && (x.Sources > 0 || x.Skipped) })
		if !found && !slices.Contains(out, question) {
			out = append(out, question)
		}
	}
	return out
}

// material is all that a dimension found, as text for a model.
func allOf(x contract.Explored) string {
	var lines []string
	for _, f := range x.Facts {
		lines = append(lines, "- "+f.Text)
	}
	for _, q := range x.Quotes {
		lines = append(lines, "“"+q.Text+"”")
	}
	for _, c := range x.Evidence {
		lines = append(lines, strings.TrimSpace(evidence.WithoutOrders(c.Passage.Text)))
	}
	return strings.Join(lines, "\n")
}

// most of a study that a crash may be survived: what makes the program end every
// time must not make it end for ever.
const mostResumed = 5

// continued is the study of a run that the last process left.
func continued(ctx context.Context, p *answer.Pipeline) (contract.Study, error) {
	s, err := p.Studies().Study(ctx, p.Tell.Run.ID)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		s = contract.Study{}
	case err != nil:
		p.Tell.Log.Error("read how far research had come", "err", err)
		return s, interruptedResearch()
	}
	if s.Resumed++; s.Resumed > mostResumed {
		return s, interruptedResearch()
	}
	return s, nil
}

func interruptedResearch() error {
	return fault.New(fault.Interrupted, "Footnote ended while it was working on this research, and it cannot go on.", "Ask again to get a whole report.")
}

// soFar is the study as it is now.
func (r *research) soFar() contract.Study {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.study
}

// keepStudy stores how far the research has come.
func (r *research) keepStudy(ctx context.Context) {
	spent := r.spent()
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.study
	s.Spent, s.Turns = spent, r.calls.Turns.Count()
	s.Usage, s.Counters, s.Phases = r.p.Tell.SoFar()
	if r.p.Task.Question.Private || r.p.Studies() == nil {
		return
	}
	if err := r.p.Studies().KeepStudy(ctx, r.p.Tell.Run.ID, *s); err != nil {
		r.p.Tell.Log.Error("keep how far research has come", "err", err)
	}
}
