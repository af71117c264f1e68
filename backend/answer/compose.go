package answer

import (
	"context"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

const (
	smallWindow  = 3000 // tokens; below it the short prompt is used
	overhead     = 420  // tokens of rules, fence and question
	shortenTimes = 2    // after context-too-long
)

func estimateText(s string) int { return llm.EstimateTokens(s) }

// write composes the answer from the chosen passages, with the model or by
// quoting, and has it checked.
func (p *pipeline) write(ctx context.Context) (Answer, error) {
	if len(p.chosen) == 0 {
		return p.nothingFound(), nil
	}
	if p.chat.Model == nil {
		return p.giveQuotes(ctx, "")
	}
	p.begin(StageCompose)
	pictures := p.fetchPictures(ctx)
	text, err := p.composeFitted(ctx)
	if err != nil {
		if ctx.Err() != nil || named(first(p.q.Models.Chat, p.s.Models.Chat)) || p.partial() != "" {
			return Answer{}, err
		}
		p.finish(len(p.chosen), 0)
		p.live.log.Warn("provider down", "model", p.chat.Name, "err", err)
		return p.giveQuotes(ctx, fault.Of(err).Message)
	}
	p.timing.Compose = p.finish(len(p.chosen), 1)
	followUps := p.suggest(ctx, text)
	final, citations, report := p.check(ctx, text)
	p.addPictures(pictures)
	return p.conclude(final, Answered, citations, report, p.propose(<-followUps)), ctx.Err()
}

// composeFitted writes with as many passages as the model's real window takes,
// and with fewer when the server says it was too much.
func (p *pipeline) composeFitted(ctx context.Context) (string, error) {
	window := p.window()
	reserve := min(window/4, p.s.Models.AnswerReserve)
	budget := window - reserve - overhead - estimateText(p.q.Text) - estimateText(p.q.Context) - estimateText(p.q.wishes())
	for _, t := range p.history {
		budget -= turnCost(t)
	}
	for try := 0; ; try++ {
		kept, left := rank.Fit(p.chosen, max(budget, 200), func(c rank.Candidate) int { return blockCost(c, "") })
		p.widen(kept, budget)
		if left > 0 {
			p.notice(Notice{Code: "context-shortened", Level: "warn",
				Message: count("%d of %d passages did not fit the model's window and were left out.", left, len(p.chosen))})
		}
		var blocks []string
		for _, c := range rank.PromptOrder(kept) {
			blocks = append(blocks, evidenceBlock(p.numbers[c.Source.ID], c, p.alongside(c)))
		}
		text, err := p.stream(ctx, p.withFact(answerMessages(p.q, p.history, blocks, window < smallWindow)), reserve, kept)
		if err == nil || fault.CodeOf(err) != fault.ContextTooLong || try == shortenTimes || p.partial() != "" {
			return text, err
		}
		budget = budget * 6 / 10
	}
}

// stream has the chat model write, publishes its text as it comes with the
// markers parsed, and returns the canonical text.
func (p *pipeline) stream(ctx context.Context, messages []llm.Message, reserve int, kept []rank.Candidate) (string, error) {
	call := p.chatCall(messages, reserve)
	w := p.newWriter()
	usage := llm.Usage{Calls: 1}
	err := w.pump(WithPurpose(ctx, "chat"), p.chat.Model, call, &usage)
	if usage.Prompt == 0 {
		usage = estimate(call, w.text.String())
	}
	p.count(&p.usage.Chat, p.chat.Name, usage)
	var sent []evidence.PassageID
	for _, c := range kept {
		sent = append(sent, c.Passage.ID)
	}
	for _, n := range p.beside {
		sent = append(sent, n.Passage.ID)
	}
	p.meter.Sent("chat", sent)
	if err != nil {
		return w.text.String(), err
	}
	return w.text.String(), w.verdict()
}

// chatCall asks the chat model for at most reserve tokens.
func (p *pipeline) chatCall(messages []llm.Message, reserve int) llm.Call {
	return llm.Call{Model: p.chat.ID, Messages: messages, Temperature: p.s.Models.Temperature, MaxTokens: reserve, Window: p.chat.Ability.Window, Purpose: "chat"}
}
