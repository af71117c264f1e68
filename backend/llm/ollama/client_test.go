package ollama

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

type fake struct {
	*Client
	routes map[string]string // path → answer, with ! before an error status
	bodies []map[string]any  // of chats
	paths  []string
}

func newFake(t *testing.T, window func(string) int, routes map[string]string) *fake {
	t.Helper()
	f := &fake{routes: routes}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.paths = append(f.paths, r.URL.Path)
		if r.URL.Path == "/api/chat" {
			var body map[string]any
			if json.NewDecoder(r.Body).Decode(&body) == nil {
				f.bodies = append(f.bodies, body)
			}
		}
		text, ok := f.routes[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		if bad, isBad := strings.CutPrefix(text, "!"); isBad {
			w.WriteHeader(http.StatusInternalServerError)
			text = bad
		}
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	f.Client = New(Config{BaseURL: server.URL + "/", Client: server.Client(), Limits: llmtest.Limits(), Window: window})
	return f
}

const (
	chat = `{"message":{"role":"assistant","content":"ok"},"done":false}` + "\n" + `{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":1}` + "\n"
	show = `{"capabilities":["completion","tools","thinking","vision"],"model_info":{"general.architecture":"q","q.context_length":40960,"q.embedding_length":1024}}`
)

func TestNumCtxIsOnEveryRequest(t *testing.T) {
	small := strings.Replace(show, "40960", "4096", 1)
	setting := func(model string) int { return map[string]int{"chosen": 12000}[model] }
	for _, c := range []struct {
		name, show, model string
		call              int
		want              float64
	}{
		{"the call's", show, "chosen", 3000, 3000},
		{"the user's", show, "chosen", 0, 12000},
		{"a large model's, bounded", show, "m", 0, 8192},
		{"a small model's own", small, "m", 0, 4096},
		{"unknown", "!{}", "m", 0, 8192},
	} {
		f := newFake(t, setting, map[string]string{"/api/chat": chat, "/api/show": c.show})
		for range 2 {
			if r, err := llm.Collect(f.Stream(t.Context(), llm.Call{Model: c.model, Window: c.call, MaxTokens: 5})); err != nil || r.Text != "ok" {
				t.Fatalf("%s: %+v, %v", c.name, r, err)
			}
		}
		for _, body := range f.bodies {
			if got := body["options"].(map[string]any)["num_ctx"]; got != c.want {
				t.Errorf("%s: num_ctx %v, want %v", c.name, got, c.want)
			}
		}
	}
}

func TestAModelIsAskedOnceWhatItCan(t *testing.T) {
	f := newFake(t, nil, map[string]string{"/api/chat": chat, "/api/show": show})
	for range 3 {
		if _, err := llm.Collect(f.Stream(t.Context(), llm.Call{Model: "m", Purpose: "rewrite"})); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(f.paths, " "); got != "/api/show /api/chat /api/chat /api/chat" {
		t.Error(got)
	}
	if f.bodies[0]["think"] != false {
		t.Errorf("a rewrite may think: %v", f.bodies[0])
	}
	_, _ = llm.Collect(f.Stream(t.Context(), llm.Call{Model: "m", Purpose: "chat"}))
	if f.bodies[3]["think"] != true {
		t.Errorf("an answer's thoughts are not kept apart: %v", f.bodies[3])
	}
}

// TestThoughtsHaveTokensOfTheirOwn: the server counts them among the answer's,
// and drops the beginning of a prompt that no longer fits beside them.
func TestThoughtsHaveTokensOfTheirOwn(t *testing.T) {
	f := newFake(t, nil, map[string]string{"/api/chat": chat, "/api/show": show})
	for prompt, want := range map[string]float64{"Why?": 300 + llm.ThoughtTokens, strings.Repeat("many words ", 2400): 300} {
		call := llm.Call{Model: "m", Purpose: "chat", MaxTokens: 300, Window: 8192, Messages: []llm.Message{{Author: llm.User, Text: prompt}}}
		if _, err := llm.Collect(f.Stream(t.Context(), call)); err != nil {
			t.Fatal(err)
		}
		if got := f.bodies[len(f.bodies)-1]["options"].(map[string]any)["num_predict"].(float64); got != want && (want != 300 || got < 300 || got > 1500) {
			t.Errorf("%d characters: num_predict %v, want %v", len(prompt), got, want)
		}
	}
}

func TestAMissingModelIsSaidBeforeTheChat(t *testing.T) {
	f := newFake(t, nil, map[string]string{"/api/chat": chat})
	_, err := llm.Collect(f.Stream(t.Context(), llm.Call{Model: "nobody"}))
	if fault.CodeOf(err) != fault.ModelMissing || !strings.Contains(fault.Of(err).Message, "nobody") {
		t.Error(err)
	}
}

func TestListAndProbe(t *testing.T) {
	f := newFake(t, nil, map[string]string{
		"/api/tags": `{"models":[{"name":"qwen3:8b","details":{"family":"qwen3"}},{"model":"all-minilm:22m","details":{"family":"bert"}},{"name":"mystery","details":{"family":"nomic-bert"}},{}]}`,
		"/api/show": show,
	})
	models, err := f.List(t.Context())
	if err != nil || len(models) != 3 || models[0].Embeds || !models[1].Embeds || !models[2].Embeds {
		t.Errorf("%+v, %v", models, err)
	}
	a, err := f.Probe(t.Context(), "qwen3:8b")
	want := llm.Ability{Name: "qwen3:8b", Window: llm.DefaultWindow, Tools: true, Schema: true, Vision: true, Dims: 1024} // of its own 40960
	if err != nil || a != want {
		t.Errorf("%+v, %v", a, err)
	}
	f.routes["/api/show"] = `{"capabilities":["embedding"],"model_info":{"bert.context_length":512,"bert.embedding_length":384}}`
	if a, err := f.Probe(t.Context(), "e"); err != nil || !a.Embeds || a.Dims != 384 || a.Schema {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPullTellsItsProgress(t *testing.T) {
	steps := `{"status":"pulling manifest"}` + "\n" + `{"status":"pulling 7cd4","total":800,"completed":200}` + "\n\n" + `{"status":"pulling 7cd4","total":800,"completed":800}` + "\n" + `{"status":"success"}` + "\n"
	f := newFake(t, nil, map[string]string{"/api/pull": steps})
	var got []llm.Progress
	for p, err := range f.Pull(t.Context(), "m") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	if len(got) != 4 || got[1] != (llm.Progress{Status: "pulling 7cd4", Done: 200, Total: 800}) || got[3].Status != "success" {
		t.Errorf("%+v", got)
	}
	for text, code := range map[string]fault.Code{
		`{"status":"pulling manifest"}` + "\n" + `{"error":"pull model manifest: file does not exist"}`: fault.ModelRefused,
		`{"status":"pulling manifest"}`: fault.ModelUnreachable,
		`what?`:                         fault.ModelRefused,
	} {
		f.routes["/api/pull"] = text
		var last error
		for _, err := range f.Pull(t.Context(), "m") {
			last = err
		}
		if fault.CodeOf(last) != code {
			t.Errorf("%s: %v", text, last)
		}
	}
	f.routes["/api/pull"] = steps
	for range f.Pull(t.Context(), "m") {
		break
	}
}

func TestVectors(t *testing.T) {
	f := newFake(t, nil, map[string]string{"/api/embed": `{"embeddings":[[3,4],[0,2]]}`})
	got, err := f.Embedder("m").Embed(t.Context(), []string{"a", "b", "-"})
	if err != nil || got[0][0] != 0.6 || got[1][1] != 1 || got[2] != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{`{"embeddings":[[1,null],[1,1]]}`, `{"embeddings":["x","y"]}`, `{}`, `{"error":"boom"}`} {
		f.routes["/api/embed"] = bad
		if v, err := f.Embedder("m").Embed(t.Context(), []string{"a", "b"}); fault.CodeOf(err) != fault.ModelRefused || v != nil {
			t.Errorf("%s: %v, %v", bad, v, err)
		}
	}
}

func recordings(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		found := filepath.Join(filepath.Dir(dir), "shared", "data", "fixtures", "llm-streams")
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			if _, err := os.Stat(found); err == nil {
				return found
			}
		}
	}
	t.Skip("no recorded streams beside the project")
	return ""
}

func TestMutatedStreams(t *testing.T) {
	root := filepath.Join(recordings(t), "mutated")
	list, err := os.Open(filepath.Join(root, "ollama-expected.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for lines := bufio.NewScanner(list); lines.Scan(); {
		var want struct {
			File string
			Text string `json:"expected_text"`
			End  string `json:"expected_end"`
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		body, err := os.ReadFile(filepath.Join(root, want.File))
		if err != nil {
			t.Fatal(err)
		}
		f := newFake(t, nil, map[string]string{"/api/chat": string(body), "/api/show": show})
		r, err := llm.Collect(f.Stream(t.Context(), llm.Call{Model: "m"}))
		if r.Text != want.Text || strings.HasPrefix(want.End, "complete") != (err == nil) {
			t.Errorf("%s: %q, %v", want.File, r.Text, err)
		}
	}
}

// TestRecordedStreams replays every recorded chat and compares with a plain
// reading of its lines.
func TestRecordedStreams(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recordings(t), "langchaingo", "ollama__*.httprr"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var stream, text string
		for line := range strings.Lines(string(data)) {
			var e event
			if !strings.HasPrefix(line, `{"model":`) || !strings.Contains(line, `"message":{"role"`) || json.Unmarshal([]byte(line), &e) != nil {
				continue
			}
			stream, text = stream+line, text+e.Message.Content
			if !e.Done {
				continue
			}
			count++
			f := newFake(t, nil, map[string]string{"/api/chat": stream, "/api/show": show})
			r, err := llm.Collect(f.Stream(t.Context(), llm.Call{Model: "m"}))
			if err != nil || r.Text != text || e.Completion > 0 && r.Usage != (llm.Usage{Prompt: e.Prompt, Completion: e.Completion, Calls: 1}) {
				t.Errorf("%s: %+v, %v", filepath.Base(file), r, err)
			}
			stream, text = "", ""
		}
	}
	t.Logf("%d recorded chats", count)
	if count < 5 {
		t.Errorf("only %d chats found", count)
	}
}

// FuzzStream: no stream makes the reader panic or hang, and what is said ends
// in a finish or an error.
func FuzzStream(f *testing.F) {
	f.Add([]byte(chat))
	f.Add([]byte(`{"error":"x"}`))
	f.Add([]byte(`{"message":{"tool_calls":[{"function":{"name":"x","arguments":"{}"}}]},"done":true}`))
	f.Add([]byte("{\"message\":null}\r\n[]\n\n\"x\"\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(Config{BaseURL: "http://x", Client: &http.Client{Transport: canned(body)}})
		r, err := llm.Collect(c.Stream(t.Context(), llm.Call{Model: "m"}))
		if err == nil && r.Finish == "" {
			t.Errorf("%+v ended without a finish", r)
		}
	})
}

// canned answers a chat with itself and every other request with what show says.
type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	body := show
	if r.URL.Path == "/api/chat" {
		body = string(c)
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// FuzzPull: whatever a server says of a model that it fetches, it ends, and as
// fetched or with an error.
func FuzzPull(f *testing.F) {
	f.Add([]byte("{\"status\":\"pulling\",\"total\":800,\"completed\":200}\n\n{\"status\":\"success\"}\n"))
	f.Add([]byte(`{"error":"none"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		c := New(Config{BaseURL: "http://x", Client: &http.Client{Transport: pulled(body)}})
		var last llm.Progress
		var failed error
		for p, err := range c.Pull(t.Context(), "m") {
			last, failed = p, err
		}
		if failed == nil && last.Status != "success" {
			t.Errorf("%+v ended neither fetched nor failed", last)
		}
	})
}

// pulled answers every request with itself.
type pulled []byte

func (p pulled) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(p)))}, nil
}
