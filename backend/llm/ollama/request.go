package ollama

import (
	"encoding/json"
	"regexp"

	"footnote/backend/llm"
)

type request struct {
	Model    string          `json:"model"`
	Messages []message       `json:"messages"`
	Stream   bool            `json:"stream"`
	Think    any             `json:"think,omitempty"` // whether, or how much
	Format   json.RawMessage `json:"format,omitempty"`
	Tools    []tool          `json:"tools,omitempty"`
	Options  options         `json:"options"`
}

type options struct {
	NumCtx      int     `json:"num_ctx"`
	Temperature float64 `json:"temperature"`
	NumPredict  int     `json:"num_predict,omitempty"`
}

type message struct {
	Role     string     `json:"role"`
	Content  string     `json:"content"`
	Thinking string     `json:"thinking,omitempty"`
	Calls    []toolCall `json:"tool_calls,omitempty"`
	ToolName string     `json:"tool_name,omitempty"`
}

type toolCall struct {
	ID       string       `json:"id,omitempty"`
	Function toolFunction `json:"function"`
}

type toolFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type tool struct {
	Type     string       `json:"type"`
	Function toolTemplate `json:"function"`
}

type toolTemplate struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// takesEffort are models that cannot be told not to think, only to think little.
var takesEffort = regexp.MustCompile(`(?i)gpt-oss`)

// encode makes the request. A model that can think is told to keep its thoughts
// apart in answers, and not to think at all in the small steps before.
func encode(call llm.Call, numCtx int, known shown) request {
	r := request{
		Model: call.Model, Stream: true, Format: call.Schema, Messages: make([]message, len(call.Messages)),
		Options: options{NumCtx: numCtx, Temperature: call.Temperature, NumPredict: call.MaxTokens},
	}
	if known.Thinks {
		thinks := call.Purpose == "" || call.Purpose == "chat"
		r.Think = thinks
		if !thinks && takesEffort.MatchString(call.Model) {
			r.Think, thinks = "low", true
		}
		if thinks && call.MaxTokens > 0 { // thoughts count too, but must not push the prompt out of the window
			room := numCtx - llm.EstimatePrompt(call)
			r.Options.NumPredict = max(call.MaxTokens, min(call.MaxTokens+max(call.Thoughts, llm.ThoughtTokens), room))
		}
	}
	names := map[string]string{} // of calls, by id: answers carry the name here
	for i, m := range call.Messages {
		out := message{Role: string(m.Author), Content: m.Text, ToolName: names[m.Tool]}
		if len(m.Calls) > 0 {
			out.Thinking = m.Echo
		}
		for _, c := range m.Calls {
			names[c.ID] = c.Name
			out.Calls = append(out.Calls, toolCall{ID: c.ID, Function: toolFunction{Name: c.Name, Arguments: arguments(c.Input)}})
		}
		r.Messages[i] = out
	}
	for _, t := range call.Tools {
		r.Tools = append(r.Tools, tool{Type: "function", Function: toolTemplate{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	return r
}

// arguments must be an object here, whatever the model had written.
func arguments(input string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &object) == nil && object != nil {
		return json.RawMessage(input)
	}
	return json.RawMessage("{}")
}
