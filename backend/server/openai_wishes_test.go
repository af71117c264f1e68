package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"footnote/backend/api"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/server/openai"
)

type whole struct {
	ID      string
	Choices []struct {
		Message struct {
			Content string
			Calls   []openai.ChatCall `json:"tool_calls"`
		}
		Finish string `json:"finish_reason"`
	}
	Footnote openai.ChatProof
}

func (h *house) chatted(t *testing.T, change map[string]any, spoil func(*http.Request)) (out whole) {
	t.Helper()
	a := h.send(t, "POST", "/v1/chat/completions", chatBody(change), spoil)
	if a.into(t, &out); a.status != 200 || len(out.Choices) != 1 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return out
}

func (w whole) text() string { return w.Choices[0].Message.Content }

func threadsOf(t *testing.T, h *house) int {
	t.Helper()
	var list api.Page[struct{ ID string }]
	h.get(t, "/api/threads", &list)
	return len(list.Items)
}

func messages(pairs ...string) []map[string]any {
	var all []map[string]any
	for i, text := range pairs {
		all = append(all, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": text})
	}
	return all
}

const asksOpening = "When was the bridge over the Lorne opened?"

func TestAConversationStaysOneThread(t *testing.T) {
	h := open(t, written)
	first := h.chatted(t, map[string]any{"user": "ann"}, nil)
	again := h.chatted(t, map[string]any{"user": "ann", "messages": messages(asksOpening, " "+first.text()+"\n", "How much did the bridge cost?")}, nil)
	if again.Footnote.Thread != first.Footnote.Thread || threadsOf(t, h) != 1 {
		t.Errorf("threads %s and %s of %d", first.Footnote.Thread, again.Footnote.Thread, threadsOf(t, h))
	}
	other := h.chatted(t, map[string]any{"user": "bob", "messages": messages(asksOpening, first.text(), "How much did the bridge cost?")}, nil)
	fresh := h.chatted(t, map[string]any{"user": "ann"}, nil)
	if other.Footnote.Thread == first.Footnote.Thread || fresh.Footnote.Thread == first.Footnote.Thread {
		t.Error("another user, or a new conversation, goes on in the thread of the first")
	}
	for _, name := range []func() whole{
		func() whole {
			return h.chatted(t, map[string]any{"metadata": map[string]string{"conversation_id": "7"}}, nil)
		},
		func() whole {
			return h.chatted(t, nil, func(r *http.Request) { r.Header.Set("X-OpenWebUI-Chat-Id", "8") })
		},
	} {
		if a, b := name(), name(); a.Footnote.Thread != b.Footnote.Thread || a.Footnote.Thread == first.Footnote.Thread {
			t.Errorf("a named conversation is %s, then %s", a.Footnote.Thread, b.Footnote.Thread)
		}
	}
}

func TestAPrivateChatIsNotKept(t *testing.T) {
	h := open(t, written)
	for _, ask := range []func(){
		func() { h.chatted(t, nil, func(r *http.Request) { r.Header.Set("X-Footnote-Private", "true") }) },
		func() {
			h.chatted(t, map[string]any{"footnote": map[string]any{"focus": "local", "private": true}}, nil)
		},
	} {
		if ask(); threadsOf(t, h) != 0 {
			t.Error("a private chat is among the threads")
		}
	}
}

func TestALongMessageIsAskedAndRead(t *testing.T) {
	h := open(t, written)
	long := strings.Repeat("The ferry of Arden was sold in 1974. ", 60)
	out := h.chatted(t, map[string]any{"messages": messages(long + "\n\n" + asksOpening)}, nil)
	run := must[api.RunView](t)(api.New(h.rooms).Runs.Get(t.Context(), api.ID{ID: string(out.Footnote.Run)}))
	if run.Question.Text != asksOpening || !strings.Contains(run.Question.Context, "sold in 1974") {
		t.Errorf("asked %q with %d characters", run.Question.Text, len(run.Question.Context))
	}
}

func TestAChatEndsWhereTheClientWants(t *testing.T) {
	for _, c := range []struct {
		change       map[string]any
		text, finish string
	}{
		{map[string]any{"stop": " on 3 May"}, "The bridge over the Lorne was opened", "stop"},
		{map[string]any{"stop": []string{"1932", "opened"}}, "The bridge over the Lorne was", "stop"},
		{map[string]any{"max_tokens": 5}, "The bridge over", "length"},
		{map[string]any{"max_completion_tokens": 5, "max_tokens": 500}, "The bridge over", "length"},
		{map[string]any{"max_tokens": 500, "stop": nil}, "The bridge over the Lorne was opened on 3 May 1932 [1].", "stop"},
	} {
		h := open(t, written)
		out := h.chatted(t, c.change, nil)
		if strings.TrimSpace(out.text()) != c.text || out.Choices[0].Finish != c.finish {
			t.Errorf("%v: %q, %s", c.change, out.text(), out.Choices[0].Finish)
		}
		c.change["stream"] = true
		text, finish := h.streamedChat(t, c.change)
		if text != out.text() || finish != c.finish {
			t.Errorf("%v streamed: %q, %s", c.change, text, finish)
		}
	}
}

func TestAChatWhoseAnswerIsCutOffSaysSo(t *testing.T) {
	h := open(t, func(p *plan) {
		written(p)
		p.replies[0].Finish = llm.Length
	})
	if out := h.chatted(t, nil, nil); out.Choices[0].Finish != "length" {
		t.Errorf("%+v", out.Choices)
	}
	if text, finish := h.streamedChat(t, map[string]any{"stream": true}); text == "" || finish != "length" {
		t.Errorf("streamed: %q, %s", text, finish)
	}
}

func (h *house) streamedChat(t *testing.T, change map[string]any) (text, finish string) {
	t.Helper()
	resp := h.open(t, "POST", "/v1/chat/completions", chatBody(change), nil)
	defer resp.Body.Close()
	all, _ := chunks(t, resp.Body)
	for _, c := range all {
		if c["error"] != nil {
			t.Fatalf("%v", c["error"])
		}
		s, _ := deltaOf(c)["content"].(string)
		text += s
		if f, ok := c["choices"].([]any)[0].(map[string]any)["finish_reason"].(string); ok {
			finish = f
		}
	}
	return text, finish
}

// What append-only clients got is the answer, whatever became of it on its way.
func TestWhatIsStreamedIsTheAnswer(t *testing.T) {
	for name, reply := range map[string]string{
		"thoughts that end late":       "Let me look at this first. The opening year matters here.</think>The bridge over the Lorne was opened on 3 May 1932 [1].",
		"an answer without its number": "The bridge over the Lorne was opened on 3 May 1932.",
		"a number that is none":        "The bridge over the Lorne was opened on 3 May 1932 [1][7].",
		"blanks around it":             "\n\n  The bridge over the Lorne was opened on 3 May 1932 [1].\n\n",
	} {
		h := open(t, func(p *plan) { written(p); p.replies = []llmtest.Reply{{Text: reply}} })
		text, _ := h.streamedChat(t, map[string]any{"stream": true})
		var page api.Page[struct{ Answer struct{ Answer string } }]
		h.get(t, "/api/runs", &page)
		if want := page.Items[0].Answer.Answer; text != want || !strings.Contains(text, "[1]") {
			t.Errorf("%s: streamed %q, the answer is %q", name, text, want)
		}
	}
}

const titleTask = "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Output:\nJSON format: { \"title\": \"your concise title here\" }\n### Chat History:\n<chat_history>\nUSER: How high is the Skerry tower?\nASSISTANT: 34 metres [1].\n</chat_history>"

func TestTasksOfChatProgramsAreNoQuestions(t *testing.T) {
	asked := func(text string) map[string]any { return map[string]any{"messages": messages(text)} }
	tags, next := strings.Replace(titleTask, "Generate a concise, 3-5 word title with an emoji", "Generate 1-3 broad tags", 1), strings.Replace(titleTask, "Generate a concise, 3-5 word title with an emoji", "Suggest 3-5 relevant follow-up questions", 1)
	h := open(t, func(p *plan) { written(p); p.replies, p.set = nil, nil })
	for text, want := range map[string]string{
		titleTask: `{"title":"How high is the Skerry tower"}`,
		tags:      `{"tags":["skerry","tower","high"]}`,
		next:      `{"follow_ups":[]}`,
		"Provide a concise, 5-word-or-less title for the conversation. Only return the title itself.\n\nConversation:\nUser: When did the Lorne ferry stop?\nAI: In 1974.": "When did the Lorne ferry stop",
	} {
		if out := h.chatted(t, asked(text), nil); out.text() != want {
			t.Errorf("%q, want %q", out.text(), want)
		}
	}
	if threadsOf(t, h) != 0 {
		t.Error("a task made a thread")
	}
	with := open(t, func(p *plan) { written(p); p.replies = []llmtest.Reply{{Text: `{"title":"🗼 Skerry tower"}`}} })
	if out := with.chatted(t, asked(titleTask), nil); out.text() != `{"title":"🗼 Skerry tower"}` || threadsOf(t, with) != 0 {
		t.Errorf("by the model: %q", out.text())
	}
	if text, _ := with.streamedChat(t, map[string]any{"stream": true, "messages": messages(titleTask)}); text != `{"title":"🗼 Skerry tower"}` {
		t.Errorf("streamed: %q", text)
	}
	for _, question := range []string{"What is the title of the report on the Lorne bridge?", "Suggest a name for my bridge", asksOpening} {
		if out := h.chatted(t, asked(question), nil); out.Footnote.Run == "" {
			t.Errorf("%q is taken for a task", question)
		}
	}
}

func TestATaskIsNotGivenToAModelOfTheNet(t *testing.T) {
	h := open(t, func(p *plan) {
		written(p)
		p.origin, p.replies = "https://cloud.example", []llmtest.Reply{{Text: "from the net"}}
	})
	if out := h.chatted(t, map[string]any{"messages": messages(titleTask)}, nil); !strings.Contains(out.text(), "Skerry") || len(h.model.Calls()) != 0 {
		t.Errorf("%q after %d calls", out.text(), len(h.model.Calls()))
	}
}

const yearSchema = `{"type":"object","properties":{"year":{"type":"integer"}},"required":["year"],"additionalProperties":false}`

func yearForm() map[string]any {
	return map[string]any{"response_format": map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "year", "strict": true, "schema": json.RawMessage(yearSchema)}}}
}

