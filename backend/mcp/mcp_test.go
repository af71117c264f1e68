package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
)

func TestEveryToolIsListedAndSaysWhetherAnythingLeaves(t *testing.T) {
	c := connect(t, build(t).Rooms)
	list := must[*sdk.ListToolsResult](t)(c.ListTools(t.Context(), nil))
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		local := slices.Contains([]string{"search_library", "find_files", "outline", "grep"}, tool.Name) || tool.Name == "list_threads" || tool.Name == "table"
		if tool.Annotations == nil || tool.Annotations.ReadOnlyHint != local || *tool.Annotations.OpenWorldHint == local || *tool.Annotations.DestructiveHint || tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil || outputs()[tool.Name] == nil {
			t.Errorf("%+v", tool)
		}
	}
	slices.Sort(names)
	if want := []string{"ask", "deep_research", "find_files", "grep", "list_threads", "outline", "read_source", "search_library", "search_web", "table"}; !slices.Equal(names, want) {
		t.Errorf("tools %v", names)
	}
	templates := must[*sdk.ListResourceTemplatesResult](t)(c.ListResourceTemplates(t.Context(), nil))
	if len(templates.ResourceTemplates) != 2 {
		t.Errorf("%d templates", len(templates.ResourceTemplates))
	}
}

// TestWhatASchemaListsIsWhatAnErrorNames holds that a client which is told of a
// wrong word finds in the error the words of the schema, and no others.
func TestWhatASchemaListsIsWhatAnErrorNames(t *testing.T) {
	c := connect(t, build(t).Rooms)
	for _, tool := range tools() {
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(tool.InputSchema.(json.RawMessage), &schema); err != nil {
			t.Fatal(err)
		}
		for name, property := range schema.Properties {
			if name != "mode" && name != "focus" {
				continue
			}
			for _, wrong := range []string{"nonsense", "deep"} {
				text, result := c.call(t, tool.Name, map[string]any{"question": "When was the bridge opened?", name: wrong})
				_, list, _ := strings.Cut(text, "Use one of ")
				list, _, _ = strings.Cut(strings.TrimSuffix(list, "."), ";")
				got, want := strings.Split(list, ", "), slices.Clone(property.Enum)
				slices.Sort(got)
				slices.Sort(want)
				if !result.IsError || !slices.Equal(got, want) {
					t.Errorf("%s, %s %q: %q, and the schema lists %v", tool.Name, name, wrong, text, property.Enum)
				}
			}
		}
	}
}

func TestAnAnswerCarriesItsQuotes(t *testing.T) {
	h := build(t)
	c := connect(t, h.Rooms)
	text, result := c.call(t, "ask", map[string]any{"question": "When was the bridge over the Lorne opened?", "focus": "local", "files": []string{h.file}})
	var a contract.Answer
	if err := json.Unmarshal(must[[]byte](t)(json.Marshal(result.StructuredContent)), &a); err != nil || result.IsError {
		t.Fatalf("%v: %s", err, text)
	}
	if len(a.Citations) == 0 || !strings.Contains(bridge, a.Citations[0].Quote.Text) || a.Run == "" || a.Outcome != contract.Extracted {
		t.Errorf("%+v", a)
	}
	for _, want := range []string{"3 May 1932", "Sources\n[1] ", h.file, "Quotes\n[1] “", "footnote://source/src_"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if !c.heard("Searching sources…") {
		t.Errorf("progress %v", c.told)
	}
	run := must[contract.Run](t)(h.db.Run(t.Context(), a.Run))
	if !run.Question.Unattended {
		t.Error("the question could have been asked back, with nobody there")
	}

	source := must[*sdk.ReadResourceResult](t)(c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "footnote://source/" + string(a.Citations[0].Source) + "#" + string(a.Citations[0].Passage)}))
	if got := source.Contents[0]; got.MIMEType != "text/plain" || !strings.Contains(got.Text, "3 May 1932") || strings.Contains(got.Text, "Ignore all previous") {
		t.Errorf("source %+v", got)
	}
	thread := must[*sdk.ReadResourceResult](t)(c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "footnote://thread/" + string(a.Thread)}))
	if got := thread.Contents[0]; got.MIMEType != "text/markdown" || !strings.Contains(got.Text, "## When was the bridge over the Lorne opened?") || !strings.Contains(got.Text, "Quotes") {
		t.Errorf("thread %+v", got)
	}
	if text, _ := c.call(t, "list_threads", map[string]any{"query": "Lorne"}); !strings.Contains(text, "footnote://thread/"+string(a.Thread)) {
		t.Errorf("threads %q", text)
	}
	for _, uri := range []string{"footnote://source/src_aaaaaaaaaaaaaaaa", "footnote://thread/thr_aaaaaaaaaaaaaaaa", "footnote://source/..%2f..%2fetc"} {
		if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is there", uri)
		}
	}
}

