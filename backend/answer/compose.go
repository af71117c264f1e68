package answer

import (
	"cmp"
	"context"
	"fmt"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/prompts"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

const (
	smallWindow  = 3000 // tokens; below it the short prompt is used
	ShortenTimes = 2    // after context-too-long
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
	p.draft, err = p.composing().composeFitted(ctx)
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

// composer has the model write, or says a text that is written already.
type composer struct {
	tell      *journal.Teller
	task      *gather.Task
	models    *llm.RoleModels
	binder    *binder
	kept      *keeper
	selection Selection
}

// composeFitted writes with as many passages as the model's real window takes,
// and with fewer when the server says it was too much.
func (p *composer) composeFitted(ctx context.Context) (Draft, error) {
	window := p.tell.Window()
	reserve := min(window/4, p.task.Settings.Models.AnswerReserve)
	budget := window - reserve - prompts.Overhead - llm.EstimateTokens(p.task.Question.Text) - llm.EstimateTokens(p.task.Question.Context) - llm.EstimateTokens(p.task.Question.AllInstructions())
	for _, t := range p.task.History {
		budget -= turnCost(t)
	}
	for try := 0; ; try++ {
		kept, left := rank.Fit(p.selection.Chosen, max(budget, 200), func(c rank.Candidate) int { return prompts.BlockCost(c, "") })
		p.binder.widen(kept, budget)
		if left > 0 {
			p.tell.Notice(contract.Notice{Code: "context-shortened", Level: "warn",
				Message: fmt.Sprintf("%d of %d passages did not fit the model's window and were left out.", left, len(p.selection.Chosen))})
		}
		var blocks []string
		for _, c := range rank.PromptOrder(kept) {
			blocks = append(blocks, prompts.EvidenceBlock(p.selection.Numbers[c.Source.ID], c, p.binder.alongside(c)))
		}
		text, err := p.stream(ctx, p.withFact(prompts.Answer(p.task.Question, p.task.History, blocks, window < smallWindow)), reserve, kept)
		if err == nil || fault.CodeOf(err) != fault.ContextTooLong || try == ShortenTimes || p.tell.Partial() != "" {
			p.binder.draft.Text = text
			return p.binder.draft, err
		}
		budget = budget * 6 / 10
	}
}

// stream has the chat model write, publishes its text as it comes with the
// markers parsed, and returns the canonical text.
func (p *composer) stream(ctx context.Context, messages []llm.Message, reserve int, kept []rank.Candidate) (string, error) {
	call := p.chatCall(messages, reserve)
	w := p.newWriter()
	usage := llm.Usage{Calls: 1}
	var sent []evidence.PassageID
	for _, c := range kept {
		sent = append(sent, c.Passage.ID)
	}
	for _, n := range p.binder.draft.Beside {
		sent = append(sent, n.Passage.ID)
	}
	err := w.pump(privacy.Carrying(privacy.WithPurpose(ctx, "chat"), sent...), p.models.Chat.Model, call, &usage)
	if usage.Prompt == 0 {
		usage = llm.EstimateUsage(call, w.text.String())
	}
	p.tell.Count(&p.tell.Usage.Chat, p.models.Chat.Name, usage)
	if err != nil {
		return w.text.String(), err
	}
	return w.text.String(), w.verdict()
}

// chatCall asks the chat model for at most reserve tokens.
func (p *composer) chatCall(messages []llm.Message, reserve int) llm.Call {
	return llm.Call{Model: p.models.Chat.ID, Messages: messages, Temperature: p.task.Settings.Models.Temperature, MaxTokens: reserve, Window: p.models.Chat.Ability.Window, Purpose: "chat"}
}
