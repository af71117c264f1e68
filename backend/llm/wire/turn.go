package wire

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"footnote/backend/llm"
)

// maxHeld is how much of a reply is kept for its end, in bytes.
const maxHeld = 16 << 20

// HeldCall is what a call of a tool counts for beside its input.
const HeldCall = 4 << 10

var errHeld = errors.New("more calls of tools than a reply has")

// ErrLeft says that the listener left the loop: hang up and say nothing.
var ErrLeft = errors.New("listener left")

// Turn passes one reply on as deltas and keeps what is said at its end.
type Turn struct {
	Usage  *llm.Usage // as the server counted; nil when it did not
	Finish llm.Finish // empty until the server said so
	Calls  []llm.ToolCall
	Echo   string // what the provider wants to see again where the calls are sent back

	call  llm.Call
	yield func(llm.Delta, error) bool
	heard llm.TokenCount
	held  int
}

// Reply is the stream of one reply: run reads it and passes it on.
func Reply(call llm.Call, run func(*Turn) error) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		turn := &Turn{call: call, yield: yield}
		turn.Close(run(turn))
	}
}

// Hold counts what is kept of the reply until its end, such as the input of calls:
// nothing else bounds it, as it is not passed on.
func (t *Turn) Hold(bytes int) { t.held += bytes }

// Text passes a piece of the answer on; the error is ErrLeft.
func (t *Turn) Text(text string) error { return t.pass(text, llm.Delta{Text: text}) }

// Think passes a piece of a thought on; the error is ErrLeft.
func (t *Turn) Think(text string) error { return t.pass(text, llm.Delta{Thinking: text}) }

func (t *Turn) pass(text string, d llm.Delta) error {
	if text == "" {
		return nil
	}
	t.heard.Add(text)
	if !t.yield(d, nil) {
		return ErrLeft
	}
	return nil
}

// Close ends the reply. Without an error it passes on the tool calls, then usage
// and finish in one delta; tool calls make it a tool turn whatever the server
// called it. With an error it yields that alone.
func (t *Turn) Close(err error) {
	if errors.Is(err, ErrLeft) {
		return
	}
	if err != nil {
		t.yield(llm.Delta{}, err)
		return
	}
	for i, c := range t.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d", i+1)
		}
		t.heard.Add(c.Name + c.Input)
		if !t.yield(llm.Delta{Call: &c}, nil) {
			return
		}
	}
	if len(t.Calls) > 0 {
		t.Finish = llm.UseTools
		if t.Echo != "" && !t.yield(llm.Delta{Echo: t.Echo}, nil) {
			return
		}
	}
	t.yield(llm.Delta{Usage: t.used(), Finish: t.Finish}, nil)
}

// used is the server's count, or an estimate where it gave none.
func (t *Turn) used() *llm.Usage {
	used := llm.Usage{Calls: 1}
	if t.Usage != nil {
		used.Prompt, used.Completion = t.Usage.Prompt, t.Usage.Completion
	}
	if used.Prompt <= 0 {
		used.Prompt, used.Estimated = llm.EstimatePrompt(t.call), true
	}
	if used.Completion <= 0 && t.heard.Total() > 0 {
		used.Completion, used.Estimated = t.heard.Total(), true
	}
	return &used
}

// FinishOf reads the reasons that servers give for the end of a reply.
func FinishOf(reason string) llm.Finish {
	switch strings.ToLower(reason) {
	case "":
		return ""
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		return llm.Length
	case "content_filter", "safety", "refusal", "recitation", "blocklist", "prohibited_content", "spii":
		return llm.Filtered
	case "tool_calls", "function_call", "tool_use":
		return llm.UseTools
	}
	return llm.Stop
}
