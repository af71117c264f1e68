package gemini

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
	hello   = `data: {"candidates":[{"content":{"parts":[{"text":"ok"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2}}` + "\n\n"
	chatURL = "/v1beta/models/m:streamGenerateContent"
)

func fake(t *testing.T, routes map[string]llmtest.Answer) (*Client, *llmtest.Fake) {
	t.Helper()
	server := llmtest.NewFake(t, routes)
	return New(Config{BaseURL: server.URL, Key: settings.NewSecret("AIzaCanary000000"), Client: server.Client()}), server
}

// TestSignaturesOfThoughtsAreSentBack: the server refuses a call that lacks the
// signature it came with.
func TestSignaturesOfThoughtsAreSentBack(t *testing.T) {
	c, server := fake(t, map[string]llmtest.Answer{chatURL: llmtest.Always(
		`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{"q":1}},"thoughtSignature":"S1G"},{"functionCall":{"name":"look"}}]},"finishReason":"STOP"}]}` + "\n\n")})
	r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
	if err != nil || len(r.Calls) != 2 || r.Finish != llm.UseTools || r.Calls[0].Echo != "S1G" || r.Calls[1].Input != "{}" {
		t.Fatalf("%+v, %v", r, err)
	}
	call := llm.Call{Model: "models/m", MaxTokens: 10, Tools: []llm.Tool{{Name: "look", Schema: json.RawMessage(`{"type":"object"}`)}}, Messages: []llm.Message{
		{Author: llm.System, Text: "Be brief."}, {Author: llm.User, Text: "When?"}, {Author: llm.Assistant, Calls: r.Calls},
		{Author: llm.ToolReply, Tool: r.Calls[0].ID, Text: "one"}, {Author: llm.ToolReply, Tool: r.Calls[1].ID, Text: "two"},
	}}
	if _, err := llm.Collect(c.Stream(t.Context(), call)); err != nil {
		t.Fatal(err)
	}
	want := `{"contents":[{"role":"user","parts":[{"text":"When?"}]},` +
		`{"role":"model","parts":[{"thoughtSignature":"S1G","functionCall":{"name":"look","args":{"q":1}}},{"functionCall":{"name":"look","args":{}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"result":"one"}}},{"functionResponse":{"name":"look","response":{"result":"two"}}}]}],` +
		`"systemInstruction":{"parts":[{"text":"Be brief."}]},"generationConfig":{"temperature":0,"maxOutputTokens":2058},` +
		`"tools":[{"functionDeclarations":[{"name":"look","parametersJsonSchema":{"type":"object"}}]}]}`
	asked := server.Last()
	if asked.Body != want {
		t.Errorf("sent %s\nwant %s", asked.Body, want)
	}
	if asked.Path != chatURL+"?alt=sse" || asked.Header.Get("X-Goog-Api-Key") != "AIzaCanary000000" {
		t.Errorf("%s %v", asked.Path, asked.Header)
	}
}

func TestASchemaIsHeldWhereTheModelCan(t *testing.T) {
	c, server := fake(t, map[string]llmtest.Answer{chatURL: func(body string) (int, string) {
		if strings.Contains(body, "responseJsonSchema") {
			return 400, `{"error":{"code":400,"message":"Unknown name \"responseJsonSchema\"","status":"INVALID_ARGUMENT"}}`
		}
		return 200, hello
	}})
	for _, requests := range []int{2, 3} {
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m", Schema: json.RawMessage(`{"type":"object"}`)}))
		if err != nil || r.Text != "ok" || len(server.Asked()) != requests {
			t.Fatalf("%+v, %v after %d requests", r, err, len(server.Asked()))
		}
	}
	if !strings.Contains(server.Last().Body, `"responseMimeType":"application/json"`) {
		t.Errorf("sent %s", server.Last().Body)
	}
}

func TestRefusalsOfThisServer(t *testing.T) {
	cases := []struct {
		status int
		says   string
		want   fault.Code
	}{
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, fault.ModelAuth},
		{400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, fault.ContextTooLong},
		{404, `{"error":{"code":404,"message":"models/m is not found","status":"NOT_FOUND"}}`, fault.ModelMissing},
		{503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`, fault.ModelRefused},
		{429, `{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"QuotaFailure","violations":[{}]},{"@type":"RetryInfo","retryDelay":"34.5s"}]}}`, fault.ModelQuota},
	}
	for _, k := range cases {
		c, _ := fake(t, map[string]llmtest.Answer{chatURL: func(string) (int, string) { return k.status, k.says }})
		_, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if fault.CodeOf(err) != k.want {
			t.Errorf("%s: %v", k.says, err)
		}
		var status *llm.StatusError
		if k.want == fault.ModelQuota && (!errors.As(err, &status) || status.RetryAfter != 34500*time.Millisecond) {
			t.Errorf("the wait is in the body: %+v", status)
		}
	}
	c, _ := fake(t, map[string]llmtest.Answer{chatURL: llmtest.Always(`data: {"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}` + "\n\n")})
	if r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"})); err != nil || r.Finish != llm.Filtered {
		t.Errorf("a blocked prompt: %+v, %v", r, err)
	}
}

