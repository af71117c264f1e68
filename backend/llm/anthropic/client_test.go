package anthropic

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/settings"
)

const (
	hello = `data: {"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}}` + "\n\n" +
		`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}` + "\n\n" + stopped
	stopped = `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
)

func fake(t *testing.T, routes map[string]llmtest.Answer) (*Client, *llmtest.Fake) {
	t.Helper()
	server := llmtest.NewFake(t, routes)
	return New(Config{BaseURL: server.URL + "/v1", Key: settings.NewSecret("sk-1"), Client: server.Client()}), server
}

func TestTheRequestIsOfTheMessagesDialect(t *testing.T) {
	c, server := fake(t, map[string]llmtest.Answer{"/v1/messages": llmtest.Always(hello)})
	call := llm.Call{Model: "claude-x", Temperature: 0.2, Tools: []llm.Tool{{Name: "look"}}, Messages: []llm.Message{
		{Author: llm.System, Text: "Be brief."}, {Author: llm.User, Text: "When?\n"},
		{Author: llm.Assistant, Text: " ", Calls: []llm.ToolCall{{ID: "a", Name: "look", Input: `{"q": "brok`}, {ID: "b", Name: "look", Input: `{"q":1}`}}},
		{Author: llm.ToolReply, Tool: "a", Text: "one"}, {Author: llm.ToolReply, Tool: "b", Text: "two"},
		{Author: llm.User, Text: "Now answer."}, {Author: llm.System, Text: "In English."},
	}}
	if r, err := llm.Collect(c.Stream(t.Context(), call)); err != nil || r.Text != "ok" || r.Usage != (llm.Usage{Prompt: 5, Completion: 2, Calls: 1}) {
		t.Fatalf("%+v, %v", r, err)
	}
	asked := server.Last()
	if asked.Header.Get("X-Api-Key") != "sk-1" || asked.Header.Get("Anthropic-Version") == "" || asked.Header.Get("Authorization") != "" {
		t.Errorf("header %v", asked.Header)
	}
	want := `{"model":"claude-x","max_tokens":4096,"system":"Be brief.\n\nIn English.","messages":[` +
		`{"role":"user","content":[{"type":"text","text":"When?"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}},{"type":"tool_use","id":"b","name":"look","input":{"q":1}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"tool_result","tool_use_id":"b","content":"two"},{"type":"text","text":"Now answer."}]}],` +
		`"temperature":0.2,"stream":true,"tools":[{"name":"look","input_schema":{"type":"object"}}]}`
	if asked.Body != want {
		t.Errorf("sent %s\nwant %s", asked.Body, want)
	}
}

func TestASchemaIsHeldByATool(t *testing.T) {
	reply := `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"reply","input":{}}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"year\":"}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" 1987}"}}` + "\n\n" +
		`data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
	c, server := fake(t, map[string]llmtest.Answer{"/v1/messages": llmtest.Always(reply)})
	schema := json.RawMessage(`{"type":"object","properties":{"year":{"type":"integer"}},"required":["year"]}`)
	var got struct{ Year int }
	if err := llm.Structured(t.Context(), c, llm.Call{Model: "m", Messages: []llm.Message{{Author: llm.User, Text: "When?"}}}, schema, &got); err != nil || got.Year != 1987 {
		t.Fatalf("%+v, %v", got, err)
	}
	if body := server.Last().Body; !strings.Contains(body, `"tool_choice":{"type":"tool","name":"reply"}`) {
		t.Errorf("sent %s", body)
	}
	r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", Schema: schema}))
	if err != nil || r.Finish != llm.Stop || len(r.Calls) != 0 || r.Text != `{"year": 1987}` {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", Schema: json.RawMessage(`{"type":"array"}`)})); err != nil || strings.Contains(server.Last().Body, "tool_choice") {
		t.Errorf("a list cannot be the input of a tool: %s, %v", server.Last().Body, err)
	}
}

func TestWhatAModelDoesNotTakeIsLeftOutAndRemembered(t *testing.T) {
	c, server := fake(t, map[string]llmtest.Answer{"/v1/messages": func(body string) (int, string) {
		for has, says := range map[string]string{`"temperature"`: "`temperature` is deprecated for this model.", `"tool_choice"`: "Thinking may not be enabled when tool_choice forces tool use."} {
			if strings.Contains(body, has) {
				return 400, `{"type":"error","error":{"type":"invalid_request_error","message":"` + says + `"}}`
			}
		}
		return 200, hello
	}})
	for _, requests := range []int{3, 4} {
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", Schema: json.RawMessage(`{"type":"object"}`)}))
		if err != nil || r.Text != "ok" || len(server.Asked()) != requests {
			t.Fatalf("%+v, %v after %d requests", r, err, len(server.Asked()))
		}
	}
}

func TestASecondMessageReplacesWhatTheFirstLeftOpen(t *testing.T) {
	start := `data: {"type":"message_start","message":{}}` + "\n\n"
	tool := func(input string) string {
		return `data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"look","input":{}}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"` + input + `"}}` + "\n\n"
	}
	closed := `data: {"type":"content_block_stop","index":1}` + "\n\n"
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/messages": llmtest.Always(start + tool(`{\"a`) + start + tool("{}") + closed + stopped)})
	r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
	if err != nil || len(r.Calls) != 1 || r.Calls[0].Input != "{}" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRefusalsOfThisServer(t *testing.T) {
	for says, want := range map[string]fault.Code{
		`{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`: fault.ModelQuota,
		`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`:          fault.ContextTooLong,
		`{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}`:                  fault.ModelRefused,
	} {
		c, _ := fake(t, map[string]llmtest.Answer{"/v1/messages": func(string) (int, string) { return 400, says }})
		_, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if fault.CodeOf(err) != want {
			t.Errorf("%s: %v", says, err)
		}
		if want == fault.ContextTooLong && fault.Of(err).Details["window"] != 200000 {
			t.Errorf("window %v", fault.Of(err).Details)
		}
	}
	overloaded := `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}` + "\n\n"
	asked := 0
	c, _ := fake(t, map[string]llmtest.Answer{"/v1/messages": func(string) (int, string) {
		if asked++; asked == 1 {
			return 200, overloaded
		}
		return 200, hello
	}})
	r, err := llm.Collect(llm.Retry(c, llm.RetryPolicy{Pause: time.Millisecond}).Stream(t.Context(), llm.Call{Model: "m"}))
	if err != nil || r.Text != "ok" || asked != 2 {
		t.Errorf("an overloaded server is asked again: %+v, %v, %d", r, err, asked)
	}
}

func TestListAndProbe(t *testing.T) {
	c, server := fake(t, map[string]llmtest.Answer{
		"/v1/models":          llmtest.Always(`{"data":[{"id":"claude-a","type":"model","display_name":"A"},{"id":"claude-b","max_input_tokens":1000000},{"id":""}],"has_more":false}`),
		"/v1/models/claude-a": llmtest.Always(`{"id":"claude-a-20260101"}`),
	})
	models, err := c.List(t.Context())
	if err != nil || len(models) != 2 || models[0].Window != 200000 || models[1].Window != 1000000 || !models[0].Tools || models[0].Embeds {
		t.Errorf("%+v, %v", models, err)
	}
	if a, err := c.Probe(t.Context(), "claude-a"); err != nil || a.Name != "claude-a" || a.Window != 200000 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := c.Probe(t.Context(), "nobody"); fault.CodeOf(err) != fault.ModelMissing {
		t.Error(err)
	}
	if server.Last().Header.Get("X-Api-Key") != "sk-1" {
		t.Error("a list without the key")
	}
}

// TestTheEnvironmentIsNotRead: neither a key nor an address is taken from it.
func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", llmtest.Canary)
	t.Setenv("ANTHROPIC_AUTH_TOKEN", llmtest.Canary)
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	server := llmtest.NewFake(t, map[string]llmtest.Answer{"/v1/messages": llmtest.Always(hello)})
	c := New(Config{BaseURL: server.URL, Client: server.Client()})
	if _, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"})); err != nil {
		t.Fatal(err)
	}
	for name, values := range server.Last().Header {
		if strings.Contains(strings.Join(values, " "), llmtest.Canary) {
			t.Errorf("%s carries a key of the environment", name)
		}
	}
}

