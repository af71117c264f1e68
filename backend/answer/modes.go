package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// What a mode that runs the stages in an order of its own is given of a run.

// Checker judges claims.
func (p *Pipeline) Checker() *cite.Checker { return p.engine.Checker }

// Studies keeps how far research has come; nil where none is kept.
func (p *Pipeline) Studies() contract.Studies { return p.engine.Studies }

// Branch is a pipeline for one subquestion: it searches, reads and ranks by that,
// counts by itself, and shares the run's log and models.
func (p *Pipeline) Branch(question string) *Pipeline {
	task, plan := *p.Task, p.Plan
	task.Part, task.History, task.Recalled, task.Compacted, task.Fact = question, nil, nil, nil, ""
	plan.Standalone = question
	return p.engine.newPipeline(&task, p.Tell.Branch(), p.Models, plan)
}

// Frame plans what is planned already, with the weights that the question has.
func (p *Pipeline) Frame(planned contract.Planned) {
	planner := p.planning()
	planner.plan = gather.Plan{Planned: planned}
	planner.choosePreset()
	planner.explainOffline()
	p.Plan = planner.plan
}

// Pool is everything gathered, as candidates with their scores.
func (p *Pipeline) Pool(ctx context.Context) []rank.Candidate { return p.selecting().Pool(ctx) }

// Keep stores what is chosen, so that it can be cited.
func (p *Pipeline) Keep(ctx context.Context) error { return p.keep(ctx) }

// Read is a passage as the checker reads it; each is read once.
func (p *Pipeline) Read(passage evidence.Passage) *cite.Passage { return p.binding().Read(passage) }

// Text is what was read of a source: a page of this run, or a stored file; empty
// where neither is there.
func (p *Pipeline) Text(ctx context.Context, src evidence.Source) string {
	doc, _ := p.selecting().Document(ctx, src)
	return doc.Text
}

// Quote is what a quoted answer to a question says, as the scorer weighs the
// sentences of passages; without it, rules.
func (p *Pipeline) Quote(ctx context.Context, question string, passages []quote.Passage) quote.Result {
	d := p.selecting().Quoting()
	d.Encoder = nil // its scores are of the question that the passages were ranked by
	return quote.Compose(ctx, question, passages, nil, d)
}

// Answers says for each text, as log-odds, how well it answers a question. ok is
// false where nothing that reads both can tell.
func (p *Pipeline) Answers(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool) {
	if p.engine.Meaning == nil {
		return nil, false
	}
	return p.engine.Meaning.Answers(ctx, question, texts)
}

// Publish says a whole canonical text with its markers.
func (p *Pipeline) Publish(text string) { p.composing().Publish(text) }

// ChatCall asks the chat model for at most reserve tokens.
func (p *Pipeline) ChatCall(messages []llm.Message, reserve int) llm.Call {
	return p.composing().ChatCall(messages, reserve)
}

// Stream has the chat model write from the passages it is given, and publishes its
// text as it comes.
func (p *Pipeline) Stream(ctx context.Context, messages []llm.Message, reserve int, kept []rank.Candidate) (string, error) {
	return p.composing().Stream(ctx, messages, reserve, kept)
}

// Relay publishes a reply as it comes and gives its canonical text. What it used
// is counted elsewhere.
func (p *Pipeline) Relay(ctx context.Context, model llm.Model, call llm.Call) (string, error) {
	return p.composing().Relay(ctx, model, call)
}
