package openai

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// ChatReply is a whole answer, or a chunk of one, as OpenAI's clients read it.
// What is cited comes with a whole answer and with the last chunk.
type ChatReply struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []ChatChoice `json:"choices"`
	Usage   *ChatUsage   `json:"usage,omitempty"`
	*ChatEvidence
}

// ChatChoice is the one answer there is.
type ChatChoice struct {
	Index   int       `json:"index"`
	Message *ChatText `json:"message,omitempty"`
	Delta   *ChatText `json:"delta,omitempty"`
	Finish  *string   `json:"finish_reason"`
	Logs    *struct{} `json:"logprobs"`
}

// ChatText is text of an answer, or the call that it is.
type ChatText struct {
	Role    string     `json:"role,omitempty"`
	Content *string    `json:"content,omitempty"`
	Calls   []ChatCall `json:"tool_calls,omitempty"`
}

// ChatCall is a call of the client's function, with an answer as its arguments.
type ChatCall struct {
	Index    int          `json:"index"`
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function ChatFunction `json:"function"`
}

// ChatFunction is what a call calls.
type ChatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ChatUsage counts tokens.
type ChatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// ChatEvidence is what an answer rests on. Citation n-1 is the address of [n].
type ChatEvidence struct {
	Citations []string     `json:"citations"`
	Results   []ChatResult `json:"search_results"`
	Footnote  ChatProof    `json:"footnote"`
}

// ChatResult is a source.
type ChatResult struct {
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Date    *string `json:"date"`
	Snippet string  `json:"snippet"`
}

// ChatProof is how an answer is proven.
type ChatProof struct {
	Run      contract.RunID    `json:"run"`
	Thread   contract.ThreadID `json:"thread"`
	Outcome  contract.Outcome  `json:"outcome"`
	Report   contract.Report   `json:"report"`
	Verdicts []ChatVerdict     `json:"verdicts"`
}

// ChatVerdict is what was found of one claim.
type ChatVerdict struct {
	Marker  int                `json:"marker"`
	Source  evidence.SourceID  `json:"source_id"`
	Passage evidence.PassageID `json:"passage_id"`
	Claim   string             `json:"claim"`
	Quote   string             `json:"quote"`
	Verdict contract.Verdict   `json:"verdict"`
}

// Told is what of an answer a client gets.
type Told struct {
	contract.Answer
	Text   string
	Finish string
	Call   string // name of the function whose arguments the text is
	Unsaid bool   // the text was not told while it grew
}

// Told cuts an answer to what the client wants.
func (r Request) Told(a contract.Answer) Told {
	text, why := r.Limits.Cut(a.Answer)
	switch {
	case why == "" && a.CutOff() != "":
		why = Length
	case why == "":
		why = Stopped
	}
	return Told{Answer: a, Text: text, Finish: why}
}

// Shaped is an answer in the form that the client wants.
func (r Request) Shaped(a contract.Answer, value string) Told {
	if r.Shape.Call {
		return Told{Answer: a, Text: value, Finish: Called, Call: r.Shape.Name}
	}
	return Told{Answer: a, Text: value, Finish: Stopped, Unsaid: true}
}

// evidence is what the told part of an answer rests on.
func (t Told) evidence(address func(contract.SourceCard) string) *ChatEvidence {
	a := t.Answer
	out := &ChatEvidence{Citations: []string{}, Results: []ChatResult{}, Footnote: ChatProof{a.Run, a.Thread, a.Outcome, a.Report, []ChatVerdict{}}}
	for _, c := range a.Sources {
		for len(out.Citations) < c.N { // a number without a source has no address
			out.Citations, out.Results = append(out.Citations, ""), append(out.Results, ChatResult{})
		}
		if c.N > 0 {
			out.Citations[c.N-1], out.Results[c.N-1] = address(c), ChatResult{c.Title, address(c), c.Published, c.Snippet}
		}
	}
	told := utf8.RuneCountInString(t.Text)
	for _, c := range a.Citations {
		if strings.HasPrefix(a.Answer, t.Text) && c.Claim.End > told {
			continue // of a part that was cut off
		}
		out.Footnote.Verdicts = append(out.Footnote.Verdicts, ChatVerdict{c.Marker, c.Source, c.Passage, c.Claim.Text, c.Quote.Text, c.Verdict})
	}
	return out
}

func usageOf(u contract.UsagePair) *ChatUsage {
	return &ChatUsage{u.Chat.Prompt + u.System.Prompt, u.Chat.Completion + u.System.Completion, u.Chat.Total + u.System.Total}
}

