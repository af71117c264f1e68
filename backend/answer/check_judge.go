package answer

import (
	"context"

	"footnote/backend/cite"
	"footnote/backend/rank"
)

// judgeByEncoder judges the bindings anew with the sentence encoder, where it is
// at hand and done with all of them in time. What a passage says word for word
// needs no second look.
func (x *examiner) judgeByEncoder(ctx context.Context, bindings []binding) {
	if x.deps.Meaning == nil || x.scorer.GatesOf(x.plan.Standalone).Encoder != rank.English {
		return
	}
	var texts []string
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			texts = append(texts, x.deps.Checker.Wants(b.claim.Text, x.binder.read(b.passage.Passage))...)
		}
	}
	readings := cite.Readings{}
	if len(texts) == 0 || !readings.Add(ctx, x.deps.Meaning, texts) {
		return
	}
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			b.finding = x.deps.Checker.CheckEncoded(b.claim.Text, x.task.Question.Text, x.binder.read(b.passage.Passage), readings)
		}
	}
}
