package openai

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/cite"
)

// Response is an answer as the Responses API has it.
type Response struct {
	ID           string              `json:"id"`
	Object       string              `json:"object"`
	Created      int64               `json:"created_at"`
	Status       string              `json:"status"`
	Model        string              `json:"model"`
	Output       []ResponseItem      `json:"output"`
	Usage        *ResponseUsage      `json:"usage"`
	Error        *ResponseError      `json:"error"`
	Incomplete   *ResponseIncomplete `json:"incomplete_details"`
	Instructions *string             `json:"instructions"`
	Previous     *string             `json:"previous_response_id"`
	Metadata     map[string]any      `json:"metadata"`
	Tools        []any               `json:"tools"`
	Choice       string              `json:"tool_choice"`
	Parallel     bool                `json:"parallel_tool_calls"`
	Temperature  *float64            `json:"temperature"`
	TopP         *float64            `json:"top_p"`
	*ChatEvidence
}

// ResponseItem is a message, or a call of the client's function.
type ResponseItem struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Status    string         `json:"status"`
	Role      string         `json:"role,omitempty"`
	Content   []ResponsePart `json:"content,omitzero"`
	Call      string         `json:"call_id,omitempty"`
	Name      string         `json:"name,omitempty"`
	Arguments string         `json:"arguments,omitempty"`
}

// ResponsePart is the text of a message with its footnotes.
type ResponsePart struct {
	Type        string         `json:"type"`
	Text        string         `json:"text"`
	Annotations []ResponseCite `json:"annotations"`
	Logprobs    []any          `json:"logprobs"`
}

