package research

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/prompts"
	"footnote/backend/plain"
	"footnote/backend/research/calls"
)

// evaluate has the system model judge whether the evidence suffices, and gives the
// dimensions of the next pass; none when it does, or nothing more can be asked.
func (r *research) evaluate(ctx context.Context) []string {
	r.p.Tell.Begin(contract.StageEvaluating)
	defer func() { r.p.Tell.Finish(len(r.study.Done), len(r.study.Gaps)) }()
	verdict, by := r.judge(ctx)
	if ctx.Err() != nil {
		return nil
	}
	gaps := answer.CleanList(verdict.Gaps, r.p.Task.Settings.Deep.Gaps, answer.LongestDimension)
	if verdict.Complete {
		gaps = nil
	}
	r.mu.Lock()
	if r.study.Gaps = gaps; verdict.enough {
		r.study.Gaps = nil
	}
	r.mu.Unlock()
	r.p.Tell.Emit(contract.Evaluation{Complete: verdict.Complete, Gaps: plain.Full(gaps), By: by})
	if verdict.Complete || verdict.enough || r.study.Pass >= r.p.Task.Settings.Deep.Passes {
		return nil
	}
	return r.nextPlan(ctx, gaps)
}

type verdict struct {
	Complete bool     `json:"complete"`
	Gaps     []string `json:"gaps"`
	enough   bool     // whatever is open, the report is written
}

// judge asks the system model. The first time it fails there is one more pass,
// the second time the report is written.
func (r *research) judge(ctx context.Context) (verdict, string) {
	var v verdict
	err := r.calls.Consult(ctx, calls.Request{Phase: phaseAnalyze, Purpose: "judge", Template: "deep_judge", Asked: r.coverage() + "\n\nQuestion: " + plain.OneLine(r.p.Plan.Standalone, 1000), Schema: prompts.JudgeSchema, Tokens: 400}, &v)
	if err == nil {
		if !v.Complete && len(v.Gaps) == 0 {
			v.Gaps = r.openQuestions()
		}
		return v, "model"
	}
	open := r.openQuestions()
	if r.p.Models.System.Model == nil {
		return verdict{Complete: len(open) == 0, Gaps: open, enough: r.study.Pass > 1}, "rules"
	}
	r.mu.Lock()
	r.study.Misjudged++
	again := r.study.Misjudged < 2
	r.mu.Unlock()
	complete := !again && len(open) == 0
	if len(open) == 0 {
		open = r.study.Plan
	}
	return verdict{Complete: complete, Gaps: open, enough: !again}, "rules"
}

// openQuestions are subquestions of the pass that found nothing or little.
func (r *research) openQuestions() []string {
	var open []string
	for _, x := range r.study.Done {
		if x.Pass == r.study.Pass && !x.Skipped && (x.Sources == 0 || x.Weak) {
			open = append(open, x.Question)
		}
	}
	return open
}

// coverage is what a judge sees: criteria, notes, history and what each dimension
// came to.
func (r *research) coverage() string {
	s := r.soFar()
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			b.WriteString(label + ": " + text + "\n")
		}
	}
	line("Brief", s.Brief)
	line("Criteria", strings.Join(s.Criteria, "; "))
	line("Notes", s.Notes)
	line("Passes so far", fmt.Sprintf("%d of %d", s.Pass, r.p.Task.Settings.Deep.Passes))
	var found []string
	for _, x := range s.Done {
		state := "covered"
		switch {
		case x.Sources == 0:
			state = "nothing found"
		case x.Weak:
			state = "weak"
		}
		found = append(found, fmt.Sprintf("- pass %d, %s: %s; %s, %s, %s", x.Pass, x.Question, state, plain.Plural(x.Sources, "source", "sources"), plain.Plural(len(x.Facts), "fact", "facts"), plain.OneLine(x.KeyFinding, 200)))
	}
	return b.String() + calls.Quotation("Coverage", calls.Fit(strings.Join(found, "\n"), r.calls.Room(400)))
}

var nextSchema = json.RawMessage(`{"type":"object","properties":{"dimensions":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}},"required":["dimensions"]}`)

// nextPlan turns gaps into the dimensions of the next pass. The planner is told
// what was in vain and what is covered; without it the gaps are the dimensions.
// What was looked into before is left out, unless it found little: the next page
// of results may have more.
func (r *research) nextPlan(ctx context.Context, gaps []string) []string {
	covered, vain := r.coveredQuestions(), r.study.Unproductive()
	asked := "Missing:\n- " + strings.Join(gaps, "\n- ") + "\n\nCovered already:\n- " + strings.Join(covered, "\n- ")
	if len(vain) > 0 {
		asked += "\n\nFound nothing:\n- " + strings.Join(vain, "\n- ")
	}
	asked += "\n\nDate: " + r.p.Tell.Now().Format("2 January 2006") + "\n\nQuestion: " + plain.OneLine(r.p.Plan.Standalone, 1000)
	var next planned
	if err := r.calls.Consult(ctx, calls.Request{Phase: phasePlan, Purpose: "plan", Template: "deep_next", Asked: asked, Schema: nextSchema, Tokens: 400}, &next); err != nil {
		next.Dimensions = gaps
	}
	plan := answer.CleanList(append(next.Dimensions, gaps...), max(1, r.p.Task.Settings.Deep.Gaps), answer.LongestDimension)
	if fresh := slices.DeleteFunc(slices.Clone(plan), func(q string) bool { return slices.Contains(covered, q) }); len(fresh) > 0 {
		return fresh
	}
	return plan
}

// coveredQuestions are the dimensions that need no second look.
func (r *research) coveredQuestions() []string {
	var out []string
	for _, x := range r.study.Productive() {
		if !x.Weak {
			out = append(out, x.Question)
		}
	}
	return out
}
