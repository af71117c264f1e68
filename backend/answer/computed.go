package answer

import (
	"context"
	"errors"
	"footnote/backend/plain"

	"footnote/backend/answer/contract"
	"footnote/backend/compute"
	"footnote/backend/fault"
	"footnote/backend/privacy"
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
func (p *Pipeline) computed(ctx context.Context) (a contract.Answer, done bool, err error) {
	asked := p.Task.Question.Focus == contract.FocusCompute
	if !asked && (p.Task.Question.Focus == contract.FocusWriting || p.Task.Question.Context != "") {
		return contract.Answer{}, false, nil
	}
	result, sum, err := compute.Ask(p.Task.Question.Text, p.Tell.Now())
	if !asked && !sum {
		return contract.Answer{}, false, nil
	}
	p.Plan = p.planning().decided(contract.Planned{Standalone: p.Task.Question.Text, Queries: []string{}, By: "rules", Reason: "worked out, nothing is searched"})
	p.Tell.Begin(contract.StageCompose)
	text, outcome := plain.EscapeMarkdown(result.String()), contract.Computed
	switch {
	case err != nil && asked:
		text, outcome = p.askComputer(ctx, err)
	case err != nil:
		text, outcome = plain.EscapeMarkdown(refusal(err)), contract.NoEvidence
	}
	if err := ctx.Err(); err != nil {
		return contract.Answer{}, true, err
	}
	p.Tell.Say(text)
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.Tell.Timing.Compose = p.Tell.Finish(0, 1)
	return p.Conclude(text, outcome, nil, noReport(), nil), true, nil
}

// askComputer asks the service, where there is one and the question may leave.
// Without it the built-in evaluator's refusal is the answer.
func (p *Pipeline) askComputer(ctx context.Context, refused error) (string, contract.Outcome) {
	local := p.Task.Question.Offline || p.Task.Settings.Privacy.Scope == "local-only"
	if p.engine.Computer != nil && p.engine.Computer.Ready() && !local {
		said, err := p.engine.Computer.Compute(privacy.WithPurpose(ctx, "compute"), p.Task.Question.Text)
		if err == nil {
			return plain.EscapeMarkdown(said.Text) + "\n\n[" + said.By + "](" + said.Address + ")", contract.Computed
		}
		p.Tell.Log.Warn("ask a service to compute", "err", err)
		p.Tell.Notice(contract.Notice{Code: "compute-failed", Level: "warn", Message: fault.Of(err).Message})
	}
	return plain.EscapeMarkdown(refusal(refused)) + "\n\nFootnote computes arithmetic, powers, roots, percentages, units, dates and constants. Ask with another focus to search for the answer.", contract.NoEvidence
}

// refusal is what the evaluator says of a sum that it cannot work out.
func refusal(err error) string {
	var refused *compute.Refusal
	if errors.As(err, &refused) {
		return refused.What
	}
	return "This could not be computed."
}

func noReport() contract.Report {
	return contract.Report{Verdicts: contract.NoVerdicts(), AllCitationsValid: true, Unanswered: []string{}, Warnings: []string{}}
}
