package journal

import (
	"strconv"

	"footnote/backend/answer/contract"
	"footnote/backend/llm"
	"footnote/backend/plain"
)

// OverBudget names the first limit of the run that model calls reached; empty
// while there is room.
func (t *Teller) OverBudget() string {
	limits, used := t.settings.Limits, t.Usage.Chat.Total+t.Usage.System.Total
	switch {
	case limits.ModelCalls > 0 && t.Counters.ModelCalls >= limits.ModelCalls:
		return plain.Plural(limits.ModelCalls, "model call", "model calls")
	case limits.Tokens > 0 && used >= limits.Tokens:
		return plain.Plural(limits.Tokens, "token", "tokens")
	case limits.Cost > 0 && t.Cost() >= limits.Cost:
		return strconv.FormatFloat(limits.Cost, 'f', -1, 64) + " in money"
	}
	return ""
}

// Cost is what the run's model calls cost so far, as far as prices are known.
func (t *Teller) Cost() float64 {
	sum := 0.0
	for _, u := range []contract.ModelUsage{t.Usage.Chat, t.Usage.System} {
		sum += t.priceOf(u.Model).Of(u.Prompt, u.Completion)
	}
	return sum
}

// Spent is what the run's model calls used so far, counted by several at once.
func (t *Teller) Spent() (tokens int, cost float64) {
	t.counting.Lock()
	defer t.counting.Unlock()
	return t.Usage.Chat.Total + t.Usage.System.Total, t.Cost()
}

// priceOf is the price of a model, provider/model: the settings' own, else what
// its provider told.
func (t *Teller) priceOf(model string) llm.Price {
	var price llm.Price
	for _, m := range []llm.ResolvedModel{t.models.Chat, t.models.System} {
		if m.Name == model {
			price = m.Ability.Price
		}
	}
	if v, ok := t.settings.Models.PromptPrices[model]; ok {
		price.Prompt = v
	}
	if v, ok := t.settings.Models.ReplyPrices[model]; ok {
		price.Reply = v
	}
	return price
}

// mindBudget ends retrieval at the first limit that is reached. The answer is
// still written: what is collected is not thrown away.
func (t *Teller) mindBudget() {
	if !t.retrieving() {
		return
	}
	if what := t.OverBudget(); what != "" {
		t.EndRetrieval(what)
	}
}

// EndRetrieval ends retrieval because of a limit, and names it.
func (t *Teller) EndRetrieval(limit string) {
	if t.AnswerNow("budget") {
		t.Notice(contract.Notice{Code: "budget", Level: "info", Message: "The limit of " + limit + " was reached, so the answer rests on what was found until then."})
	}
}

// retrieving reports whether evidence is still being gathered.
func (t *Teller) retrieving() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.open.stage {
	case contract.StagePlan, contract.StageGather, contract.StageRead:
		return true
	}
	return false
}
