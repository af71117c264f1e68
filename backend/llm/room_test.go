package llm_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"footnote/backend/llm"
)

// ponderer needs so many tokens of thought before its first word, and says nothing
// when it has fewer.
type ponderer struct {
	needs int
	calls []llm.Call
}

func (p *ponderer) Stream(_ context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	p.calls = append(p.calls, call)
	return func(yield func(llm.Delta, error) bool) {
		used := &llm.Usage{Prompt: 10, Completion: call.MaxTokens + call.Thoughts, Calls: 1}
		if p.needs > 0 && !yield(llm.Delta{Thinking: "hm "}, nil) {
			return
		}
		if call.Thoughts < p.needs {
			yield(llm.Delta{Usage: used, Finish: llm.Length}, nil)
			return
		}
		used.Completion = p.needs + 5
		if yield(llm.Delta{Text: "An answer."}, nil) {
			yield(llm.Delta{Usage: used, Finish: llm.Stop}, nil)
		}
	}
}

func answerOf(t *testing.T, m llm.Model, call llm.Call) llm.Reply {
	t.Helper()
	r, err := llm.Collect(m.Stream(t.Context(), call))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestThoughtsDoNotEatTheAnswer(t *testing.T) {
	p := &ponderer{needs: 3000}
	m := llm.WithRoom(p)
	step := llm.Call{Model: "house", MaxTokens: 100, Purpose: "rewrite"}
	r := answerOf(t, m, step)
	if r.Text != "An answer." || r.Finish != llm.Stop || len(p.calls) != 2 {
		t.Fatalf("%+v after %d calls", r, len(p.calls))
	}
	if want := (llm.Usage{Prompt: 20, Completion: 100 + 3005, Calls: 2}); r.Usage != want {
		t.Errorf("usage %+v, want that of both tries %+v", r.Usage, want)
	}
	if r := answerOf(t, m, step); r.Text == "" || len(p.calls) != 3 {
		t.Errorf("what was learnt is forgotten: %d calls", len(p.calls))
	}
}

func TestRoomForThoughts(t *testing.T) {
	for _, c := range []struct {
		name, model, purpose string
		max, window          int
		want                 int
	}{
		{"a model that does not think", "llama-3.3", "chat", 100, 0, 0},
		{"one that does, in a small step", "gpt-5-mini", "rewrite", 100, 0, llm.ThoughtTokens},
		{"… in an answer", "openai/o3", "chat", 100, 0, 4 * llm.ThoughtTokens},
		{"its variant that does not", "gpt-5-chat-latest", "chat", 100, 0, 0},
		{"no limit", "o3", "chat", 0, 0, 0},
		{"a small window", "qwen3:8b", "chat", 1000, 4096, 4096 - 256 - 1000},
		{"a window that is full", "qwen3:8b", "chat", 1000, 1000, 0},
	} {
		p := &ponderer{}
		answerOf(t, llm.WithRoom(p), llm.Call{Model: c.model, Purpose: c.purpose, MaxTokens: c.max, Window: c.window})
		if p.calls[0].Thoughts != c.want {
			t.Errorf("%s: %d, want %d", c.name, p.calls[0].Thoughts, c.want)
		}
	}
}

func TestAModelThatThinksForEverIsTriedTwiceAtMost(t *testing.T) {
	p := &ponderer{needs: 1 << 30}
	r := answerOf(t, llm.WithRoom(p), llm.Call{Model: "house", MaxTokens: 100})
	if !r.Blank() || r.Finish != llm.Length || len(p.calls) != 2 || strings.Count(r.Thinking, "hm") != 2 {
		t.Errorf("%+v after %d calls", r, len(p.calls))
	}
	full := &ponderer{needs: 1 << 30}
	answerOf(t, llm.WithRoom(full), llm.Call{Model: "house", MaxTokens: 100, Window: 200})
	if len(full.calls) != 1 {
		t.Errorf("a full window is tried %d times", len(full.calls))
	}
}
