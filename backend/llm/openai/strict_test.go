package openai

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

func TestSchemasThatCanBeHeldStrictly(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"all required": {`{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string","maxLength":9}},"required":["b","a"]}`,
			`{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"],"type":"object"}`},
		"texts and lists may be empty": {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"object","properties":{"c":{"type":"number"}},"required":["c"]}}}}`,
			`{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"items":{"additionalProperties":false,"properties":{"c":{"type":"number"}},"required":["c"],"type":"object"},"type":"array"}},"required":["a","b"],"type":"object"}`},
		"a number that may be left out":     {`{"type":"object","properties":{"a":{"type":"number"}}}`, ""},
		"a choice that may be left out":     {`{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`, ""},
		"any keys":                          {`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"string"}}`, ""},
		"no keys":                           {`{"type":"object"}`, ""},
		"a list":                            {`{"type":"array","items":{"type":"string"}}`, ""},
		"words that are not held":           {`{"type":"object","properties":{"a":{"type":"string","not":{"const":"x"}}},"required":["a"]}`, ""},
		"a part that cannot be held":        {`{"type":"object","properties":{"a":{"type":"object"}},"required":["a"]}`, ""},
		"a definition that cannot be held":  {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":{"type":"object"}}}`, ""},
		"a property by the name of a word":  {`{"type":"object","properties":{"not":{"type":"string"}},"required":["not"]}`, `{"additionalProperties":false,"properties":{"not":{"type":"string"}},"required":["not"],"type":"object"}`},
		"what is no schema":                 {`[1]`, ""},
		"alternatives, one cannot be held":  {`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"object"}]}},"required":["a"]}`, ""},
		"a list that must not be empty":     {`{"type":"object","properties":{"a":{"type":"array","minItems":1,"items":{"type":"string"}}}}`, ""},
		"a required list with a least size": {`{"type":"object","properties":{"a":{"type":"array","minItems":1,"items":{"type":"string"}}},"required":["a"]}`, `{"additionalProperties":false,"properties":{"a":{"items":{"type":"string"},"minItems":1,"type":"array"}},"required":["a"],"type":"object"}`},
	} {
		held, ok := strictly(json.RawMessage(c.schema))
		if ok != (c.want != "") || string(held) != c.want {
			t.Errorf("%s: %s, %v", name, held, ok)
		}
	}
}

// TestAStrictSchemaIsAskedForWhereTheServerTakesIt: what it does not take is left
// out step by step, and not tried again.
func TestAStrictSchemaIsAskedForWhereTheServerTakesIt(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	for name, c := range map[string]struct {
		refuses map[string]string // a part of a request → what is said of it
		asked   int
		last    string
	}{
		"taken":          {nil, 2, `"strict":true`},
		"not strictly":   {map[string]string{`"strict":true`: "Invalid schema for response_format 'reply'"}, 3, `"json_schema":{"name":"reply","schema":{"type":"object","properties":{"a":{"type":"string"}}}}`},
		"no schemas":     {map[string]string{`"json_schema"`: "This response_format type is unavailable now"}, 3, `"response_format":{"type":"json_object"}`},
		"nothing of all": {map[string]string{`"response_format"`: "response_format is not supported"}, 4, `"stream":true`},
	} {
		client, fake := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(body string) (int, string) {
			for has, says := range c.refuses {
				if strings.Contains(body, has) {
					return 400, fmt.Sprintf(`{"error":{"message":%q}}`, says)
				}
			}
			return 200, done
		}})
		client.strict = true
		for range 2 {
			if r, err := llm.Collect(client.Stream(t.Context(), llm.Call{Model: "m", Schema: schema})); err != nil || r.Text != "ok" {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
		}
		if asked := fake.Asked(); len(asked) != c.asked || !strings.Contains(asked[len(asked)-1].Body, c.last) {
			t.Errorf("%s: %d requests, the last %s", name, len(asked), asked[len(asked)-1].Body)
		}
	}
}