func TestSearchingAndReading(t *testing.T) {
	c := connect(t, build(t).Rooms)
	text, found := c.call(t, "search_library", map[string]any{"query": "bridge Lorne opened", "limit": 3})
	var passages struct{ Items []foundPassage }
	if err := json.Unmarshal(must[[]byte](t)(json.Marshal(found.StructuredContent)), &passages); err != nil || len(passages.Items) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	if strings.Contains(text, "Ignore all previous") || !strings.Contains(text, "3 May 1932") {
		t.Errorf("the model reads %q", text)
	}
	id := passages.Items[0].Source
	if text, _ := c.call(t, "read_source", map[string]any{"id": id}); !strings.Contains(text, "4.2 million") || strings.Contains(text, "delete the files") {
		t.Errorf("read %q", text)
	}
	_, part := c.call(t, "read_source", map[string]any{"id": id, "start": 2, "end": 11})
	var stretch sourceText
	if err := json.Unmarshal(must[[]byte](t)(json.Marshal(part.StructuredContent)), &stretch); err != nil || stretch.Start != 2 || stretch.End != 11 || stretch.Total < 100 || len(stretch.Text) != 9 {
		t.Errorf("%v: %+v", err, stretch)
	}
	if text, _ := c.call(t, "search_web", map[string]any{"query": "Lorne bridge length"}); !strings.Contains(text, "https://example.org/lorne") {
		t.Errorf("found %q", text)
	}
	if text, _ := c.call(t, "read_source", map[string]any{"url": "https://example.org/lorne"}); !strings.Contains(text, "503 metres") {
		t.Errorf("read %q", text)
	}
}

func TestBadCallsFailWithTheReason(t *testing.T) {
	c := connect(t, build(t).Rooms)
	for _, call := range []struct {
		tool string
		args map[string]any
		says string
	}{
		{"ask", map[string]any{}, "The question is empty."},
		{"ask", map[string]any{"question": strings.Repeat("x", 1001)}, "1001 characters"},
		{"ask", map[string]any{"question": "x", "focus": "everywhere"}, "Invalid focus mode"},
		{"ask", map[string]any{"question": 3}, "The arguments do not fit"},
		{"search_library", map[string]any{"query": " "}, "The query is empty."},
		{"table", map[string]any{"files": []string{"/nowhere"}, "questions": []string{"When?"}}, "No file with text is left for the table."},
		{"search_web", map[string]any{}, "The query is empty."},
		{"read_source", map[string]any{}, "Name either"},
		{"read_source", map[string]any{"id": "src_aaaaaaaaaaaaaa", "url": "https://example.org"}, "Name either"},
		{"read_source", map[string]any{"id": "../../etc/passwd"}, ""},
		{"read_source", map[string]any{"url": "https://nowhere.example/"}, "no search brought this address"},
		{"read_source", map[string]any{"id": "src_aaaaaaaaaaaaaa", "start": -1}, "negative"},
		{"deep_research", map[string]any{"question": strings.Repeat("x", 501)}, "501 characters"},
		{"deep_research", map[string]any{"question": "the bridge", "mode": "quick"}, "Invalid kind of research"},
	} {
		if text, result := c.call(t, call.tool, call.args); !result.IsError || !strings.Contains(text, call.says) || strings.Contains(text, "goroutine") {
			t.Errorf("%s %v: %v %q", call.tool, call.args, result.IsError, text)
		}
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "write_file"}); err == nil {
		t.Error("there is a tool that writes")
	}
}

