package answer

import (
	"context"
	"fmt"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// LongestDimension is how many characters a subquestion of a plan may have.
const LongestDimension = 200

// Plan changes the dimensions of a research that shows its plan, and lets it go
// on; with hold it goes on waiting. No dimensions leave the plan as it is. Faults:
// not-found, already-ended, not-waiting, invalid-request for too many or empty
// dimensions.
func (e *Engine) Plan(ctx context.Context, id contract.RunID, dimensions []string, hold bool) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	most := e.Settings().Deep.DimensionsMax
	if len(dimensions) > most {
		return fault.New(fault.InvalidRequest, fmt.Sprintf("A plan has at most %d dimensions.", most), "Take some out.")
	}
	if len(dimensions) > 0 {
		if dimensions = CleanList(dimensions, most, LongestDimension); len(dimensions) == 0 {
			return fault.New(fault.InvalidRequest, "The dimensions are empty.", "Write what is to be looked into, or leave the plan as it is.")
		}
	}
	return l.EditPlan(dimensions, hold)
}

// Steer changes what becomes of one subquestion while a research looks into them.
// Faults: not-found, already-ended, not-waiting, invalid-request for an unknown
// subquestion or action, or an empty question.
func (e *Engine) Steer(ctx context.Context, id contract.RunID, dimension string, to contract.Steering, question string) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	switch to {
	case contract.Skip, contract.Deepen:
		question = ""
	case contract.Edit:
		list := CleanList([]string{question}, 1, LongestDimension)
		if len(list) == 0 {
			return fault.New(fault.InvalidRequest, "The question is empty.", "Write what is to be looked into instead, or skip it.")
		}
		question = list[0]
	default:
		return fault.New(fault.InvalidRequest, fmt.Sprintf("A subquestion cannot be told to %q.", to), "Say skip, deepen or edit.")
	}
	return l.Steer(dimension, to, question)
}

// CleanList makes one line of each text, at most n of at most long characters,
// none twice.
func CleanList(texts []string, n, long int) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		text = strings.Trim(plain.OneLine(strings.ToValidUTF8(text, ""), long), " -*•")
		key := strings.Join(plain.Distinct(rank.Terms(text)), " ")
		if key == "" || seen[key] || len(out) == n {
			continue
		}
		seen[key] = true
		out = append(out, text)
	}
	return out
}
