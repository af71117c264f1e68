package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/housetest"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

// shelved is a house with the bridge in its library; written also has a model.
func shelved(p *plan) { p.files = map[string]string{"bridge.md": bridge} }

func written(p *plan) {
	shelved(p)
	p.set = []string{"models.chat=test/m"}
	p.replies = []llmtest.Reply{{Text: "The bridge over the Lorne was opened on 3 May 1932 [1]."}}
}

func searchBody(change map[string]any) map[string]any {
	body := map[string]any{"query": "When was the bridge over the Lorne opened?", "focusMode": "localResearch"}
	for name, v := range change {
		if v == nil {
			delete(body, name)
			continue
		}
		body[name] = v
	}
	return body
}

func TestASearchIsAnsweredInItsShape(t *testing.T) {
	h := open(t, written)
	a := h.send(t, "POST", "/api/search", searchBody(map[string]any{
		"optimizationMode": "balanced", "chatModel": map[string]any{"providerId": providerUUID("test"), "key": "m"}, "systemInstructions": "Be brief.",
		"embeddingModel": map[string]any{"providerId": "x", "key": "y"}, "history": [][2]string{{"human", "Hello"}, {"assistant", "Hello."}},
	}), nil)
	var out searchAnswer
	if a.into(t, &out); a.status != 200 || !strings.Contains(out.Message, "3 May 1932 [1]") || len(out.Sources) != 1 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	s := out.Sources[0]
	if s.Content == "" || s.PageContent != s.Content || s.Metadata.Title == "" || !strings.HasPrefix(s.Metadata.URL, "footnote://source/src_") {
		t.Errorf("source %+v", s)
	}
	if !out.Quality.HasCitations || out.Quality.Count != 1 || !out.Quality.Valid || out.Quality.Warnings == nil || out.Stats.ChatModel != "test/m" {
		t.Errorf("quality %+v, stats %+v", out.Quality, out.Stats)
	}
	for _, field := range []string{`"pageContent"`, `"metadata"`, `"modelStats"`, `"estimatedFactualCoverage"`} {
		if !strings.Contains(string(a.body), field) {
			t.Errorf("%s is missing", field)
		}
	}
	run := must[contract.Run](t)(h.rooms.DB.Run(t.Context(), out.MessageID))
	if !run.Question.Unattended || len(run.Question.Earlier) != 1 || run.Question.Instructions != "Be brief." {
		t.Errorf("asked as %+v", run.Question)
	}
}

func TestWhereASearchLooks(t *testing.T) {
	none := func(*modelChoice) (string, error) { return "", nil }
	for name, c := range map[string]struct {
		body   string
		focus  contract.Focus
		beside int
		mode   contract.Mode
	}{
		"the web":             {`{"query":"x","sources":["web"]}`, contract.FocusWeb, 0, ""},
		"all sources":         {`{"query":"x","sources":["discussions","web","academic","web"]}`, contract.FocusCommunity, 2, ""},
		"no source":           {`{"query":"x","sources":[]}`, contract.FocusWriting, 0, ""},
		"sources before mode": {`{"query":"x","sources":["academic"],"focusMode":"redditSearch"}`, contract.FocusAcademic, 0, ""},
		"web search":          {`{"query":"x","focusMode":"webSearch","optimizationMode":"speed"}`, contract.FocusWeb, 0, contract.ModeSpeed},
		"files":               {`{"query":"x","focusMode":"localResearch","optimizationMode":"quality"}`, contract.FocusLocal, 0, contract.ModeAgent},
		"chat":                {`{"query":"x","focusMode":"chat","optimizationMode":"agent"}`, contract.FocusWriting, 0, contract.ModeAgent},
		"writing":             {`{"query":"x","focusMode":"writingAssistant","optimizationMode":"balanced"}`, contract.FocusWriting, 0, contract.ModeBalanced},
		"sums":                {`{"query":"x","focusMode":"wolframAlphaSearch","optimizationMode":"deepResearch"}`, contract.FocusCompute, 0, contract.ModeDeep},
		"videos":              {`{"query":"x","focusMode":"youtubeSearch"}`, contract.FocusVideo, 0, ""},
		"discussions":         {`{"query":"x","focusMode":"redditSearch"}`, contract.FocusCommunity, 0, ""},
	} {
		var in searchRequest
		if err := json.Unmarshal([]byte(c.body), &in); err != nil {
			t.Fatal(err)
		}
		q, err := in.question(contract.Question{}, none)
		if err != nil || q.Focus != c.focus || len(q.Beside) != c.beside || q.Mode != c.mode || !q.Unattended {
			t.Errorf("%s: %+v, %v", name, q, err)
		}
	}
}

