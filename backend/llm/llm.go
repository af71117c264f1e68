// Package llm holds the words spoken with language models: messages, calls,
// deltas, usage, and the two interfaces every provider satisfies.
//
// A provider is one folder below this one, one line in backend/app and one call of
// the conformance suite in llmtest.
package llm

import (
	"context"
	"encoding/json"
	"iter"
)

// Author says who speaks a message.
type Author string

// Authors of messages.
const (
	System    Author = "system"
	User      Author = "user"
	Assistant Author = "assistant"
	ToolReply Author = "tool"
)

// Message is one turn of a conversation with a model.
type Message struct {
	Author Author
	Text   string
	Calls  []ToolCall // of an assistant message
	Tool   string     // id of the call that a tool message answers
	Echo   string     // of an assistant message with calls: what the provider wants to see again with it
}

// ToolCall is a model's request to run a tool. Input is JSON as the model wrote
// it, not yet checked. Echo is what the provider wants to see again, unchanged,
// when the call is sent back in a conversation; nobody else reads it.
type ToolCall struct {
	ID, Name string
	Input    string
	Echo     string
}

// Tool is offered to the model. Schema is the JSON schema of its input.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Call is one request. Model is the provider's own name for the model.
type Call struct {
	Model       string
	Messages    []Message
	Temperature float64
	MaxTokens   int             // of the answer; 0 leaves it to the server
	Thoughts    int             // tokens that thoughts may take beyond MaxTokens; 0 of a model that is not known to think
	Window      int             // tokens of prompt and reply together; Ollama's num_ctx. 0 = default
	Schema      json.RawMessage // JSON schema of the reply; nil = free text
	Tools       []Tool
	Purpose     string // "chat", "rewrite", "plan" …: for the ledger and the trace
}

// Light reports whether a call is a small step before or after an answer, for
// which a model need not think long.
func (c Call) Light() bool { return c.Purpose != "" && c.Purpose != "chat" && c.Purpose != "agent" }

// Delta is a piece of a reply. Exactly one kind of content is set, or none when
// only Usage or Finish arrive.
type Delta struct {
	Text     string
	Thinking string // never part of the answer
	Call     *ToolCall
	Echo     string // for Message.Echo; comes with calls
	Usage    *Usage // the last one received holds
	Finish   Finish
	Retract  bool // all Text of this reply so far was thinking; only SplitThinking says so
}

// Finish says why a reply ended.
type Finish string

// Reasons for the end of a reply.
const (
	Stop     Finish = "stop"
	Length   Finish = "length"
	Filtered Finish = "filtered"
	UseTools Finish = "tools"
	Repeated Finish = "repeated" // cut by Bounded: the same words over and over
)

// Usage counts tokens. Estimated is set when the server did not say.
type Usage struct {
	Prompt     int
	Completion int
	Calls      int
	Estimated  bool
}

// Plus adds two counts.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Completion: u.Completion + v.Completion,
		Calls: u.Calls + v.Calls, Estimated: u.Estimated || v.Estimated,
	}
}

// Total is prompt and completion together.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Model answers calls. Stream yields deltas as they arrive and ends after the
// last one; an error is yielded once, last. Errors are *fault.Fault with a
// model-… code, or the context's error when it was cancelled. The connection is
// closed when the loop is left, so the server sees the hang-up. Safe for
// concurrent use; a call may not be repeated by the model itself once a delta
// was yielded.
type Model interface {
	Stream(ctx context.Context, call Call) iter.Seq2[Delta, error]
}

// Ability is what a model can do, as the server says or a probe showed.
type Ability struct {
	Name   string
	Window int // tokens; 0 when unknown
	Tools  bool
	Schema bool
	Vision bool
	Embeds bool
	Other  bool // as its server says it neither answers nor makes vectors: it speaks, draws, judges
	Dims   int
	Price  Price
}

// Price is what a model costs, in the provider's currency a million tokens; the
// zero Price is unknown, or nothing.
type Price struct {
	Prompt, Reply float64
}

// Of is what a call with this usage costs.
func (p Price) Of(prompt, reply int) float64 {
	return (p.Prompt*float64(prompt) + p.Reply*float64(reply)) / 1e6
}

// Lister is a Model that can tell which models its server has.
type Lister interface {
	List(ctx context.Context) ([]Ability, error)
}

// Prober is a Model that can tell one model's real window and abilities.
type Prober interface {
	Probe(ctx context.Context, model string) (Ability, error)
}

// Embedder turns texts into unit vectors, in the same order. A text without a
// letter or digit gives a nil vector. ID names model and revision: vectors of
// different ids are never compared.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	ID() string
}

// EstimateTokens is a safe guess of how many tokens a text has, for servers
// that do not count: about 3.6 bytes a token in ASCII text, one a rune beyond.
func EstimateTokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii*10+35)/36 + other
}
