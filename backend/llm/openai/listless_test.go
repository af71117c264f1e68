package openai

import (
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// TestAServerWithoutAListWorksWhenItsModelIsNamed: a proxy may offer chats alone.
func TestAServerWithoutAListWorksWhenItsModelIsNamed(t *testing.T) {
	refusing := func(status int) llmtest.Answer {
		return func(string) (int, string) { return status, `{"error":{"message":"Not Found"}}` }
	}
	for name, list := range map[string]llmtest.Answer{
		"no such path": refusing(404), "not allowed": refusing(405), "not made": refusing(501), "a page": llmtest.Always("<html>hello</html>"), "an empty list": llmtest.Always(`{"data":[]}`),
	} {
		c, _ := fake(t, map[string]llmtest.Answer{"/v1/models": list, "/v1/chat/completions": llmtest.Always(done)})
		a, err := c.Probe(t.Context(), "house-model")
		if err != nil || a.Name != "house-model" || !a.Tools || !a.Schema || !a.Chats() {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "house-model"})); err != nil || r.Text != "ok" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		models, err := c.List(t.Context())
		if f := fault.Of(err); name != "an empty list" && (fault.CodeOf(err) != fault.ModelRefused || !strings.Contains(f.Message+f.Hint, "Name the model")) {
			t.Errorf("%s: listed %v, %v", name, models, err)
		}
	}
	for status, want := range map[int]fault.Code{401: fault.ModelAuth, 403: fault.ModelAuth, 500: fault.ModelRefused} {
		c, _ := fake(t, map[string]llmtest.Answer{"/v1/models": refusing(status)})
		if _, err := c.Probe(t.Context(), "house-model"); fault.CodeOf(err) != want {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestWhatAListSaysOfModelsThatDoNotAnswer(t *testing.T) {
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/models": llmtest.Always(`{"data":[{"id":"painter","type":"image"},{"id":"composer","architecture":{"output_modalities":["audio"]}},
		{"id":"seer","architecture":{"output_modalities":["text","image"]}},{"id":"clerk","capabilities":{"completion_chat":false}},{"id":"talker","capabilities":{"completion_chat":true},"type":"chat"}]}`)})
	models, err := c.List(t.Context())
	if err != nil || len(models) != 5 {
		t.Fatalf("%+v, %v", models, err)
	}
	for _, m := range models {
		if want := m.Name == "seer" || m.Name == "talker"; m.Chats() != want {
			t.Errorf("%+v chats: %v", m, m.Chats())
		}
	}
}
