package server

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"

	"footnote/backend/server/openai"
)

func responseBody(change map[string]any) map[string]any {
	body := map[string]any{"model": "footnote-balanced", "input": asksOpening, "footnote": map[string]any{"focus": "local"}}
	for name, v := range change {
		body[name] = v
	}
	return body
}

func (h *house) response1(t *testing.T, change map[string]any) (out openai.Response) {
	t.Helper()
	a := h.send(t, "POST", "/v1/responses", responseBody(change), nil)
	if a.into(t, &out); a.status != 200 || len(out.Output) != 1 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	return out
}

func TestResponsesAreAnswered(t *testing.T) {
	h := open(t, written)
	first := h.response1(t, map[string]any{"instructions": "Be brief."})
	part := first.Output[0].Content[0]
	if first.Status != "completed" || first.Object != "response" || part.Text != "The bridge over the Lorne was opened on 3 May 1932 [1]." || first.Usage.Total == 0 {
		t.Fatalf("%+v", first)
	}
	if c := part.Annotations; len(c) != 1 || part.Text[c[0].Start:c[0].End] != "[1]" || !strings.HasPrefix(c[0].URL, "footnote://source/") {
		t.Errorf("footnotes %+v", part.Annotations)
	}
	next := h.response1(t, map[string]any{"input": []any{map[string]any{"type": "reasoning"}, map[string]any{"role": "user", "content": []any{map[string]string{"type": "input_text", "text": "How much did the bridge cost?"}}}}, "previous_response_id": first.ID})
	if next.Footnote.Thread != first.Footnote.Thread {
		t.Errorf("threads %s and %s", first.Footnote.Thread, next.Footnote.Thread)
	}
	var again openai.Response
	if status := h.get(t, "/v1/responses/"+first.ID, &again); status != 200 || again.Output[0].Content[0].Text != part.Text {
		t.Errorf("%d %+v", status, again)
	}
	h.response1(t, map[string]any{"store": false})
	if n := threadsOf(t, h); n != 1 {
		t.Errorf("%d threads", n)
	}
	cut := h.response1(t, map[string]any{"max_output_tokens": 5})
	if cut.Status != "incomplete" || cut.Incomplete.Reason != "max_output_tokens" || cut.Output[0].Content[0].Text != "The bridge over" {
		t.Errorf("%+v", cut)
	}
}

func TestResponsesRefuseWhatTheyCannotDo(t *testing.T) {
	h := open(t, written)
	for param, change := range map[string]map[string]any{
		"background":        {"background": true},
		"conversation":      {"conversation": "conv_1"},
		"prompt":            {"prompt": map[string]string{"id": "pmpt_1"}},
		"top_logprobs":      {"top_logprobs": 3},
		"tool_choice":       {"tool_choice": "required"},
		"max_output_tokens": {"max_output_tokens": 0},
		"messages":          {"input": []any{map[string]any{"role": "user", "content": []any{map[string]string{"type": "input_image"}}}}},
		"text.format":       {"text": map[string]any{"format": map[string]string{"type": "xml"}}},
	} {
		wantOpenAIError(t, param, h.send(t, "POST", "/v1/responses", responseBody(change), nil), 400, "invalid_request_error", "invalid-request", param)
	}
	wantOpenAIError(t, "a response that is not there", h.send(t, "POST", "/v1/responses", responseBody(map[string]any{"previous_response_id": "resp_x"}), nil), 404, "invalid_request_error", "not-found", "previous_response_id")
	wantOpenAIError(t, "another", h.send(t, "GET", "/v1/responses/x", nil, nil), 404, "invalid_request_error", "not-found", "")
	wantOpenAIError(t, "an unknown model", h.send(t, "POST", "/v1/responses", responseBody(map[string]any{"model": "gpt-9"}), nil), 404, "invalid_request_error", "model_not_found", "model")
}

func (h *house) responseEvents(t *testing.T, change map[string]any) (kinds []string, all []map[string]any) {
	t.Helper()
	resp := h.open(t, "POST", "/v1/responses", responseBody(change), nil)
	defer resp.Body.Close()
	in := bufio.NewScanner(resp.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		data, ok := strings.CutPrefix(in.Text(), "data: ")
		if !ok {
			continue
		}
		var event map[string]any
		if err := json.Unmarshal([]byte(data), &event); err != nil || int(event["sequence_number"].(float64)) != len(all) {
			t.Fatalf("%v in %s", err, data)
		}
		kinds, all = append(kinds, event["type"].(string)), append(all, event)
	}
	return kinds, all
}

func TestResponsesStream(t *testing.T) {
	h := open(t, written)
	kinds, all := h.responseEvents(t, map[string]any{"stream": true})
	text := ""
	for _, event := range all {
		if event["type"] == "response.output_text.delta" {
			text += event["delta"].(string)
		}
	}
	last := all[len(all)-1]["response"].(map[string]any)
	final := last["output"].([]any)[0].(map[string]any)["content"].([]any)[0].(map[string]any)["text"]
	if kinds[0] != "response.created" || kinds[len(kinds)-1] != "response.completed" || text != final || text != "The bridge over the Lorne was opened on 3 May 1932 [1]." {
		t.Errorf("%v: %q, %q", kinds, text, final)
	}
	called := open(t, fills(`{"year": 1932}`))
	kinds, all = called.responseEvents(t, map[string]any{
		"stream": true, "tool_choice": map[string]string{"type": "function", "name": "year"},
		"tools": []any{map[string]any{"type": "function", "name": "year", "parameters": json.RawMessage(yearSchema)}},
	})
	last = all[len(all)-1]["response"].(map[string]any)
	if item := last["output"].([]any)[0].(map[string]any); item["type"] != "function_call" || item["arguments"] != `{"year":1932}` || item["name"] != "year" {
		t.Errorf("%v: %v", kinds, item)
	}
	formed := called.response1(t, map[string]any{"text": map[string]any{"format": map[string]any{"type": "json_schema", "name": "year", "schema": json.RawMessage(yearSchema)}}})
	if formed.Output[0].Content[0].Text != `{"year":1932}` {
		t.Errorf("%+v", formed)
	}
}