func TestBadSearchesAreRefused(t *testing.T) {
	h := open(t, written)
	for _, c := range []struct {
		name   string
		body   any
		status int
		code   fault.Code
	}{
		{"no query", searchBody(map[string]any{"query": nil}), 400, fault.QuestionEmpty},
		{"an empty query", searchBody(map[string]any{"query": "  "}), 400, fault.QuestionEmpty},
		{"1001 characters", searchBody(map[string]any{"query": strings.Repeat("x", 1001)}), 400, fault.QuestionTooLong},
		{"neither sources nor focus", searchBody(map[string]any{"focusMode": nil}), 400, fault.InvalidRequest},
		{"a bad focus", searchBody(map[string]any{"focusMode": "everything"}), 400, fault.InvalidFocus},
		{"a bad source", searchBody(map[string]any{"sources": []string{"darkweb"}}), 400, fault.InvalidFocus},
		{"sources that are no list", searchBody(map[string]any{"sources": "web"}), 400, fault.InvalidRequest},
		{"a bad mode", searchBody(map[string]any{"optimizationMode": "fast"}), 400, fault.InvalidMode},
		{"a model of nobody", searchBody(map[string]any{"chatModel": map[string]any{"provider": "nobody", "name": "m"}}), 400, fault.InvalidModel},
		{"a base address", searchBody(map[string]any{"chatModel": map[string]any{"provider": "custom_openai", "name": "m", "customOpenAIBaseURL": "http://10.0.0.1/v1"}}), 403, fault.OriginNotAllowed},
		{"a key", searchBody(map[string]any{"chatModel": map[string]any{"provider": "openai", "name": "m", "customOpenAIKey": "sk-1"}}), 403, fault.OriginNotAllowed},
		{"an address beside the models", searchBody(map[string]any{"baseURL": "http://10.0.0.1/v1"}), 403, fault.OriginNotAllowed},
		{"an address of the embedding model", searchBody(map[string]any{"embeddingModel": map[string]any{"baseUrl": "http://10.0.0.1"}}), 403, fault.OriginNotAllowed},
		{"a history of texts", searchBody(map[string]any{"history": []string{"human"}}), 400, fault.InvalidRequest},
		{"a history of threes", searchBody(map[string]any{"history": [][]string{{"human", "a", "b"}}}), 400, fault.InvalidRequest},
		{"a history by a third", searchBody(map[string]any{"history": [][]string{{"system", "a"}}}), 400, fault.InvalidRequest},
		{"no JSON", "{", 400, fault.InvalidJSON},
		{"a list", "[]", 400, fault.InvalidRequest},
		{"too much", `{"query":"` + strings.Repeat("x", bodyLimit) + `"}`, 413, fault.TooLarge},
	} {
		wantFault(t, c.name, h.send(t, "POST", "/api/search", c.body, nil), c.status, c.code)
	}
	wantFault(t, "GET", h.send(t, "GET", "/api/search", nil, nil), 405, fault.MethodNotAllowed)
	wantFault(t, "a form", h.send(t, "POST", "/api/search", "query=x", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }), 415, fault.UnsupportedMedia)
}

// said reads a stream of lines as a client of Perplexica does.
func said(t *testing.T, body io.Reader) (all []searchLine, text string) {
	t.Helper()
	in := bufio.NewScanner(body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		line := strings.TrimPrefix(in.Text(), "data: ")
		if line == "" || strings.HasPrefix(line, "retry:") {
			continue
		}
		var l searchLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if l.Type == "response" {
			text += l.Data.(string)
		}
		all = append(all, l)
	}
	return all, text
}

func kinds(all []searchLine) (out []string) {
	for _, l := range all {
		if n := len(out); n == 0 || out[n-1] != l.Type {
			out = append(out, l.Type)
		}
	}
	return out
}

