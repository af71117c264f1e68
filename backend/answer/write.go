package answer

import (
	"cmp"
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// write composes the answer from the chosen passages, with the model or by
// quoting, and has it checked.
func (p *Pipeline) write(ctx context.Context) (contract.Answer, error) {
	if len(p.Selection.Chosen) == 0 {
		return p.NothingFound(ctx), nil
	}
	if p.Models.Chat.Model == nil {
		return p.giveQuotes(ctx, "")
	}
	p.Tell.Begin(contract.StageCompose)
	pictures := p.FetchPictures(ctx)
	var err error
	p.draft, err = p.composing().Compose(ctx)
	if err != nil {
		if ctx.Err() != nil || named(cmp.Or(p.Task.Question.Models.Chat, p.Task.Settings.Models.Chat)) || p.Tell.Partial() != "" {
			return contract.Answer{}, err
		}
		p.Tell.Finish(len(p.Selection.Chosen), 0)
		p.Tell.Log.Warn("provider down", "model", p.Models.Chat.Name, "err", err)
		return p.giveQuotes(ctx, fault.Of(err).Message)
	}
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), 1)
	p.tellsOf(p.draft.Text)
	followUps := p.suggest(ctx, p.draft.Text)
	c := p.Check(ctx, p.draft.Text)
	p.AddPictures(pictures)
	return p.Conclude(c.Text, contract.Answered, c.Citations, c.Report, p.propose(<-followUps)), ctx.Err()
}
