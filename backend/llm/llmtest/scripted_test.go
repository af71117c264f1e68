package llmtest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"footnote/backend/llm"
)

func TestScriptedRepliesComeInOrderAndTheLastStays(t *testing.T) {
	m := NewScripted(Reply{Text: "one"}, Reply{Text: "plan", When: func(c llm.Call) bool { return c.Purpose == "plan" }}, Reply{Text: "two words"})
	var got []string
	for _, purpose := range []string{"chat", "plan", "chat", "plan", "chat"} {
		r, err := llm.Collect(m.Stream(t.Context(), llm.Call{Purpose: purpose}))
		if err != nil || r.Finish != llm.Stop {
			t.Fatal(r, err)
		}
		got = append(got, r.Text)
	}
	if s := strings.Join(got, ","); s != "one,plan,two words,plan,two words" {
		t.Error(s)
	}
	if calls := m.Calls(); len(calls) != 5 || calls[1].Purpose != "plan" {
		t.Errorf("calls %+v", calls)
	}
}

func TestScriptedFailsWaitsAndStops(t *testing.T) {
	boom := errors.New("boom")
	r, err := llm.Collect(NewScripted(Reply{Text: "half an", Err: boom}).Stream(t.Context(), llm.Call{}))
	if !errors.Is(err, boom) || r.Text != "half an" {
		t.Error(r, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := llm.Collect(NewScripted(Reply{Text: "late", FirstDelay: time.Minute}).Stream(ctx, llm.Call{})); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestScriptedUsesTools(t *testing.T) {
	r, err := llm.Collect(NewScripted(Reply{Thinking: "hm", Calls: []llm.ToolCall{{ID: "1", Name: "x"}}}).Stream(t.Context(), llm.Call{}))
	if err != nil || r.Finish != llm.UseTools || len(r.Calls) != 1 || r.Thinking != "hm" {
		t.Error(r, err)
	}
	if r, _ := llm.Collect(NewScripted().Stream(t.Context(), llm.Call{})); !r.Blank() {
		t.Error("a model without replies spoke")
	}
}
