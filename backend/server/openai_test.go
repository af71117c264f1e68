package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/server/openai"
)

func chatBody(change map[string]any) map[string]any {
	body := map[string]any{
		"model": "footnote-balanced", "footnote": map[string]any{"focus": "local"},
		"messages": []map[string]any{{"role": "user", "content": "When was the bridge over the Lorne opened?"}},
	}
	for name, v := range change {
		body[name] = v
	}
	return body
}

func TestAChatIsAnsweredInItsShape(t *testing.T) {
	h := open(t, written)
	a := h.send(t, "POST", "/v1/chat/completions", chatBody(map[string]any{
		"temperature": 0.7, "max_tokens": 100, "top_p": 1, "user": "u", "search_domain_filter": []string{"-example.org"}, "search_recency_filter": "month",
		"messages": []map[string]any{
			{"role": "system", "content": "Be brief."}, {"role": "developer", "content": "Say it in English."},
			{"role": "user", "content": "Which bridge is in Lorne?"}, {"role": "assistant", "content": "The Lorne bridge [3]."},
			{"role": "user", "content": []map[string]string{{"type": "text", "text": "When was the bridge over the Lorne opened?"}}},
		},
	}), nil)
	var out struct {
		ID, Object, Model string
		Created           int64
		Choices           []struct {
			Index   int
			Message struct{ Role, Content string }
			Finish  string `json:"finish_reason"`
		}
		Usage     map[string]int
		Citations []string
		Results   []openai.ChatResult `json:"search_results"`
		Footnote  openai.ChatProof
	}
	a.into(t, &out)
	if a.status != 200 || out.Object != "chat.completion" || !strings.HasPrefix(out.ID, "chatcmpl-run_") || out.Model != "footnote-balanced" || out.Created == 0 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if c := out.Choices; len(c) != 1 || c[0].Message.Role != "assistant" || !strings.Contains(c[0].Message.Content, "3 May 1932 [1]") || c[0].Finish != "stop" {
		t.Errorf("choices %+v", c)
	}
	if len(out.Citations) != 1 || !strings.HasPrefix(out.Citations[0], "footnote://source/") || len(out.Results) != 1 || out.Results[0].URL != out.Citations[0] || out.Results[0].Snippet == "" {
		t.Errorf("citations %v, results %+v", out.Citations, out.Results)
	}
	if out.Usage["total_tokens"] == 0 || out.Usage["total_tokens"] != out.Usage["prompt_tokens"]+out.Usage["completion_tokens"] {
		t.Errorf("usage %v", out.Usage)
	}
	f := out.Footnote
	if f.Outcome != contract.Answered || f.Report.CitationCount != 1 || len(f.Verdicts) != 1 || f.Verdicts[0].Marker != 1 || !strings.Contains(bridge, f.Verdicts[0].Quote) {
		t.Errorf("footnote %+v", f)
	}
	q := must[contract.Run](t)(h.rooms.DB.Run(t.Context(), f.Run)).Question
	if !q.Unattended || q.Instructions != "Be brief.\n\nSay it in English." || len(q.Earlier) != 1 || q.Earlier[0].Answer != "The Lorne bridge [3]." || q.Since != "month" || !slices.Equal(q.Domains, []string{"-example.org"}) {
		t.Errorf("asked as %+v", q)
	}
}

// chunks reads a stream as OpenAI's clients do.
func chunks(t *testing.T, body io.Reader) (all []map[string]any, done bool) {
	t.Helper()
	in := bufio.NewScanner(body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		data, ok := strings.CutPrefix(in.Text(), "data: ")
		if !ok {
			if in.Text() != "" && !strings.HasPrefix(in.Text(), ":") {
				t.Errorf("a line that these clients do not know: %q", in.Text())
			}
			continue
		}
		if data == "[DONE]" {
			return all, true
		}
		var c map[string]any
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%v in %q", err, data)
		}
		all = append(all, c)
	}
	return all, false
}

func deltaOf(c map[string]any) map[string]any {
	if choices := c["choices"].([]any); len(choices) > 0 {
		return choices[0].(map[string]any)["delta"].(map[string]any)
	}
	return nil
}

func TestAChatStreamsInChunks(t *testing.T) {
	h := open(t, written)
	for _, usage := range []bool{false, true} {
		resp := h.open(t, "POST", "/v1/chat/completions", chatBody(map[string]any{"stream": true, "stream_options": map[string]bool{"include_usage": usage}}), nil)
		all, done := chunks(t, resp.Body)
		resp.Body.Close()
		text := ""
		for _, c := range all {
			if c["object"] != "chat.completion.chunk" || c["id"] != all[0]["id"] || c["model"] != "footnote-balanced" {
				t.Errorf("chunk %v", c)
			}
			if s, ok := deltaOf(c)["content"].(string); ok {
				text += s
			}
		}
		if !done || deltaOf(all[0])["role"] != "assistant" || text != "The bridge over the Lorne was opened on 3 May 1932 [1]." {
			t.Fatalf("done %v, %q in %v", done, text, all)
		}
		last := all[len(all)-1]
		if usage {
			if len(last["choices"].([]any)) != 0 || last["usage"] == nil {
				t.Errorf("no chunk of usage: %v", last)
			}
			last = all[len(all)-2]
		}
		if last["choices"].([]any)[0].(map[string]any)["finish_reason"] != "stop" || len(last["citations"].([]any)) != 1 || last["search_results"] == nil || last["footnote"] == nil || last["usage"] == nil {
			t.Errorf("last chunk %v", last)
		}
	}
}

