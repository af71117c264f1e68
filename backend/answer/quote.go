package answer

import (
	"context"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/rank"
)

// quote answers without a model: the sentences of the passages that fit best.
// why tells what kept a model from writing; empty when none is set up.
func (p *pipeline) quote(ctx context.Context, why string) (Answer, error) {
	if err := p.settled(); err != nil {
		return Answer{}, err
	}
	p.begin(StageCompose)
	pictures := p.fetchPictures(ctx)
	if why == "" && p.why != nil {
		why = fault.Of(p.why).Message
	}
	message := "Extracted from the sources; no model was used."
	if why != "" {
		message += " " + why
	}
	p.notice(Notice{Code: "extractive", Level: "info", Message: message, Action: "choose-model"})
	if p.quotation == nil { // a model was to write
		p.quotation = p.extracted(ctx)
	}
	result := *p.quotation
	text, outcome := p.quoted(result)
	p.timing.FirstText = max(1, p.now().Sub(p.started).Milliseconds())
	p.publish(text)
	p.timing.Compose = p.finish(len(p.chosen), len(result.Sentences))
	if outcome == NoEvidence {
		return p.conclude(text, outcome, nil, Report{Verdicts: noVerdicts(), AllCitationsValid: true, Unanswered: []string{p.q.Text}, Warnings: []string{}}, nil), ctx.Err()
	}
	final, citations, report := p.check(ctx, text)
	report.Unanswered = full(append(report.Unanswered, result.Open...))
	p.addPictures(pictures)
	return p.conclude(final, outcome, citations, report, nil), ctx.Err()
}

func (p *pipeline) quotable() []extractPassage {
	texts := make([]string, len(p.cands))
	for i, c := range p.cands {
		texts[i] = rankText(c)
	}
	scores := rank.NewBM25(texts).Scores(p.plan.Standalone)
	byID := map[evidence.PassageID]float64{}
	for i, c := range p.cands {
		byID[c.Passage.ID] = scores[i]
	}
	best := 0.0
	for _, c := range p.chosen {
		best = max(best, byID[c.Passage.ID])
	}
	s2, cosines := p.s2()
	out := make([]extractPassage, 0, len(p.chosen))
	for i, c := range p.chosen {
		bm := 0.0
		if best > 0 {
			bm = byID[c.Passage.ID] / best
		}
		out = append(out, extractPassage{N: p.numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text, BM: bm, S2: s2[i], Cosine: cosines[i]})
	}
	return out
}

// quoted renders the chosen sentences under what may honestly be said of them.
func (p *pipeline) quoted(r extractResult) (string, Outcome) {
	body := renderExtract(r)
	if r.Lead != "" {
		body = "**" + escapeMarkdown(r.Lead) + "**\n\n" + body
	}
	if len(r.Open) > 0 {
		body += "\n\nNothing was found about " + escapeMarkdown(strings.Join(r.Open, ", ")) + "."
	}
	switch r.State {
	case extractNone:
		return "The sources do not answer this. The closest passages are listed.", NoEvidence
	case extractWeak:
		return "**Closest passages; they may not answer the question.**\n\n" + body, Extracted
	}
	return body, Extracted
}
