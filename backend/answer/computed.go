package answer

import (
	"context"
	"errors"

	"footnote/backend/answer/quote"
	"footnote/backend/compute"
	"footnote/backend/fault"
)

// Computation is what a service computed. Address is the page that shows it.
type Computation struct {
	By      string
	Text    string
	Address string
}

// Computer is a service that computes what the built-in evaluator cannot. Ready
// reports whether it may be asked. A question it does not understand is the
// fault not-found.
type Computer interface {
	Ready() bool
	Compute(ctx context.Context, question string) (Computation, error)
}

// computed answers what only has to be worked out: with the focus for it, and
// with any other where the whole question is surely a sum, be it one that cannot be
// worked out. done is false where it is not.
func (p *pipeline) computed(ctx context.Context) (a Answer, done bool, err error) {
	asked := p.q.Focus == FocusCompute
	if !asked && (p.q.Focus == FocusWriting || p.q.Context != "") {
		return Answer{}, false, nil
	}
	result, sum, err := compute.Ask(p.q.Text, p.now())
	if !asked && !sum {
		return Answer{}, false, nil
	}
	p.planComputation()
	p.begin(StageCompose)
	text, outcome := quote.EscapeMarkdown(result.String()), Computed
	switch {
	case err != nil && asked:
		text, outcome = p.askComputer(ctx, err)
	case err != nil:
		text, outcome = quote.EscapeMarkdown(refusal(err)), NoEvidence
	}
	if err := ctx.Err(); err != nil {
		return Answer{}, true, err
	}
	p.say(text)
	p.timing.FirstText = max(1, p.now().Sub(p.started).Milliseconds())
	p.timing.Compose = p.finish(0, 1)
	return p.conclude(text, outcome, nil, noReport(), nil), true, nil
}

func (p *pipeline) planComputation() {
	p.begin(StagePlan)
	p.plan = plan{Planned: Planned{Standalone: p.q.Text, Queries: []string{}, By: "rules", Reason: "worked out, nothing is searched"}}
	p.choosePreset()
	p.emit(p.plan.Planned)
	p.timing.Plan = p.finish(0, 0)
}

// askComputer asks the service, where there is one and the question may leave.
// Without it the built-in evaluator's refusal is the answer.
func (p *pipeline) askComputer(ctx context.Context, refused error) (string, Outcome) {
	local := p.q.Offline || p.s.Privacy.Scope == "local-only"
	if p.Computer != nil && p.Computer.Ready() && !local {
		said, err := p.Computer.Compute(WithPurpose(ctx, "compute"), p.q.Text)
		if err == nil {
			return quote.EscapeMarkdown(said.Text) + "\n\n[" + said.By + "](" + said.Address + ")", Computed
		}
		p.live.log.Warn("ask a service to compute", "err", err)
		p.notice(Notice{Code: "compute-failed", Level: "warn", Message: fault.Of(err).Message})
	}
	return quote.EscapeMarkdown(refusal(refused)) + "\n\nFootnote computes arithmetic, powers, roots, percentages, units, dates and constants. Ask with another focus to search for the answer.", NoEvidence
}

// refusal is what the evaluator says of a sum that it cannot work out.
func refusal(err error) string {
	var refused *compute.Refusal
	if errors.As(err, &refused) {
		return refused.What
	}
	return "This could not be computed."
}

func noReport() Report {
	return Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{}, Warnings: []string{}}
}