func TestASearchStreamsInLines(t *testing.T) {
	h := open(t, written)
	for accept, media := range map[string]string{"": "application/x-ndjson", "*/*": "application/x-ndjson", "text/event-stream": "text/event-stream"} {
		resp := h.open(t, "POST", "/api/search", searchBody(map[string]any{"stream": true}), func(r *http.Request) {
			if accept != "" {
				r.Header.Set("Accept", accept)
			}
		})
		all, text := said(t, resp.Body)
		resp.Body.Close()
		if got := resp.Header.Get("Content-Type"); got != media {
			t.Errorf("%q gets %s", accept, got)
		}
		if got := strings.Join(kinds(all), " "); got != "init sources response modelStats done" {
			t.Errorf("%q: %s", accept, got)
		}
		if text != "The bridge over the Lorne was opened on 3 May 1932 [1]." || all[0].Data != "Stream connected" {
			t.Errorf("%q in %v", text, all[0])
		}
	}
}

func TestASearchStreamPingsAndEndsWithItsClient(t *testing.T) {
	h := open(t, func(p *plan) {
		slow(p)
		p.tune = func(s *Server) { s.searchPing = 5 * time.Millisecond }
	})
	resp := h.open(t, "POST", "/api/search", searchBody(map[string]any{"stream": true}), nil)
	in := bufio.NewScanner(resp.Body)
	for pings := 0; pings < 3; {
		if !in.Scan() {
			t.Fatal("the stream ended")
		}
		if strings.Contains(in.Text(), `"type":"ping","timestamp":`) {
			pings++
		}
	}
	resp.Body.Close()
	housetest.Until(t, "the run of a client that left is stopped", func() bool {
		runs, _, err := h.rooms.DB.Runs(t.Context(), runningRuns)
		return err == nil && len(runs) == 0
	})
}

func TestAFailedSearchSaysSoInItsStream(t *testing.T) {
	h := open(t, func(p *plan) {
		written(p)
		p.replies = []llmtest.Reply{{Err: fault.New(fault.ModelAuth, "The key was refused.", "Enter it again.")}}
	})
	resp := h.open(t, "POST", "/api/search", searchBody(map[string]any{"stream": true}), nil)
	defer resp.Body.Close()
	all, _ := said(t, resp.Body)
	if last := all[len(all)-1]; last.Type != "error" || last.Data != "The key was refused." || last.Code != "model-auth" {
		t.Errorf("%+v", last)
	}
}

func TestASearchOfTheWebKeepsAddresses(t *testing.T) {
	h := open(t, func(p *plan) {
		p.web = &webtest.Frozen{Seen: time.Now(), Pages: []webtest.Page{{
			Address: "https://example.org/lorne", Title: "Lorne bridge", Text: "The Lorne bridge is 503 metres long.\nIt carries a road and two railway tracks.",
		}}}
	})
	var out searchAnswer
	if h.post(t, "/api/search", map[string]any{"query": "How long is the Lorne bridge?", "sources": []string{"web"}}, &out); len(out.Sources) != 1 || out.Sources[0].Metadata.URL != "https://example.org/lorne" {
		t.Errorf("%+v", out)
	}
}

func FuzzSearchRequest(f *testing.F) {
	for _, seed := range []string{
		`{"query":"x","sources":["web","academic"]}`, `{"query":"x","focusMode":"chat","history":[["human","a"],["assistant","b"]]}`,
		`{"query":"x","focusMode":"webSearch","chatModel":{"providerId":"a","key":"b","baseUrl":"http://x"}}`, `{"query":null,"sources":null}`, `[]`, `{"history":[[]]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in searchRequest
		if json.Unmarshal(body, &in) != nil {
			return
		}
		q, err := in.question(contract.Question{}, func(c *modelChoice) (string, error) {
			if c == nil {
				return "", nil
			}
			return "a/b", c.check()
		})
		if err != nil {
			if f := fault.Of(err); f.Code == fault.Internal {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if _, err := contract.ParseFocus(string(q.Focus)); err != nil || strings.TrimSpace(q.Text) == "" || !q.Unattended {
			t.Fatalf("%q became %+v", body, q)
		}
	})
}