func TestAFailedChatEndsItsStreamWithTheError(t *testing.T) {
	h := open(t, func(p *plan) {
		written(p)
		p.replies = []llmtest.Reply{{Err: fault.New(fault.ModelAuth, "The key was refused.", "Enter it again.")}}
	})
	resp := h.open(t, "POST", "/v1/chat/completions", chatBody(map[string]any{"stream": true}), nil)
	defer resp.Body.Close()
	all, done := chunks(t, resp.Body)
	failed, _ := all[len(all)-1]["error"].(map[string]any)
	if done || failed["code"] != "model-auth" || failed["type"] != "server_error" || !strings.HasPrefix(failed["message"].(string), "The key was refused.") {
		t.Errorf("%v", all[len(all)-1])
	}
}

func TestChatErrorsHaveOpenAIsShape(t *testing.T) {
	h := open(t, written)
	message := func(role, content any) []map[string]any { return []map[string]any{{"role": role, "content": content}} }
	for _, c := range []struct {
		name         string
		body         any
		status       int
		kind, code   string
		param        string
		method, path string
	}{
		{name: "no model", body: chatBody(map[string]any{"model": ""}), status: 404, code: "model_not_found", param: "model"},
		{name: "an unknown model", body: chatBody(map[string]any{"model": "gpt-9"}), status: 404, code: "model_not_found", param: "model"},
		{name: "a provider that is not there", body: chatBody(map[string]any{"model": "nobody/m"}), status: 404, code: "model_not_found", param: "model"},
		{name: "no messages", body: chatBody(map[string]any{"messages": []any{}}), status: 400, code: "invalid-request", param: "messages"},
		{name: "only the system speaks", body: chatBody(map[string]any{"messages": message("system", "x")}), status: 400, code: "invalid-request", param: "messages"},
		{name: "an unknown role", body: chatBody(map[string]any{"messages": append(message("robot", "x"), message("user", "x")...)}), status: 400, code: "invalid-request", param: "messages"},
		{name: "a picture", body: chatBody(map[string]any{"messages": message("user", []map[string]string{{"type": "image_url"}})}), status: 400, code: "invalid-request", param: "messages"},
		{name: "an empty question", body: chatBody(map[string]any{"messages": message("user", " ")}), status: 400, code: "question-empty", param: "messages"},
		{name: "a call of any tool", body: chatBody(map[string]any{"tool_choice": "required"}), status: 400, code: "invalid-request", param: "tool_choice"},
		{name: "a call of a function that is not there", body: chatBody(map[string]any{"tool_choice": map[string]any{"type": "function", "function": map[string]string{"name": "f"}}}), status: 400, code: "invalid-request", param: "tool_choice"},
		{name: "functions of old", body: chatBody(map[string]any{"functions": []any{map[string]string{"name": "f"}}}), status: 400, code: "invalid-request", param: "functions"},
		{name: "probabilities", body: chatBody(map[string]any{"logprobs": true}), status: 400, code: "invalid-request", param: "logprobs"},
		{name: "top probabilities", body: chatBody(map[string]any{"top_logprobs": 2}), status: 400, code: "invalid-request", param: "top_logprobs"},
		{name: "weights of tokens", body: chatBody(map[string]any{"logit_bias": map[string]int{"50256": -100}}), status: 400, code: "invalid-request", param: "logit_bias"},
		{name: "speech", body: chatBody(map[string]any{"modalities": []string{"text", "audio"}}), status: 400, code: "invalid-request", param: "modalities"},
		{name: "no token at all", body: chatBody(map[string]any{"max_tokens": 0}), status: 400, code: "invalid-request", param: "max_tokens"},
		{name: "five stops", body: chatBody(map[string]any{"stop": []string{"a", "b", "c", "d", "e"}}), status: 400, code: "invalid-request", param: "stop"},
		{name: "a form without a schema", body: chatBody(map[string]any{"response_format": map[string]string{"type": "json_schema"}}), status: 400, code: "invalid-request", param: "response_format"},
		{name: "two answers", body: chatBody(map[string]any{"n": 2}), status: 400, code: "invalid-request", param: "n"},
		{name: "XML wanted", body: chatBody(map[string]any{"response_format": map[string]string{"type": "xml"}}), status: 400, code: "invalid-request", param: "response_format"},
		{name: "a bad search mode", body: chatBody(map[string]any{"search_mode": "dark"}), status: 400, code: "invalid-request", param: "search_mode"},
		{name: "a bad recency", body: chatBody(map[string]any{"search_recency_filter": "decade"}), status: 400, code: "invalid-request"},
		{name: "a bad domain", body: chatBody(map[string]any{"search_domain_filter": []string{"x"}}), status: 400, code: "invalid-request"},
		{name: "a bad focus", body: chatBody(map[string]any{"footnote": map[string]string{"focus": "x"}}), status: 400, code: "invalid-focus-mode"},
		{name: "a number as model", body: chatBody(map[string]any{"model": 4}), status: 400, code: "invalid-request"},
		{name: "no JSON", body: "{", status: 400, code: "invalid-json"},
		{name: "GET", method: "GET", status: 405, code: "method-not-allowed"},
		{name: "an unknown route", method: "POST", path: "/v1/embeddings", body: map[string]any{}, status: 404, code: "not-found"},
		{name: "a model that is not listed", method: "GET", path: "/v1/models/gpt-9", status: 404, code: "model_not_found", param: "model"},
	} {
		if c.method == "" {
			c.method = "POST"
		}
		if c.path == "" {
			c.path = "/v1/chat/completions"
		}
		wantOpenAIError(t, c.name, h.send(t, c.method, c.path, c.body, nil), c.status, "invalid_request_error", c.code, c.param)
	}
	wantOpenAIError(t, "no token", h.send(t, "GET", "/v1/models", nil, func(r *http.Request) { r.Header.Del("Authorization") }), 401, "authentication_error", "unauthorized", "")
	wantOpenAIError(t, "another host", h.send(t, "GET", "/v1/models", nil, func(r *http.Request) { r.Host = "evil.example" }), 403, "permission_error", "forbidden-host", "")
}

