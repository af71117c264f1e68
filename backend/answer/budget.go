package answer

import (
	"strconv"

	"footnote/backend/llm"
)

// overBudget names the first limit of the run that model calls reached; empty
// while there is room.
func (p *pipeline) overBudget() string {
	limits, used := p.s.Limits, p.usage.Chat.Total+p.usage.System.Total
	switch {
	case limits.ModelCalls > 0 && p.counters.ModelCalls >= limits.ModelCalls:
		return plural(limits.ModelCalls, "model call", "model calls")
	case limits.Tokens > 0 && used >= limits.Tokens:
		return plural(limits.Tokens, "token", "tokens")
	case limits.Cost > 0 && p.cost() >= limits.Cost:
		return strconv.FormatFloat(limits.Cost, 'f', -1, 64) + " in money"
	}
	return ""
}

// cost is what the run's model calls cost so far, as far as prices are known.
func (p *pipeline) cost() float64 {
	sum := 0.0
	for _, u := range []ModelUsage{p.usage.Chat, p.usage.System} {
		sum += p.priceOf(u.Model).Of(u.Prompt, u.Completion)
	}
	return sum
}

// priceOf is the price of a model, provider/model: the settings' own, else what
// its provider told.
func (p *pipeline) priceOf(model string) llm.Price {
	var price llm.Price
	for _, m := range []ResolvedModel{p.chat, p.system} {
		if m.Name == model {
			price = m.Ability.Price
		}
	}
	if v, ok := p.s.Models.PromptPrices[model]; ok {
		price.Prompt = v
	}
	if v, ok := p.s.Models.ReplyPrices[model]; ok {
		price.Reply = v
	}
	return price
}

// mindBudget ends retrieval at the first limit that is reached. The answer is
// still written: what is collected is not thrown away.
func (p *pipeline) mindBudget() {
	if !p.retrieving() {
		return
	}
	if what := p.overBudget(); what != "" {
		p.endRetrieval(what)
	}
}

// endRetrieval ends retrieval because of a limit, and names it.
func (p *pipeline) endRetrieval(limit string) {
	if p.answerNow("budget") {
		p.notice(Notice{Code: "budget", Level: "info", Message: "The limit of " + limit + " was reached, so the answer rests on what was found until then."})
	}
}

// retrieving reports whether evidence is still being gathered.
func (p *pipeline) retrieving() bool {
	p.live.mu.Lock()
	defer p.live.mu.Unlock()
	switch p.live.stage {
	case StagePlan, StageGather, StageRead:
		return true
	}
	return false
}
