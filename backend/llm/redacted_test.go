package llm_test

import (
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

func TestWhatIsRedactedNeverReachesTheModel(t *testing.T) {
	inner := llmtest.NewScripted(llmtest.Reply{Text: "The word was secret."})
	model := llm.Redacted(inner, func(s string) string { return strings.ReplaceAll(s, "secret", "[…]") })
	asked := []llm.Message{
		{Author: llm.System, Text: "a secret rule"}, {Author: llm.User, Text: "a secret file"},
		{Author: llm.Assistant, Calls: []llm.ToolCall{{ID: "1", Name: "search", Input: `{"query":"secret"}`}}}, {Author: llm.ToolReply, Tool: "1", Text: "a secret result"},
	}
	said := ""
	for d, err := range model.Stream(t.Context(), llm.Call{Model: "m", Messages: asked}) {
		if err != nil {
			t.Fatal(err)
		}
		said += d.Text
	}
	for _, m := range inner.Calls()[0].Messages {
		if strings.Contains(m.Text, "secret") || len(m.Calls) > 0 && strings.Contains(m.Calls[0].Input, "secret") {
			t.Errorf("the model got %+v", m)
		}
	}
	if !strings.Contains(said, "secret") || asked[2].Calls[0].Input != `{"query":"secret"}` {
		t.Errorf("the reply became %q, the question %+v", said, asked[2])
	}
}