// ResponseCite is a footnote: where its number stands, and what it names.
type ResponseCite struct {
	Type  string `json:"type"`
	Start int    `json:"start_index"`
	End   int    `json:"end_index"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// ResponseUsage counts tokens.
type ResponseUsage struct {
	In         int            `json:"input_tokens"`
	Out        int            `json:"output_tokens"`
	Total      int            `json:"total_tokens"`
	InDetails  map[string]int `json:"input_tokens_details"`
	OutDetails map[string]int `json:"output_tokens_details"`
}

// ResponseError is what went wrong.
type ResponseError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ResponseIncomplete says why an answer was cut.
type ResponseIncomplete struct {
	Reason string `json:"reason"`
}

// ResponseForm tells an answer as the Responses API does. Its frames are counted:
// one form is for one answer.
type ResponseForm struct {
	id      string
	request ResponseRequest
	at      time.Time
	address func(contract.SourceCard) string
	seq     int
	begun   bool // the message stands
}

// Form is that of the answer to a request.
func (in ResponseRequest) Form(id string, at time.Time, address func(contract.SourceCard) string) *ResponseForm {
	return &ResponseForm{id: id, request: in, at: at, address: address}
}

func (f *ResponseForm) blank(status string) Response {
	r := Response{ID: responsePrefix + f.id, Object: "response", Created: f.at.Unix(), Status: status, Model: f.request.Model, Output: []ResponseItem{},
		Metadata: f.request.Metadata, Tools: []any{}, Choice: "auto"}
	if r.Metadata == nil {
		r.Metadata = map[string]any{}
	}
	if f.request.Instructions != "" {
		r.Instructions = &f.request.Instructions
	}
	if f.request.Previous != "" {
		r.Previous = &f.request.Previous
	}
	return r
}

// Whole is an answer in one piece.
func (f *ResponseForm) Whole(t Told) any { return f.response(t) }

func (f *ResponseForm) response(t Told) Response {
	r := f.blank("completed")
	if t.Finish == Length {
		r.Status, r.Incomplete = "incomplete", &ResponseIncomplete{"max_output_tokens"}
	}
	r.Output = []ResponseItem{f.message(t, r.Status)}
	if t.Call != "" {
		r.Output = []ResponseItem{f.call(t)}
	}
	u := usageOf(t.Usage)
	r.Usage = &ResponseUsage{u.Prompt, u.Completion, u.Total, map[string]int{"cached_tokens": 0}, map[string]int{"reasoning_tokens": 0}}
	r.ChatEvidence = t.evidence(f.address)
	return r
}

func (f *ResponseForm) call(t Told) ResponseItem {
	return ResponseItem{ID: "fc_" + f.id, Type: "function_call", Status: "completed", Call: "call_" + f.id, Name: t.Call, Arguments: t.Text}
}

func (f *ResponseForm) message(t Told, status string) ResponseItem {
	return ResponseItem{ID: "msg_" + f.id, Type: "message", Status: status, Role: "assistant", Content: []ResponsePart{f.part(t)}}
}

func (f *ResponseForm) part(t Told) ResponsePart {
	part := ResponsePart{Type: "output_text", Text: t.Text, Annotations: []ResponseCite{}, Logprobs: []any{}}
	if t.Unsaid {
		return part // no text with footnotes
	}
	for _, m := range cite.Markers(t.Text, 0) {
		for _, c := range t.Sources {
			if c.N == m.N {
				start := utf8.RuneCountInString(t.Text[:m.Span.Start])
				part.Annotations = append(part.Annotations, ResponseCite{"url_citation", start, start + utf8.RuneCountInString(t.Text[m.Span.Start:m.Span.End]), f.address(c), c.Title})
			}
		}
	}
	return part
}

// frame is one event of a stream; its fields are those of its kind.
type frame struct {
	kind   string
	fields map[string]any
}

// Begin are the first events.
func (f *ResponseForm) Begin() []any {
	return []any{
		frame{"response.created", map[string]any{"response": f.blank("in_progress")}},
		frame{"response.in_progress", map[string]any{"response": f.blank("in_progress")}},
	}
}

// open begins the message.
func (f *ResponseForm) open() []any {
	if f.begun {
		return nil
	}
	f.begun = true
	item := ResponseItem{ID: "msg_" + f.id, Type: "message", Status: "in_progress", Role: "assistant", Content: []ResponsePart{}}
	return []any{
		frame{"response.output_item.added", map[string]any{"output_index": 0, "item": item}},
		f.place("response.content_part.added", "part", f.part(Told{})),
	}
}

// place is an event about the one text there is.
func (f *ResponseForm) place(kind, key string, value any) frame {
	return frame{kind, map[string]any{"item_id": "msg_" + f.id, "output_index": 0, "content_index": 0, key: value}}
}

// Piece is a piece of text.
func (f *ResponseForm) Piece(delta string) any {
	piece := f.place("response.output_text.delta", "delta", delta)
	piece.fields["logprobs"] = []any{}
	return append(f.open(), piece)
}

// End are the last events.
func (f *ResponseForm) End(t Told) []any {
	whole := f.response(t)
	if t.Call != "" {
		return append(f.endCall(t), f.last(whole))
	}
	all := f.open()
	part := f.part(t)
	for i, a := range part.Annotations {
		event := f.place("response.output_text.annotation.added", "annotation", a)
		event.fields["annotation_index"] = i
		all = append(all, event)
	}
	done := f.place("response.output_text.done", "text", t.Text)
	done.fields["logprobs"] = []any{}
	return append(all, done, f.place("response.content_part.done", "part", part),
		frame{"response.output_item.done", map[string]any{"output_index": 0, "item": whole.Output[0]}}, f.last(whole))
}

func (f *ResponseForm) endCall(t Told) []any {
	item := f.call(t)
	empty := item
	empty.Arguments, empty.Status = "", "in_progress"
	return []any{
		frame{"response.output_item.added", map[string]any{"output_index": 0, "item": empty}},
		frame{"response.function_call_arguments.delta", map[string]any{"item_id": item.ID, "output_index": 0, "delta": t.Text}},
		frame{"response.function_call_arguments.done", map[string]any{"item_id": item.ID, "output_index": 0, "name": t.Call, "arguments": t.Text}},
		frame{"response.output_item.done", map[string]any{"output_index": 0, "item": item}},
	}
}

func (f *ResponseForm) last(r Response) frame {
	return frame{"response." + r.Status, map[string]any{"response": r}}
}

// Failed is the event of an error.
func (f *ResponseForm) Failed(_ int, failure api.Failure) any {
	r := f.blank("failed")
	r.Error = &ResponseError{string(failure.Code), strings.TrimSpace(failure.Message + " " + failure.Hint)}
	return f.last(r)
}

// Frame is an event, or several, on the wire.
func (f *ResponseForm) Frame(chunk any) (string, error) {
	all, several := chunk.([]any)
	if !several {
		all = []any{chunk}
	}
	var b strings.Builder
	for _, one := range all {
		event := one.(frame)
		event.fields["type"], event.fields["sequence_number"] = event.kind, f.seq
		f.seq++
		data, err := json.Marshal(event.fields)
		if err != nil {
			return "", err
		}
		b.WriteString("event: " + event.kind + "\ndata: " + string(data) + "\n\n")
	}
	return b.String(), nil
}

// Done is what stands at the end of the stream.
func (f *ResponseForm) Done() string { return "" }