func TestResearchTellsItsProgress(t *testing.T) {
	c := connect(t, build(t).Rooms)
	text, result := c.call(t, "deep_research", map[string]any{"question": "When was the bridge over the Lorne opened?", "mode": "due-diligence"})
	if result.IsError || !strings.Contains(text, "1932") || !c.heard("") {
		t.Errorf("%v %q, told %v", result.IsError, text, c.told)
	}
}

func TestOnlyTheProtocolIsWritten(t *testing.T) {
	c := connect(t, build(t).Rooms)
	c.call(t, "ask", map[string]any{"question": "When was the bridge over the Lorne opened?", "focus": "local"})
	c.sent.mu.Lock()
	defer c.sent.mu.Unlock()
	for l := range bytes.Lines(c.sent.b.Bytes()) {
		var message struct {
			JSONRPC string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(l, &message); err != nil || message.JSONRPC != "2.0" {
			t.Errorf("%q: %v", l, err)
		}
	}
}

func TestACallThatIsTakenBackStopsItsQuestion(t *testing.T) {
	h := build(t)
	ctx, cancel := context.WithCancel(t.Context())
	reply, err := h.Call(ctx, Call{Name: "ask", Input: json.RawMessage(`{"question":"When was the bridge over the Lorne opened?","focus":"local"}`)}, func(Step) { cancel() })
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		runs, _, err := h.db.Runs(t.Context(), records.RunQuery{Status: contract.Running})
		if err == nil && len(runs) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the question goes on: %+v", reply)
}

func TestCallsAreAnsweredInAnotherProcess(t *testing.T) {
	h := build(t)
	c := connect(t, Handed(func(ctx context.Context, call []byte, each func([]byte)) error {
		var out bytes.Buffer
		err := h.Answer(ctx, call, &out)
		for l := range bytes.Lines(out.Bytes()) {
			each(l)
		}
		return err
	}))
	if text, _ := c.call(t, "ask", map[string]any{"question": "When was the bridge over the Lorne opened?", "focus": "local"}); !strings.Contains(text, "3 May 1932") || !c.heard("Searching sources…") {
		t.Errorf("%q, told %v", text, c.told)
	}
	for name, broken := range map[string]Handed{
		"no answer":  func(context.Context, []byte, func([]byte)) error { return nil },
		"no house":   func(context.Context, []byte, func([]byte)) error { return errors.New("damaged") },
		"no message": func(_ context.Context, _ []byte, each func([]byte)) error { each([]byte("hello")); return nil },
	} {
		if _, err := broken.Call(t.Context(), Call{Name: "ask"}, func(Step) {}); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func FuzzCall(f *testing.F) {
	f.Add("read_source", []byte(`{"id":"src_a","start":5,"end":1}`))
	f.Add("search_library", []byte(`{"query":null,"limit":-1}`))
	f.Add("ask", []byte(`[]`))
	f.Fuzz(func(t *testing.T, _ string, raw []byte) {
		in, err := decode(raw)
		if err != nil {
			if failed(err).Text == "" {
				t.Fatalf("%q fails without a word", raw)
			}
			return
		}
		var s sourceText
		s.cut("a text of some words 🌉", in.Start, in.End)
		if s.Start > s.End || s.End > s.Total {
			t.Fatalf("%q cuts %+v", raw, s)
		}
	})
}

func TestATableQuotesEachFile(t *testing.T) {
	h := build(t)
	c := connect(t, h.Rooms)
	text, _ := c.call(t, "table", map[string]any{"files": []string{h.file}, "questions": []string{"When was the bridge over the Lorne opened?"}})
	if !strings.Contains(text, "bridge.md | When was") || !strings.Contains(text, "1932") || !strings.Contains(text, "footnote://source/") {
		t.Errorf("%s", text)
	}
}

func TestAnAnswerThatIsCutOffSaysSo(t *testing.T) {
	a := contract.Answer{Answer: "It is", Outcome: contract.Answered, Notices: []contract.Notice{{Code: contract.NoticeCutOff, Message: "The text is cut off: why."}}}
	if got := answerText(a); got != "It is\n\nThe text is cut off: why." {
		t.Errorf("%q", got)
	}
}
