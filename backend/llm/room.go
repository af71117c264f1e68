package llm

import (
	"context"
	"iter"
	"regexp"
	"strings"
	"sync"
)

const (
	answerThoughts = 4 * ThoughtTokens // of a model that may think as long as it likes
	mostThoughts   = 4 * answerThoughts
	worthIt        = ThoughtTokens / 4 // more room than that is tried
)

var (
	reasons    = regexp.MustCompile(`(?i)(^|[/\-])(o[1-9]|r1|gpt-5|gpt-oss|grok-4|grok-3-mini|gemini-(2\.5|3)|glm-4\.[5-9]|minimax-m[1-9]|magistral|qwq|qwen3)([\-.:]|$)|reason|think`)
	reasonsNot = regexp.MustCompile(`(?i)non-?(reason|think)|no-?think|gpt-5-chat|instruct`)
)

// WithRoom gives models that think room for it beside the answer: those whose
// names say so, and those that were heard to. Where thoughts used up a reply before
// its first word, the call is made once more with four times the room, and later
// calls have it at once. What was used counts for both. Thoughts never take what
// the prompt needs of a window that is known.
func WithRoom(model Model) Model { return &roomy{model: model} }

type roomy struct {
	model Model
	heard sync.Map // names of models that think → tokens that their thoughts need in a small step
}

// Stream implements Model.
func (r *roomy) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		call.Thoughts = r.room(call)
		spent, again := r.first(ctx, call, yield)
		if !again {
			return
		}
		call.Thoughts = r.more(call)
		r.learn(call)
		for d, err := range r.model.Stream(ctx, call) {
			if d.Usage != nil {
				used := d.Usage.Plus(spent)
				d.Usage = &used
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// first makes the call. again is true when thoughts were all that came and there is
// room for more: the listener has not been told of the end then, and spent is what
// was used.
func (r *roomy) first(ctx context.Context, call Call, yield func(Delta, error) bool) (spent Usage, again bool) {
	thought, said := false, false
	for d, err := range r.model.Stream(ctx, call) {
		if d.Thinking != "" && !thought {
			thought = true
			r.heard.LoadOrStore(call.Model, ThoughtTokens)
		}
		said = said && !d.Retract || strings.TrimSpace(d.Text) != "" || d.Call != nil
		if d.Usage != nil {
			spent = *d.Usage
		}
		if err == nil && d.Finish == Length && thought && !said && r.more(call) >= call.Thoughts+worthIt {
			return spent, ctx.Err() == nil
		}
		if !yield(d, err) || err != nil {
			return spent, false
		}
	}
	return spent, false
}

// more is the room for a second try.
func (r *roomy) more(call Call) int { return roomFor(call, 4*max(call.Thoughts, ThoughtTokens)) }

// learn notes that thoughts needed more than they had: as much in a small step, or
// a quarter of what an answer has.
func (r *roomy) learn(call Call) {
	need := call.Thoughts
	if !call.Light() {
		need /= answerThoughts / ThoughtTokens
	}
	r.heard.Store(call.Model, max(need, r.need(call.Model)))
}

// need is what a model's thoughts take in a small step, as far as it is known.
func (r *roomy) need(model string) int {
	if n, ok := r.heard.Load(model); ok {
		return n.(int)
	}
	if reasons.MatchString(model) && !reasonsNot.MatchString(model) {
		return ThoughtTokens
	}
	return 0
}

func (r *roomy) room(call Call) int {
	need := r.need(call.Model)
	if !call.Light() {
		need *= answerThoughts / ThoughtTokens
	}
	return roomFor(call, need)
}

// roomFor is as much of what thoughts need as the window leaves, with a margin as
// the tokens of the prompt are an estimate.
func roomFor(call Call, need int) int {
	if call.MaxTokens <= 0 {
		return 0
	}
	need = min(need, mostThoughts)
	if call.Window > 0 {
		need = min(need, call.Window-call.Window/16-EstimatePrompt(call)-call.MaxTokens)
	}
	return max(0, need)
}
