package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/settings"
)

// fake is a client over a server of fixed answers.
func fake(t *testing.T, routes map[string]llmtest.Answer) (*Client, *llmtest.Fake) {
	t.Helper()
	server := llmtest.NewFake(t, routes)
	return New(Config{Name: "Test", BaseURL: server.URL + "/v1", Key: settings.NewSecret("sk-1"), Client: server.Client()}), server
}

const done = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

func TestWhatAServerDoesNotTakeIsLeftOutAndRemembered(t *testing.T) {
	refusals := []struct{ has, says string }{
		{`"temperature"`, "Unsupported value: 'temperature' does not support 0.2 with this model."},
		{`"max_tokens"`, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."},
		{`"stream_options"`, "unknown field stream_options"},
		{`"json_schema"`, "This response_format type is unavailable now"},
	}
	c, asked := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(body string) (int, string) {
		for _, r := range refusals {
			if strings.Contains(body, r.has) {
				return 400, fmt.Sprintf(`{"error":{"message":%q}}`, r.says)
			}
		}
		return 200, done
	}})
	call := llm.Call{Model: "m", MaxTokens: 9, Temperature: 0.2, Schema: json.RawMessage(`{"type":"object"}`)}
	for _, requests := range []int{5, 6} {
		r, err := llm.Collect(c.Stream(t.Context(), call))
		if err != nil || r.Text != "ok" || len(asked.Asked()) != requests {
			t.Fatalf("%+v, %v after %d requests", r, err, len(asked.Asked()))
		}
	}
	last := asked.Asked()[5]
	for _, want := range []string{`"max_completion_tokens":2057`, `"json_object"`, "Bearer sk-1"} {
		if !strings.Contains(last.Header.Get("Authorization")+last.Body, want) {
			t.Errorf("%s lacks %s", last.Body, want)
		}
	}
}

func TestAServerThatRefusesEverythingIsNotAskedForEver(t *testing.T) {
	c, asked := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(string) (int, string) {
		return 400, `{"error":"temperature max_completion_tokens stream_options response_format"}`
	}})
	_, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", MaxTokens: 1, Schema: json.RawMessage(`{}`)}))
	if fault.CodeOf(err) != fault.ModelRefused || len(asked.Asked()) > 6 {
		t.Errorf("%v after %d requests", err, len(asked.Asked()))
	}
}

func TestToolPieces(t *testing.T) {
	for name, c := range map[string]struct {
		parts string
		want  []llm.ToolCall
	}{
		"by index": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{"}},{"index":1,"id":"b","function":{"name":"y","arguments":"["}},{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"]"}}]`,
			[]llm.ToolCall{{ID: "a", Name: "x", Input: "{}"}, {ID: "b", Name: "y", Input: "[]"}}},
		"by id": {`[{"id":"a","function":{"name":"x","arguments":"{"}},{"id":"b","function":{"name":"y","arguments":"["}},{"id":"a","function":{"arguments":"}"}},{"id":"b","function":{"arguments":"]"}}]`,
			[]llm.ToolCall{{ID: "a", Name: "x", Input: "{}"}, {ID: "b", Name: "y", Input: "[]"}}},
		"by order": {`[{"function":{"name":"x","arguments":"{"}},{"function":{"arguments":"}"}},{"function":{"name":"y","arguments":"[]"}}]`,
			[]llm.ToolCall{{Name: "x", Input: "{}"}, {Name: "y", Input: "[]"}}},
		"all numbered 0": {`[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}},{"index":0,"id":"b","function":{"name":"y","arguments":"[]"}}]`,
			[]llm.ToolCall{{ID: "a", Name: "x", Input: "{}"}, {ID: "b", Name: "y", Input: "[]"}}},
		"empty never overwrites": {`[{"index":0,"id":"a","function":{"name":"x","arguments":""}},{"index":0,"id":"","function":{"name":"","arguments":"{}"}}]`,
			[]llm.ToolCall{{ID: "a", Name: "x", Input: "{}"}}},
		"nameless dropped": {`[{"index":0,"id":"a","function":{"arguments":"{}"}}]`, nil},
		"object arguments": {`[{"index":0,"function":{"name":"x","arguments":{"q":1}}}]`, []llm.ToolCall{{Name: "x", Input: `{"q":1}`}}},
		"null arguments":   {`[{"index":0,"function":{"name":"x","arguments":null}}]`, []llm.ToolCall{{Name: "x"}}},
	} {
		var parts []toolPart
		if err := json.Unmarshal([]byte(c.parts), &parts); err != nil {
			t.Fatal(err)
		}
		var a assembler
		for _, p := range parts {
			a.add(p)
		}
		if got := a.whole(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestListAndProbe(t *testing.T) {
	routes := map[string]llmtest.Answer{
		"/v1/models": llmtest.Always(`{"data":[{"id":"groq","context_window":131072,"pricing":{"prompt":"0.00000059","completion":"0.00000079"}},{"id":"text-embedding-3-small"},{"id":"qwen"},{"id":""},{"id":"typed","type":"embeddings"}]}`),
	}
	c, _ := fake(t, routes)
	models, err := c.List(t.Context())
	if err != nil || len(models) != 4 || models[0].Window != 131072 || !models[1].Embeds || models[2].Embeds || !models[3].Embeds || !models[2].Tools {
		t.Errorf("%+v, %v", models, err)
	}
	if cost := models[0].Price.Of(1_000_000, 2_000_000); math.Abs(cost-2.17) > 1e-9 || models[2].Price != (llm.Price{}) {
		t.Errorf("cost %v of %+v", cost, models[0].Price)
	}
	if a, err := c.Probe(t.Context(), "qwen"); err != nil || a.Window != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := c.Probe(t.Context(), "nobody"); fault.CodeOf(err) != fault.ModelMissing {
		t.Error(err)
	}
	routes["/props"] = llmtest.Always(`{"default_generation_settings":{"n_ctx":4096},"modalities":{"vision":true}}`)
	if a, err := c.Probe(t.Context(), "qwen"); err != nil || a.Window != 4096 || !a.Vision {
		t.Errorf("llama.cpp: %+v, %v", a, err)
	}
	routes["/api/v0/models"] = llmtest.Always(`{"data":[{"id":"qwen","type":"vlm","max_context_length":32768,"loaded_context_length":6000,"capabilities":["tool_use"]}]}`)
	if a, err := c.Probe(t.Context(), "qwen"); err != nil || a.Window != 6000 || !a.Vision || !a.Tools {
		t.Errorf("LM Studio: %+v, %v", a, err)
	}
	routes["/v1/models"] = llmtest.Always(`<html>hello</html>`)
	if _, err := c.List(t.Context()); fault.CodeOf(err) != fault.ModelRefused {
		t.Error(err)
	}
}

func TestVectorsGoByIndexInBatches(t *testing.T) {
	batches := 0
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/embeddings": func(body string) (int, string) {
		batches++
		var request struct{ Input []string }
		if err := json.Unmarshal([]byte(body), &request); err != nil {
			return 400, "{}"
		}
		var items []string
		for i, text := range slices.Backward(request.Input) {
			items = append(items, fmt.Sprintf(`{"index":%d,"embedding":[%s,0,2]}`, i, text))
		}
		return 200, `{"data":[` + strings.Join(items, ",") + `]}`
	}})
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	e := c.Embedder("m")
	got, err := e.Embed(t.Context(), texts)
	if err != nil || batches != 3 || e.ID() != "Test/m" {
		t.Fatal(err, batches, e.ID())
	}
	for i, v := range got {
		if ratio := v[0] / v[2] * 2; ratio < float32(i)-0.01 || ratio > float32(i)+0.01 {
			t.Fatalf("vector %d is %v", i, v)
		}
	}
	bad, _ := fake(t, map[string]llmtest.Answer{"/v1/embeddings": llmtest.Always(`{"data":[{"index":5,"embedding":[1]}]}`)})
	if _, err := bad.Embedder("m").Embed(t.Context(), []string{"a"}); fault.CodeOf(err) != fault.ModelRefused {
		t.Error(err)
	}
}

