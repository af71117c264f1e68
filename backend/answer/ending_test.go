package answer_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// endings are a journal that stores the end of a run as a whole, or refuses to.
type endings struct {
	*memory
	refuse bool
	mu     sync.Mutex
	whole  []journal.Ending
	parts  []string
}

func (e *endings) AppendEnding(ctx context.Context, events []contract.Event, ends []journal.Ending) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refuse {
		return errors.New("no")
	}
	e.whole = append(e.whole, ends...)
	return e.Append(ctx, events...)
}

func (e *endings) part(name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.parts = append(e.parts, name)
	return nil
}

func (e *endings) End(ctx context.Context, run contract.Run) error {
	return errors.Join(e.part("end"), e.memory.End(ctx, run))
}

func (e *endings) KeepRanking(context.Context, contract.RunID, trace.Ranking) error {
	return e.part("ranking")
}

func (e *endings) Ranking(context.Context, contract.RunID) (trace.Ranking, error) {
	return trace.Ranking{}, nil
}

func (e *endings) KeepTape(context.Context, contract.RunID, trace.Tape) error { return e.part("tape") }

func (e *endings) Tape(context.Context, contract.RunID) (trace.Tape, error) {
	return trace.Tape{}, nil
}

func TestTheEndOfARunIsStoredOnce(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		kept := &endings{refuse: refuse}
		s := set(t, nil, func(s *stage) { kept.memory, s.journal = s.memory, kept })
		s.Records, s.Traces = kept, kept
		events := s.ask(t, "When was the bridge over the Lorne opened?", nil)
		kept.mu.Lock()
		whole, parts := kept.whole, kept.parts
		kept.mu.Unlock()
		if refuse {
			if len(parts) != 3 {
				t.Errorf("refused as a whole, and stored one by one: %v", parts)
			}
			continue
		}
		if len(whole) != 1 || len(parts) != 0 {
			t.Fatalf("%d endings, and by themselves %v", len(whole), parts)
		}
		end := whole[0]
		if end.Run.ID != events[0].Run || end.Run.Status != contract.Finished || end.Run.Answer == nil || end.Ranking == nil || len(end.Ranking.Candidates) == 0 || end.Tape == nil || end.Tape.PromptHash == "" {
			t.Errorf("%+v", end)
		}
		s.ask(t, "What did the bridge over the Lorne cost?", func(q *contract.Question) { q.Private = true })
		if len(kept.whole) != 1 || len(kept.parts) != 0 {
			t.Errorf("of a private run there is stored %+v %v", kept.whole[1:], kept.parts)
		}
	}
}

func TestACallOfAToolIsNoAnswer(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"as text":       {Text: `<tool_call>{"name": "web_search", "arguments": {"query": "x"}}</tool_call>`},
		"in a fence":    {Text: "```json\n{\"name\": \"web_search\", \"parameters\": {\"query\": \"x\"}}\n```"},
		"behind words":  {Text: "Let me look that up.", Calls: []llm.ToolCall{{ID: "a", Name: "web_search", Input: "{}"}}, Finish: llm.UseTools},
		"without words": {Calls: []llm.ToolCall{{ID: "a", Name: "web_search", Input: "{}"}}, Finish: llm.UseTools},
	} {
		reply.When = purpose("chat")
		s := set(t, oneModel{name: "test/m", model: llmtest.NewScripted(rewrite("Lorne bridge length"), reply)}, nil)
		events := s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Models.Chat = "test/m" })
		last, ok := events[len(events)-1].Body.(contract.FailedRun)
		if !ok || last.Failure.Code != fault.ModelRefused || !strings.Contains(last.Failure.Message, "called a tool") || last.Partial != "" {
			t.Errorf("%s: %+v", name, events[len(events)-1].Body)
		}
	}
}