func TestThoughtsGoBackUnderTheirName(t *testing.T) {
	const tool = `{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}`
	for name, c := range map[string]struct{ delta, want string }{
		"DeepSeek":   {`"reasoning_content":"first "}},{"delta":{}}]}` + "\n\n" + `data: {"choices":[{"delta":{"reasoning_content":"this"`, `"reasoning_content":"first this"`},
		"others":     {`"reasoning":"first this"`, `"reasoning":"first this"`},
		"OpenRouter": {`"reasoning":"x","reasoning_details":[{"type":"reasoning.encrypted","data":"zz"}]`, `"reasoning_details":[{"type":"reasoning.encrypted","data":"zz"}]`},
	} {
		client, fake := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(body string) (int, string) {
			if strings.Contains(body, `"tool"`) {
				return 200, done
			}
			return 200, `data: {"choices":[{"delta":{` + c.delta + `}}]}` + "\n\n" + `data: {"choices":[{"delta":{"tool_calls":[` + tool + `]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
		}})
		r, err := llm.Collect(client.Stream(t.Context(), llm.Call{Model: "m"}))
		if err != nil || len(r.Calls) != 1 {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		back := []llm.Message{{Author: llm.Assistant, Text: "Earlier.", Echo: r.Echo}, {Author: llm.Assistant, Calls: r.Calls, Echo: r.Echo}, {Author: llm.ToolReply, Tool: "a", Text: "found"}}
		if _, err := llm.Collect(client.Stream(t.Context(), llm.Call{Model: "m", Messages: back})); err != nil {
			t.Fatal(err)
		}
		if sent := fake.Asked()[1].Body; strings.Count(sent, c.want) != 1 {
			t.Errorf("%s: sent %s", name, sent)
		}
	}
}

// TestAServerThatComplainsOfThoughts: one misses them where there were none, the
// other takes none at all.
func TestAServerThatComplainsOfThoughts(t *testing.T) {
	talk := func(echo string) llm.Call {
		return llm.Call{Model: "m", Messages: []llm.Message{{Author: llm.User, Text: "?"}, {Author: llm.Assistant, Calls: []llm.ToolCall{{ID: "a", Name: "x", Input: "{}"}}, Echo: echo}, {Author: llm.ToolReply, Tool: "a", Text: "found"}}}
	}
	for name, c := range map[string]struct {
		echo string
		ok   func(body string) bool
	}{
		"misses them": {"", func(body string) bool { return strings.Contains(body, `"reasoning_content":""`) }},
		"takes none":  {`{"reasoning_content":"hm"}`, func(body string) bool { return !strings.Contains(body, "reasoning") }},
	} {
		client, fake := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(body string) (int, string) {
			if !c.ok(body) {
				return 400, `{"error":{"message":"The reasoning_content in the thinking mode is not as it must be"}}`
			}
			return 200, done
		}})
		for range 2 {
			if r, err := llm.Collect(client.Stream(t.Context(), talk(c.echo))); err != nil || r.Text != "ok" {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
		if n := len(fake.Asked()); n != 3 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

func TestModelsThatTakeItThinkLittleInSmallSteps(t *testing.T) {
	client, fake := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(body string) (int, string) {
		if strings.Contains(body, `"o1-mini"`) && strings.Contains(body, "reasoning_effort") {
			return 400, `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}`
		}
		return 200, done
	}})
	for _, c := range []struct {
		model, purpose string
		low            bool
	}{{"o3-mini", "rewrite", true}, {"openai/gpt-oss-20b", "plan", true}, {"gpt-5.1", "extract", true}, {"o3-mini", "chat", false}, {"gpt-4o", "rewrite", false}, {"o1-mini", "rewrite", false}} {
		if _, err := llm.Collect(client.Stream(t.Context(), llm.Call{Model: c.model, Purpose: c.purpose})); err != nil {
			t.Fatal(err)
		}
		asked := fake.Asked()
		if got := strings.Contains(asked[len(asked)-1].Body, `"reasoning_effort":"low"`); got != c.low {
			t.Errorf("%s, %s: low effort is %v", c.model, c.purpose, got)
		}
	}
}
