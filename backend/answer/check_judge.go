package answer

import (
	"context"

	"footnote/backend/cite"
	"footnote/backend/rank"
)

// judgeByEncoder judges the bindings anew with the sentence encoder, where it is
// at hand and done with all of them in time. What a passage says word for word
// needs no second look.
func (p *pipeline) judgeByEncoder(ctx context.Context, bindings []binding) {
	if p.engine.Meaning == nil || p.gates().Encoder != rank.English {
		return
	}
	var texts []string
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			texts = append(texts, p.engine.Checker.Wants(b.claim.Text, p.read(b.passage.Passage))...)
		}
	}
	readings := cite.Readings{}
	if len(texts) == 0 || !readings.Add(ctx, p.engine.Meaning, texts) {
		return
	}
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && !b.finding.Verbatim {
			b.finding = p.engine.Checker.CheckEncoded(b.claim.Text, p.task.Question.Text, p.read(b.passage.Passage), readings)
		}
	}
}