// ChatForm is what all chunks of an answer share.
type ChatForm struct {
	ID, Model string
	Created   time.Time
	Usage     bool // wanted in a chunk of its own
	Address   func(contract.SourceCard) string
}

// Form is that of the answer to a chat.
func (in ChatRequest) Form(id string, at time.Time, address func(contract.SourceCard) string) ChatForm {
	return ChatForm{ID: "chatcmpl-" + id, Model: in.Model, Created: at, Usage: in.Options != nil && in.Options.Usage, Address: address}
}

// Whole is an answer in one piece.
func (c ChatForm) Whole(t Told) any {
	message := &ChatText{Role: "assistant", Content: &t.Text}
	if t.Call != "" {
		message = &ChatText{Role: "assistant", Calls: c.calls(t)}
	}
	return ChatReply{
		ID: c.ID, Object: "chat.completion", Created: c.Created.Unix(), Model: c.Model, Usage: usageOf(t.Usage),
		Choices: []ChatChoice{{Message: message, Finish: &t.Finish}}, ChatEvidence: t.evidence(c.Address),
	}
}

func (c ChatForm) calls(t Told) []ChatCall {
	return []ChatCall{{ID: "call_" + strings.TrimPrefix(c.ID, "chatcmpl-"), Type: "function", Function: ChatFunction{t.Call, t.Text}}}
}

// Begin is the first chunk.
func (c ChatForm) Begin() []any {
	return []any{c.chunk(ChatText{Role: "assistant", Content: new(string)}, "")}
}

// Piece is a chunk of text.
func (c ChatForm) Piece(delta string) any { return c.chunk(ChatText{Content: &delta}, "") }

// End are the last chunks.
func (c ChatForm) End(t Told) []any {
	var all []any
	if t.Call != "" {
		all = append(all, c.chunk(ChatText{Calls: c.calls(t)}, ""))
	}
	last := c.chunk(ChatText{}, t.Finish)
	last.Usage, last.ChatEvidence = usageOf(t.Usage), t.evidence(c.Address)
	all = append(all, last)
	if c.Usage {
		all = append(all, ChatReply{ID: c.ID, Object: last.Object, Created: last.Created, Model: c.Model, Choices: []ChatChoice{}, Usage: last.Usage})
	}
	return all
}

// Failed is the chunk of an error.
func (c ChatForm) Failed(status int, f api.Failure) any { return ErrorOf(status, f) }

// Frame is a chunk on the wire.
func (c ChatForm) Frame(chunk any) (string, error) {
	data, err := json.Marshal(chunk)
	return "data: " + string(data) + "\n\n", err
}

// Done is what stands at the end of the stream.
func (c ChatForm) Done() string { return "data: [DONE]\n\n" }

func (c ChatForm) chunk(delta ChatText, finish string) ChatReply {
	choice := ChatChoice{Delta: &delta}
	if finish != "" {
		choice.Finish = &finish
	}
	return ChatReply{ID: c.ID, Object: "chat.completion.chunk", Created: c.Created.Unix(), Model: c.Model, Choices: []ChatChoice{choice}}
}

// Error is an error as OpenAI's clients read it.
type Error struct {
	Error ErrorBody `json:"error"`
}

// ErrorBody is what went wrong.
type ErrorBody struct {
	Message string     `json:"message"`
	Type    string     `json:"type"`
	Code    fault.Code `json:"code"`
	Param   *string    `json:"param"`
}

// noSuchModel is the code that clients know for a model that is not there.
const noSuchModel fault.Code = "model_not_found"

// ErrorOf puts a failure into the words of OpenAI.
func ErrorOf(status int, f api.Failure) Error {
	var out Error
	e := &out.Error
	e.Message, e.Code, e.Type = strings.TrimSpace(f.Message+" "+f.Hint), f.Code, "server_error"
	if e.Code == fault.InvalidModel {
		e.Code = noSuchModel
	}
	switch {
	case status == http.StatusUnauthorized:
		e.Type = "authentication_error"
	case status == http.StatusForbidden:
		e.Type = "permission_error"
	case status == http.StatusTooManyRequests:
		e.Type = "rate_limit_error"
	case status < http.StatusInternalServerError:
		e.Type = "invalid_request_error"
	}
	if param, ok := f.Details["param"].(string); ok {
		e.Param = &param
	}
	return out
}

// ModelList lists models.
type ModelList struct {
	Object string  `json:"object"`
	Data   []Model `json:"data"`
}

// Model is one of a list.
type Model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Owner   string `json:"owned_by"`
}
