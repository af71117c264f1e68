package check

import (
	"context"

	"footnote/backend/cite"
	"footnote/backend/rank"
)

// judgeByEncoder judges the bindings anew with the sentence encoder, where it is
// at hand and done with all of them in time. What a passage says word for word
// needs no second look.
func (x *Examiner) judgeByEncoder(ctx context.Context, bindings []binding) {
	if x.Deps.Meaning == nil || x.Scorer.GatesOf(x.Plan.Standalone).Encoder != rank.English {
		return
	}
	var texts []string
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			texts = append(texts, x.Deps.Checker.Wants(b.claim.Text, x.Binder.Read(b.passage.Passage))...)
		}
	}
	readings := cite.Readings{}
	if len(texts) == 0 || !readings.Add(ctx, x.Deps.Meaning, texts) {
		return
	}
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			b.finding = x.Deps.Checker.CheckEncoded(b.claim.Text, x.Task.Question.Text, x.Binder.Read(b.passage.Passage), readings)
		}
	}
}