func wantOpenAIError(t *testing.T, what string, a answered, status int, kind, code, param string) {
	t.Helper()
	var out struct {
		Error struct{ Message, Type, Code, Param string }
	}
	if a.into(t, &out); a.status != status || out.Error.Type != kind || out.Error.Code != code || out.Error.Param != param || out.Error.Message == "" {
		t.Errorf("%s: %d %s, want %d %s", what, a.status, a.body, status, code)
	}
}

func TestChatsAreCountedAgainstTheRate(t *testing.T) {
	h := open(t, func(p *plan) { written(p); p.opt.Rate = 1 })
	h.send(t, "POST", "/v1/chat/completions", chatBody(nil), nil)
	a := h.send(t, "POST", "/v1/chat/completions", chatBody(nil), nil)
	wantOpenAIError(t, "the second in a minute", a, 429, "rate_limit_error", "rate-limited", "")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestModelsAreListedForOpenAIsClients(t *testing.T) {
	h := open(t, written)
	var list openai.ModelList
	h.get(t, "/v1/models", &list)
	var ids []string
	for _, m := range list.Data {
		if ids = append(ids, m.ID); m.Object != "model" || m.Owner == "" {
			t.Errorf("%+v", m)
		}
		var one openai.Model
		if status := h.get(t, "/v1/models/"+m.ID, &one); status != 200 || one != m {
			t.Errorf("%s alone: %d %+v", m.ID, status, one)
		}
	}
	if list.Object != "list" || !slices.Equal(ids, []string{"footnote", "footnote-speed", "footnote-balanced", "footnote-agent", "footnote-deep", "test/m"}) {
		t.Errorf("%s of %v", list.Object, ids)
	}
}

func FuzzChatRequest(f *testing.F) {
	for _, seed := range []string{
		`{"model":"footnote","messages":[{"role":"user","content":"x"}]}`, `{"model":"a/b","messages":[{"role":"assistant","content":null},{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
		`{"model":"footnote","messages":[{"role":"user","content":[]}],"footnote":null,"n":0}`, `{"messages":[{"content":{}}]}`, `{"search_mode":"web","messages":[{"role":"tool"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in openai.ChatRequest
		if json.Unmarshal(body, &in) != nil {
			return
		}
		w, err := in.Request(contract.Question{}, openai.Room{Question: 1000, Deep: 500})
		if err != nil {
			if failure := fault.Of(err); failure.Code == fault.Internal {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if q := w.Question; !q.Unattended || len(q.Earlier) > len(in.Messages) {
			t.Fatalf("%q became %+v", body, w.Question)
		}
	})
}

func FuzzResponseRequest(f *testing.F) {
	for _, seed := range []string{
		`{"model":"footnote","input":"x"}`, `{"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]},{"type":"function_call"}],"instructions":"y"}`,
		`{"input":[{"role":"assistant","content":null}],"text":{"format":{"type":"json_schema","name":"a","schema":{}}},"max_output_tokens":0}`, `{"input":{},"tools":[{"type":"web_search"}],"tool_choice":{"type":"x"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in openai.ResponseRequest
		if json.Unmarshal(body, &in) != nil {
			return
		}
		w, err := in.Request(contract.Question{}, openai.Room{Question: 1000, Deep: 500})
		if err != nil {
			if failure := fault.Of(err); failure.Code == fault.Internal {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if q := w.Question; !q.Unattended || len(q.Earlier) > len(in.Input)+1 {
			t.Fatalf("%q became %+v", body, w.Question)
		}
	})
}
