// Package llmtest proves model adapters and stands in for models.
//
//	suite.go     Run: the contract of llm.Model, held against an adapter and a server that misbehaves
//	server.go    that server
//	forms.go     the dialects it speaks: OpenAI, Ollama, Anthropic, Gemini
//	fake.go      Fake: a server of fixed answers
//	recorded.go  streams recorded from real servers, replayed
//	scripted.go  Scripted: a model in memory, for tests of those who call one
package llmtest

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"footnote/backend/llm"
)

// Reply is one answer of a Scripted model. Zero fields say nothing: no text, no
// delay, Finish stop.
type Reply struct {
	Text       string
	Thinking   string // comes before the text
	Calls      []llm.ToolCall
	Finish     llm.Finish
	FirstDelay time.Duration // before the first delta
	Delay      time.Duration // before each further one
	Err        error         // yielded after the text
	Usage      *llm.Usage    // nil counts by estimate
	When       func(llm.Call) bool
}

// Scripted is a model that gives prepared replies and remembers what it was
// asked. Safe for concurrent use.
type Scripted struct {
	mu      sync.Mutex
	replies []Reply
	calls   []llm.Call
}

var _ llm.Model = (*Scripted)(nil)

// NewScripted makes a model of replies. A call takes the first reply left whose
// When accepts it; one without When accepts every call. Replies without When are
// used once, the last of them for all further calls; those with When stay.
func NewScripted(replies ...Reply) *Scripted {
	return &Scripted{replies: slices.Clone(replies)}
}

// Calls gives what was asked so far, in order.
func (s *Scripted) Calls() []llm.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *Scripted) take(call llm.Call) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
	for _, r := range s.replies {
		if r.When != nil && r.When(call) {
			return r
		}
	}
	at, left := -1, 0
	for i, r := range s.replies {
		if r.When != nil {
			continue
		}
		if left++; at < 0 {
			at = i
		}
	}
	if at < 0 {
		return Reply{}
	}
	r := s.replies[at]
	if left > 1 {
		s.replies = slices.Delete(s.replies, at, at+1)
	}
	return r
}

// Stream implements llm.Model: thoughts and text word by word, then tool calls,
// then usage and finish.
func (s *Scripted) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		r := s.take(call)
		wait := r.FirstDelay
		for _, d := range r.deltas(call) {
			if err := pause(ctx, wait); err != nil {
				yield(llm.Delta{}, err)
				return
			}
			if !yield(d, nil) {
				return
			}
			wait = r.Delay
		}
		if r.Err != nil {
			yield(llm.Delta{}, r.Err)
		}
	}
}

func (r Reply) deltas(call llm.Call) []llm.Delta {
	var all []llm.Delta
	for _, w := range words(r.Thinking) {
		all = append(all, llm.Delta{Thinking: w})
	}
	for _, w := range words(r.Text) {
		all = append(all, llm.Delta{Text: w})
	}
	finish := r.Finish
	for _, c := range r.Calls {
		all = append(all, llm.Delta{Call: &c})
		finish = llm.UseTools
	}
	if r.Err != nil {
		return all
	}
	if finish == "" {
		finish = llm.Stop
	}
	usage := r.Usage
	if usage == nil {
		usage = &llm.Usage{Prompt: llm.EstimatePrompt(call), Completion: llm.EstimateTokens(r.Text + r.Thinking), Calls: 1, Estimated: true}
	}
	return append(all, llm.Delta{Finish: finish, Usage: usage})
}

// words cuts a text after each space; joined they are the text.
func words(text string) []string {
	var all []string
	for start, i := 0, 0; i < len(text); i++ {
		if text[i] == ' ' || i == len(text)-1 {
			all = append(all, text[start:i+1])
			start = i + 1
		}
	}
	return all
}

func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