// FuzzStream: no stream makes the reader panic or hang, and what is said ends
// in a finish or an error.
func FuzzStream(f *testing.F) {
	f.Add([]byte(hello))
	f.Add([]byte(`{"type":"message","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}`))
	f.Add([]byte(`data: {"type":"error","error":{"type":"rate_limit_error"}}` + "\n\n"))
	f.Add([]byte(`data: {"type":"content_block_delta","index":-1,"delta":{"partial_json":"x"}}` + "\r\n\r\n" + `data: {"type":"message_delta","delta":null}` + "\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(Config{BaseURL: "http://x", Client: &http.Client{Transport: fuzzed(body)}})
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", Schema: json.RawMessage(`{"type":"object"}`)}))
		if err == nil && r.Finish == "" {
			t.Errorf("%+v ended without a finish", r)
		}
		var shown *fault.Fault
		if err != nil && !errors.As(err, &shown) {
			t.Errorf("%v says nothing to a person", err)
		}
	})
}

type fuzzed []byte

func (f fuzzed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(f)))}, nil
}

// TestThoughtsGoBackAsTheyWereSigned: with calls, in their order and before them,
// also those that are not shown; a server that takes none is asked without.
func TestThoughtsGoBackAsTheyWereSigned(t *testing.T) {
	thinks := `data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"S1G"}}` + "\n\n" +
		`data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"zz"}}` + "\n\n" +
		`data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"look","input":{"q":1}}}` + "\n\n" + stopped
	for _, takes := range []bool{true, false} {
		c, server := fake(t, map[string]llmtest.Answer{"/v1/messages": func(body string) (int, string) {
			switch {
			case !strings.Contains(body, "tool_result"):
				return 200, thinks
			case !takes && strings.Contains(body, "S1G"):
				return 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid signature in thinking block"}}`
			}
			return 200, hello
		}})
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if err != nil || r.Thinking != "hm" || len(r.Calls) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		call := llm.Call{Model: "m", Messages: []llm.Message{{Author: llm.User, Text: "?"}, {Author: llm.Assistant, Calls: r.Calls, Echo: r.Echo}, {Author: llm.ToolReply, Tool: "a", Text: "found"}}}
		if r, err := llm.Collect(c.Stream(t.Context(), call)); err != nil || r.Text != "ok" {
			t.Fatalf("%+v, %v", r, err)
		}
		want := `[{"type":"thinking","thinking":"hm","signature":"S1G"},{"type":"redacted_thinking","data":"zz"},{"type":"tool_use","id":"a","name":"look","input":{"q":1}}]`
		if sent := server.Last().Body; strings.Contains(sent, want) != takes {
			t.Errorf("takes %v: sent %s", takes, sent)
		}
	}
}
