package llm

import (
	"context"
	"strings"

	"footnote/backend/fault"
)

// ModelSource finds the model that a role shall use now. An empty name and a
// nil model mean none: the answer is extractive. The error names a chosen model
// that is missing or unreachable.
type ModelSource interface {
	Resolve(ctx context.Context, want string) (ResolvedModel, error)
}

// ResolvedModel is a usable model with the name provider/model.
type ResolvedModel struct {
	Name    string // provider/model; empty when there is none
	Model   Model
	ID      string // the provider's own name, for llm.Call.Model
	Ability Ability

	Provider string // first half of Name
	Cloud    bool   // its server is beyond this computer and the networks that count as local
}

// Complete drains one call that nobody watches. Thinking is left out.
func Complete(ctx context.Context, m ResolvedModel, call Call) (string, Usage, error) {
	return CompleteUntil(ctx, m, call, func(string) bool { return false })
}

// CompleteUntil is Complete for a call that is hung up once its text is enough.
func CompleteUntil(ctx context.Context, m ResolvedModel, call Call, enough func(text string) bool) (string, Usage, error) {
	call.Model = m.ID
	if call.Window == 0 {
		call.Window = m.Ability.Window
	}
	var text strings.Builder
	usage := Usage{Calls: 1}
	for d, err := range m.Model.Stream(ctx, call) {
		if err != nil {
			return text.String(), usage, err
		}
		text.WriteString(d.Text)
		if d.Usage != nil {
			usage = *d.Usage
			usage.Calls = 1
		}
		if d.Text != "" && enough(text.String()) {
			break
		}
	}
	if usage.Prompt == 0 {
		usage = EstimateUsage(call, text.String())
	}
	if strings.TrimSpace(text.String()) == "" {
		return "", usage, fault.New(fault.ModelRefused, "The model gave an empty reply.", "Try again or choose another model.")
	}
	return text.String(), usage, nil
}

// EstimateUsage is what a call used where its server does not say.
func EstimateUsage(call Call, reply string) Usage {
	u := Usage{Calls: 1, Estimated: true, Completion: EstimateTokens(reply)}
	for _, m := range call.Messages {
		u.Prompt += EstimateTokens(m.Text) + 4
	}
	return u
}

// RoleModels are the models of a run.
type RoleModels struct {
	Chat   ResolvedModel
	System ResolvedModel
	Why    error // why there is no model although one was looked for

	Held *RoleModels // models that may not see files yet; nil when there are none
}
