package llm

import (
	"context"
	"iter"
	"strings"
)

// Reply is a whole stream, gathered.
type Reply struct {
	Text     string
	Thinking string
	Calls    []ToolCall
	Echo     string
	Usage    Usage
	Finish   Finish
}

// Blank reports whether the model gave no answer: no letter, no sign, no tool
// call.
func (r Reply) Blank() bool { return strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0 }

// Collect reads a stream to its end. With an error the reply holds what had
// come before it.
func Collect(stream iter.Seq2[Delta, error]) (Reply, error) {
	var reply Reply
	var text, thinking strings.Builder
	var failed error
	for d, err := range stream {
		if err != nil {
			failed = err
			break
		}
		if d.Retract {
			thinking.WriteString(text.String())
			text.Reset()
		}
		text.WriteString(d.Text)
		thinking.WriteString(d.Thinking)
		if d.Call != nil {
			reply.Calls = append(reply.Calls, *d.Call)
		}
		if d.Echo != "" {
			reply.Echo = d.Echo
		}
		if d.Usage != nil {
			reply.Usage = *d.Usage
		}
		if d.Finish != "" {
			reply.Finish = d.Finish
		}
	}
	reply.Text, reply.Thinking = text.String(), thinking.String()
	return reply, failed
}

// Counted tells count the usage of every call as it ends, also of one that
// failed or was left after words had come. count must be safe for concurrent
// use.
func Counted(model Model, count func(Call, Usage)) Model { return &counted{model, count} }

type counted struct {
	model Model
	count func(Call, Usage)
}

// Stream implements Model.
func (c *counted) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		var usage *Usage
		var heard TokenCount
		defer func() {
			if usage == nil && heard.Total() > 0 {
				usage = &Usage{Prompt: EstimatePrompt(call), Completion: heard.Total(), Calls: 1, Estimated: true}
			}
			if usage != nil {
				c.count(call, *usage)
			}
		}()
		for d, err := range c.model.Stream(ctx, call) {
			heard.Add(d.Text)
			heard.Add(d.Thinking)
			if d.Usage != nil {
				usage = d.Usage
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// EstimatePrompt is a safe guess of how many tokens the messages and tools of a
// call have.
func EstimatePrompt(call Call) int {
	n := 0
	for _, m := range call.Messages {
		n += EstimateTokens(m.Text) + EstimateTokens(m.Echo) + 4
		for _, c := range m.Calls {
			n += EstimateTokens(c.Name+c.Input) + 4
		}
	}
	for _, t := range call.Tools {
		n += EstimateTokens(t.Name+t.Description+string(t.Schema)) + 8
	}
	return n
}

// TokenCount estimates like EstimateTokens, but over a text that comes in
// pieces. The zero value is ready.
type TokenCount struct{ ascii, other int }

// Add counts one more piece.
func (c *TokenCount) Add(text string) {
	for _, r := range text {
		if r < 0x80 {
			c.ascii++
		} else {
			c.other++
		}
	}
}

// Total is the estimate so far, in tokens.
func (c *TokenCount) Total() int { return (c.ascii*10+35)/36 + c.other }
