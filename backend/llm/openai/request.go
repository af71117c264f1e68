package openai

import (
	"encoding/json"
	"regexp"

	"footnote/backend/llm"
)

type request struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	Temperature         *float64        `json:"temperature,omitempty"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Tools               []tool          `json:"tools,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type responseFormat struct {
	Type   string      `json:"type"`
	Schema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	ToolCall  string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function toolFunction    `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type toolFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
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

// quirks are what a model's server turned out not to take.
type quirks struct {
	noTemperature, newMaxTokens, noUsage bool
	schema                               schemaForm
}

type schemaForm int

const (
	fullSchema schemaForm = iota
	anyJSON               // response_format json_object
	noFormat
)

var (
	namesTemperature = regexp.MustCompile(`(?i)temperature`)
	namesNewMax      = regexp.MustCompile(`(?i)max_completion_tokens`)
	namesOptions     = regexp.MustCompile(`(?i)stream_options|include_usage`)
	namesFormat      = regexp.MustCompile(`(?i)response_format|json_schema|json_object|structured output|grammar`)
)

// learn draws the lesson of a refusal; false when it holds none that is new.
func (q quirks) learn(call llm.Call, e *llm.StatusError) (quirks, bool) {
	switch {
	case e.Status < 400 || e.Status == 404 || e.Status == 429:
	case namesNewMax.MatchString(e.Text) && !q.newMaxTokens && call.MaxTokens > 0:
		q.newMaxTokens = true
		return q, true
	case namesOptions.MatchString(e.Text) && !q.noUsage:
		q.noUsage = true
		return q, true
	case namesFormat.MatchString(e.Text) && q.schema < noFormat && call.Schema != nil:
		q.schema++
		return q, true
	case namesTemperature.MatchString(e.Text) && !q.noTemperature:
		q.noTemperature = true
		return q, true
	}
	return q, false
}

func encode(call llm.Call, q quirks) request {
	r := request{Model: call.Model, Stream: true, Messages: make([]message, len(call.Messages))}
	for i, m := range call.Messages {
		r.Messages[i] = encodeMessage(m)
	}
	if !q.noTemperature {
		r.Temperature = &call.Temperature
	}
	switch {
	case call.MaxTokens <= 0:
	case q.newMaxTokens: // asked for by models that think
		r.MaxCompletionTokens = call.MaxTokens + llm.ThoughtTokens
	default:
		r.MaxTokens = call.MaxTokens
	}
	if !q.noUsage {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if call.Schema != nil {
		r.ResponseFormat = encodeFormat(call.Schema, q.schema)
	}
	for _, t := range call.Tools {
		r.Tools = append(r.Tools, tool{Type: "function", Function: toolTemplate{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	return r
}

func encodeMessage(m llm.Message) message {
	out := message{Role: string(m.Author), Content: m.Text, ToolCall: m.Tool}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, toolCall{ID: c.ID, Type: "function", Function: toolFunction{Name: c.Name, Arguments: arguments(c.Input)}, Extra: echo(c.Echo)})
	}
	return out
}

// arguments sends a call back as valid JSON: servers refuse a history with a
// call that their own model wrote badly.
func arguments(input string) string {
	if json.Valid([]byte(input)) {
		return input
	}
	return "{}"
}

// echo sends back what came with a call, if it is JSON as this dialect has it.
func echo(extra string) json.RawMessage {
	if extra == "" || !json.Valid([]byte(extra)) {
		return nil
	}
	return json.RawMessage(extra)
}

func encodeFormat(schema json.RawMessage, form schemaForm) *responseFormat {
	switch form {
	case fullSchema:
		return &responseFormat{Type: "json_schema", Schema: &jsonSchema{Name: "reply", Schema: schema}}
	case anyJSON:
		return &responseFormat{Type: "json_object"}
	}
	return nil
}
