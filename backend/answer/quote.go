package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// giveQuotes answers without a model: the sentences of the passages that fit best.
// why tells what kept a model from writing; empty when none is set up.
func (p *Pipeline) giveQuotes(ctx context.Context, why string) (contract.Answer, error) {
	if err := p.kept.settled(); err != nil {
		return contract.Answer{}, err
	}
	p.Tell.Begin(contract.StageCompose)
	pictures := p.FetchPictures(ctx)
	if why == "" && p.Models.Why != nil {
		why = fault.Of(p.Models.Why).Message
	}
	message := "Extracted from the sources; no model was used."
	if why != "" {
		message += " " + why
	}
	p.Tell.Notice(contract.Notice{Code: "extractive", Level: "info", Message: message, Action: "choose-model"})
	if p.Selection.Quotation == nil { // a model was to write
		p.Selection.Quotation = p.selecting().Extracted(ctx)
	}
	result := *p.Selection.Quotation
	p.aboutLanguages(ctx, result)
	p.aboutHaste()
	text, outcome := result.Text(p.Task.Spoken(p.Selection.Pool)), contract.Extracted
	if result.State == quote.None {
		outcome = contract.NoEvidence
	}
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().Publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), len(result.Sentences))
	if outcome == contract.NoEvidence {
		return p.graded(p.Conclude(text, outcome, nil, contract.Report{Verdicts: contract.NoVerdicts(), AllCitationsValid: true, Unanswered: []string{p.Task.Question.Text}, Warnings: []string{}}, nil)), ctx.Err()
	}
	c := p.Check(ctx, text)
	c.Report.Unanswered = plain.Full(append(c.Report.Unanswered, result.Open...))
	p.AddPictures(pictures)
	return p.graded(p.Conclude(c.Text, outcome, c.Citations, c.Report, nil)), ctx.Err()
}

// graded is a quoted answer with what it is worth.
func (p *Pipeline) graded(a contract.Answer) contract.Answer {
	a.Grade = map[quote.State]contract.Grade{quote.Answer: contract.GradeAnswers, quote.Closest: contract.GradeClosest, quote.None: contract.GradeNone}[p.Selection.Quotation.State]
	if p.Selection.Quotation.Trace != nil {
		a.Confidence = &p.Selection.Quotation.Confidence
	}
	return a
}

// gradedInHaste reports whether an encoder that takes part was late for a quoted
// answer, as it is when the computer is busy: then fewer answers are sure.
func (p *Pipeline) gradedInHaste() bool {
	return p.Selection.Quotation != nil && p.Selection.Quotation.Late && p.engine.Meaning != nil && p.engine.Meaning.On() && p.Task.Settings.Rank.EncoderWaitMs > 0
}

// aboutHaste says so.
func (p *Pipeline) aboutHaste() {
	if p.gradedInHaste() {
		p.Tell.Notice(contract.Notice{Code: "graded-by-words", Level: "info", Message: "This computer was too busy to compare the passages with the question by meaning. By words alone it is less sure that they answer: ask again when it is calmer."})
	}
}
