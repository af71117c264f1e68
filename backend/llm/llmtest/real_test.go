package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// TestRealModel talks with a small real model where FOOTNOTE_REAL_MODEL gives
// the address of its server and FOOTNOTE_REAL_NAME its name. What it says is not
// judged, only that every step ends in a value or in its fallback.
func TestRealModel(t *testing.T) {
	base, name := os.Getenv("FOOTNOTE_REAL_MODEL"), os.Getenv("FOOTNOTE_REAL_NAME")
	if base == "" {
		t.Skip("no real model: set FOOTNOTE_REAL_MODEL and FOOTNOTE_REAL_NAME")
	}
	schema := json.RawMessage(`{"type":"object","properties":{"queries":{"type":"array","maxItems":3,"items":{"type":"string","maxLength":60}},"search":{"type":"boolean"}},"required":["queries","search"]}`)
	for form, model := range forms(base, llm.Limits{}) {
		if form == os.Getenv("FOOTNOTE_REAL_WITHOUT") {
			continue
		}
		t.Run(form, func(t *testing.T) {
			stack := llm.SplitThinking(llm.Bounded(llm.Retry(model, llm.RetryPolicy{}), 4000))
			fits := 0
			for _, question := range []string{"When was the Eiffel tower built?", "hello", "Compare rice and wheat.", "What does a litre of milk weigh?"} {
				var plan struct {
					Queries []string
					Search  bool
				}
				call := llm.Call{Model: name, MaxTokens: 120, Purpose: "plan", Messages: []llm.Message{{Author: llm.User, Text: "Give search queries as JSON for: " + question}}}
				err := llm.Structured(t.Context(), stack, call, schema, &plan)
				if err == nil {
					fits++
				} else if !errors.Is(err, llm.ErrNotStructured) {
					t.Errorf("%s: %v", question, err)
				}
			}
			t.Logf("%d of 4 replies fit the schema, the others fall back", fits)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, err := llm.Collect(stack.Stream(ctx, llm.Call{Model: name, MaxTokens: 900, Messages: []llm.Message{{Author: llm.User, Text: "Tell a very long story about the sea."}}}))
			if err != nil && !errors.Is(err, context.Canceled) || fault.CodeOf(err) == fault.ModelTimeout {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
}