func TestUsageInGroqsAccent(t *testing.T) {
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": llmtest.Always(
		`data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":4}}}` + "\n\n")})
	if r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"})); err != nil || r.Usage != (llm.Usage{Prompt: 3, Completion: 4, Calls: 1}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestSignaturesOfThoughtsAreSentBack: Gemini's accent wants them unchanged.
func TestSignaturesOfThoughtsAreSentBack(t *testing.T) {
	c, asked := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": llmtest.Always(
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","extra_content":{"google":{"thought_signature":"S1G"}},"function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n")})
	r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
	if err != nil || len(r.Calls) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	again := llm.Call{Model: "m", Messages: []llm.Message{{Author: llm.Assistant, Calls: r.Calls}, {Author: llm.ToolReply, Tool: "a", Text: "found"}}}
	if _, err := llm.Collect(c.Stream(t.Context(), again)); err != nil {
		t.Fatal(err)
	}
	if body := asked.Last().Body; !strings.Contains(body, `"extra_content":{"google":{"thought_signature":"S1G"}}`) {
		t.Errorf("sent %s", body)
	}
}

func TestContentInParts(t *testing.T) {
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": llmtest.Always(
		`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"}]}}]}` + "\n\n" +
			"data: {\"choices\":\ndata: [{\"delta\":{\"content\":\" and no\"},\"finish_reason\":\"stop\"}]}\n\n" + "data:[DONE]\n")})
	r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
	if err != nil || r.Text != "yes and no" || r.Thinking != "hm" {
		t.Errorf("%+v, %v", r, err)
	}
}

// FuzzStream: no stream makes the reader panic or hang, and what is said ends
// in a finish or an error.
func FuzzStream(f *testing.F) {
	f.Add([]byte(done))
	f.Add([]byte(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`))
	f.Add([]byte("data: {\"error\":{\"message\":\"x\",\"code\":429}}\n\n"))
	f.Add([]byte("\xef\xbb\xbfdata:{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":null}]}}]}\r\n\r\n"))
	f.Add([]byte("event: x\nid: 1\n: c\ndata: [1,\ndata: 2]\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(Config{Name: "Test", BaseURL: "http://x/v1", Client: &http.Client{Transport: &fuzzTransport{body}}})
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if err == nil && r.Finish == "" {
			t.Errorf("%+v ended without a finish", r)
		}
	})
}

type fuzzTransport struct{ body []byte }

func (f *fuzzTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(f.body)))}, nil
}

func TestCallsOfToolsAreBounded(t *testing.T) {
	part := func(format string) string {
		var b strings.Builder
		for n := range 6000 {
			fmt.Fprintf(&b, "data: {\"choices\":[{\"delta\":{\"tool_calls\":["+format+"]}}]}\n\n", n)
		}
		return b.String()
	}
	for name, reply := range map[string]string{
		"many calls":   part(`{"index":%[1]d,"id":"c%[1]d","function":{"name":"x","arguments":"{}"}}`),
		"a long input": part(`{"index":0,"id":"c","function":{"name":"x","arguments":"%[1]d` + strings.Repeat("a", 4000) + `"}}`),
	} {
		c, _ := fake(t, map[string]llmtest.Answer{"/v1/chat/completions": func(string) (int, string) { return 200, reply + done }})
		if _, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"})); fault.CodeOf(err) != fault.ModelRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