func yearCall() map[string]any {
	function := map[string]any{"name": "year", "parameters": json.RawMessage(yearSchema)}
	return map[string]any{"tools": []any{map[string]any{"type": "function", "function": function}}, "tool_choice": map[string]any{"type": "function", "function": map[string]string{"name": "year"}}}
}

func fills(text string) func(p *plan) {
	return func(p *plan) {
		written(p)
		p.replies = append([]llmtest.Reply{{Text: text, When: func(c llm.Call) bool { return c.Purpose == "structured" }}}, p.replies...)
	}
}

func TestAnswersTakeTheFormThatIsWanted(t *testing.T) {
	h := open(t, fills(`{"year": 1932}`))
	out := h.chatted(t, yearForm(), nil)
	if out.text() != `{"year":1932}` || out.Choices[0].Finish != "stop" || len(out.Footnote.Verdicts) == 0 {
		t.Errorf("%+v", out)
	}
	out = h.chatted(t, yearCall(), nil)
	if calls := out.Choices[0].Message.Calls; len(calls) != 1 || calls[0].Function != (openai.ChatFunction{Name: "year", Arguments: `{"year":1932}`}) || out.Choices[0].Finish != "tool_calls" {
		t.Errorf("%+v", out)
	}
	streamed := yearForm()
	streamed["stream"] = true
	if text, finish := h.streamedChat(t, streamed); text != `{"year":1932}` || finish != "stop" {
		t.Errorf("streamed %q, %s", text, finish)
	}
	unfit := open(t, fills(`{"year": "long ago"}`))
	wantOpenAIError(t, "what does not fit", unfit.send(t, "POST", "/v1/chat/completions", chatBody(yearForm()), nil), 502, "server_error", "model-refused", "")
	without := open(t, func(p *plan) { written(p); p.replies, p.set = nil, nil })
	wantOpenAIError(t, "no model for a form", without.send(t, "POST", "/v1/chat/completions", chatBody(yearForm()), nil), 400, "invalid_request_error", "invalid-request", "response_format")
	wantOpenAIError(t, "no model for a call", without.send(t, "POST", "/v1/chat/completions", chatBody(yearCall()), nil), 400, "invalid_request_error", "invalid-request", "tool_choice")
}