func TestListAndProbe(t *testing.T) {
	c, _ := fake(t, map[string]llmtest.Answer{
		"/v1beta/models": llmtest.Always(`{"models":[{"name":"models/gemini-a","inputTokenLimit":1048576,"supportedGenerationMethods":["generateContent","countTokens"]},
			{"name":"models/gemini-embedding","inputTokenLimit":2048,"supportedGenerationMethods":["embedContent"]},{"name":"models/imagen","supportedGenerationMethods":["predict"]}]}`),
		"/v1beta/models/gemini-a": llmtest.Always(`{"name":"models/gemini-a","inputTokenLimit":1048576,"supportedGenerationMethods":["generateContent"]}`),
	})
	models, err := c.List(t.Context())
	if err != nil || len(models) != 2 || models[0].Name != "gemini-a" || models[0].Window != 1048576 || models[0].Embeds || !models[1].Embeds || models[1].Tools {
		t.Errorf("%+v, %v", models, err)
	}
	if a, err := c.Probe(t.Context(), "gemini-a"); err != nil || a.Window != 1048576 || !a.Tools {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := c.Probe(t.Context(), "nobody"); fault.CodeOf(err) != fault.ModelMissing {
		t.Error(err)
	}
}

func TestVectors(t *testing.T) {
	answer := `{"embeddings":[{"values":[3,4]},{"values":[0,2]}]}`
	c, server := fake(t, map[string]llmtest.Answer{"/v1beta/models/e:batchEmbedContents": func(string) (int, string) { return 200, answer }})
	e := c.Embedder("e")
	got, err := e.Embed(t.Context(), []string{"one", "…", "two"})
	if err != nil || len(got) != 3 || got[1] != nil || got[0][0] != 0.6 || got[2][1] != 1 || e.ID() != "gemini/e" {
		t.Fatalf("%v, %v", got, err)
	}
	want := `{"requests":[{"model":"models/e","content":{"parts":[{"text":"one"}]}},{"model":"models/e","content":{"parts":[{"text":"two"}]}}]}`
	if server.Last().Body != want {
		t.Errorf("sent %s", server.Last().Body)
	}
	for _, answer = range []string{`{"embeddings":[{"values":[1,null]},{"values":[1,2]}]}`, `{"embeddings":[{"values":[1,2]}]}`, `{"embeddings":[{"values":"x"},{"values":[1,2]}]}`} {
		if _, err := c.Embedder("e").Embed(t.Context(), []string{"one", "two"}); fault.CodeOf(err) != fault.ModelRefused {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// FuzzStream: no stream makes the reader panic or hang, and what is said ends
// in a finish or an error.
func FuzzStream(f *testing.F) {
	f.Add([]byte(hello))
	f.Add([]byte(`[{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":1}]},{"usageMetadata":{}}]`))
	f.Add([]byte(`data: {"error":{"code":429,"details":[{"retryDelay":"1s"}]}}` + "\n\n"))
	f.Add([]byte(`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"x","args":null}}]}}]}` + "\r\n\r\ndata: [1,\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(Config{BaseURL: "http://x", Client: &http.Client{Transport: fuzzed(body)}})
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if err == nil && r.Finish == "" {
			t.Errorf("%+v ended without a finish", r)
		}
	})
}

type fuzzed []byte

func (f fuzzed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(f)))}, nil
}

func TestHowMuchAModelMayThink(t *testing.T) {
	for _, try := range []struct {
		model, purpose string
		thoughts       int
		want           string
	}{
		{"gemini-2.5-pro", "chat", 8192, `"maxOutputTokens":8292,"thinkingConfig":{"thinkingBudget":8192}`},
		{"gemini-3-pro-preview", "rewrite", 2048, `"thinkingConfig":{"thinkingLevel":"low"}`},
		{"gemini-3-pro-preview", "chat", 8192, `"maxOutputTokens":8292}`},
		{"gemini-2.0-flash", "chat", 0, `"maxOutputTokens":2148}`},
	} {
		body, err := json.Marshal(encode(llm.Call{Model: try.model, Purpose: try.purpose, MaxTokens: 100, Thoughts: try.thoughts}, quirks{}))
		if err != nil || !strings.Contains(string(body), try.want) {
			t.Errorf("%s: %s, %v", try.model, body, err)
		}
	}
	refusing, asked := fake(t, map[string]llmtest.Answer{"/v1beta/models/gemini-2.5-x:streamGenerateContent": func(body string) (int, string) {
		if strings.Contains(body, "thinkingConfig") {
			return 400, `{"error":{"message":"Thinking is not supported by this model.","status":"INVALID_ARGUMENT"}}`
		}
		return 200, hello
	}})
	if r, err := llm.Collect(refusing.Stream(t.Context(), llm.Call{Model: "gemini-2.5-x", MaxTokens: 5, Thoughts: 100})); err != nil || r.Text != "ok" || len(asked.Asked()) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}
