package answer

import (
	"context"

	"footnote/backend/cite"
	"footnote/backend/rank"
)

// judgeByEncoder judges the bindings anew with the sentence encoder, where it is
// at hand and done with all of them in time. What a passage says word for word
// needs no second look.
func (p *examiner) judgeByEncoder(ctx context.Context, bindings []binding) {
	if p.deps.Meaning == nil || p.scorer.gatesOf(p.plan.Standalone).Encoder != rank.English {
		return
	}
	var texts []string
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			texts = append(texts, p.deps.Checker.Wants(b.claim.Text, p.binder.read(b.passage.Passage))...)
		}
	}
	readings := cite.Readings{}
	if len(texts) == 0 || !readings.Add(ctx, p.deps.Meaning, texts) {
		return
	}
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			b.finding = p.deps.Checker.CheckEncoded(b.claim.Text, p.task.Question.Text, p.binder.read(b.passage.Passage), readings)
		}
	}
}
