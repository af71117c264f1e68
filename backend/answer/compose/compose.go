// Package compose has a model write an answer, or says a text that is written already, and
// publishes it as it comes with its markers bound.
package compose

import (
	"context"
	"fmt"

	"footnote/backend/answer/check"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/prompts"
	"footnote/backend/answer/selection"
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

// Composer has the model write, or says a text that is written already.
type Composer struct {
	Tell      *journal.Teller
	Task      *gather.Task
	Models    *llm.RoleModels
	Binder    *check.Binder
	Settled   func() error // returns when what may be cited is stored
	Selection selection.Selection
}

// Compose writes with as many passages as the model's real window takes,
// and with fewer when the server says it was too much.
func (p *Composer) Compose(ctx context.Context) (check.Draft, error) {
	window := p.Tell.Window()
	reserve := min(window/4, p.Task.Settings.Models.AnswerReserve)
	budget := window - reserve - prompts.Overhead - llm.EstimateTokens(p.Task.Question.Text) - llm.EstimateTokens(p.Task.Question.Context) - llm.EstimateTokens(p.Task.Question.AllInstructions())
	for _, t := range p.Task.History {
		budget -= prompts.TurnCost(t)
	}
	for try := 0; ; try++ {
		kept, left := rank.Fit(p.Selection.Chosen, max(budget, 200), func(c rank.Candidate) int { return prompts.BlockCost(c, "") })
		p.Binder.Widen(kept, budget)
		if left > 0 {
			p.Tell.Notice(contract.Notice{Code: "context-shortened", Level: "warn",
				Message: fmt.Sprintf("%d of %d passages did not fit the model's window and were left out.", left, len(p.Selection.Chosen))})
		}
		var blocks []string
		for _, c := range rank.PromptOrder(kept) {
			blocks = append(blocks, prompts.EvidenceBlock(p.Selection.Numbers[c.Source.ID], c, p.Binder.Alongside(c)))
		}
		text, err := p.Stream(ctx, p.withFact(prompts.Answer(p.Task.Question, p.Task.History, blocks, window < smallWindow)), reserve, kept)
		if err == nil || fault.CodeOf(err) != fault.ContextTooLong || try == ShortenTimes || p.Tell.Partial() != "" {
			p.Binder.Draft.Text = text
			return p.Binder.Draft, err
		}
		budget = budget * 6 / 10
	}
}

// Stream has the chat model write, publishes its text as it comes with the
// markers parsed, and returns the canonical text.
func (p *Composer) Stream(ctx context.Context, messages []llm.Message, reserve int, kept []rank.Candidate) (string, error) {
	call := p.ChatCall(messages, reserve)
	w := p.newWriter()
	usage := llm.Usage{Calls: 1}
	var sent []evidence.PassageID
	for _, c := range kept {
		sent = append(sent, c.Passage.ID)
	}
	for _, n := range p.Binder.Draft.Beside {
		sent = append(sent, n.Passage.ID)
	}
	err := w.pump(privacy.Carrying(privacy.WithPurpose(ctx, "chat"), sent...), p.Models.Chat.Model, call, &usage)
	if usage.Prompt == 0 {
		usage = llm.EstimateUsage(call, w.text.String())
	}
	p.Tell.Count(&p.Tell.Usage.Chat, p.Models.Chat.Name, usage)
	if err != nil {
		return w.text.String(), err
	}
	return w.text.String(), w.verdict()
}

// ChatCall asks the chat model for at most reserve tokens.
func (p *Composer) ChatCall(messages []llm.Message, reserve int) llm.Call {
	return llm.Call{Model: p.Models.Chat.ID, Messages: messages, Temperature: p.Task.Settings.Models.Temperature, MaxTokens: reserve, Window: p.Models.Chat.Ability.Window, Purpose: "chat"}
}

// Relay publishes a reply as it comes and gives its canonical text. What it used is
// counted elsewhere.
func (p *Composer) Relay(ctx context.Context, model llm.Model, call llm.Call) (string, error) {
	w := p.newWriter()
	if err := w.pump(ctx, model, call, &llm.Usage{}); err != nil {
		return "", err
	}
	return w.text.String(), w.verdict()
}

// withFact tells a model what was counted.
func (p *Composer) withFact(messages []llm.Message) []llm.Message {
	if p.Task.Fact != "" {
		last := &messages[len(messages)-1]
		last.Text += "\n\nCounted exactly by the program over all of the reader's files; say this figure as it is, without a number in brackets: " + p.Task.Fact
	}
	return messages
}
