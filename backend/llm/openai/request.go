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
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
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
	Strict bool            `json:"strict,omitempty"`
}

type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	ToolCall  string     `json:"tool_call_id,omitempty"`
	reasoning
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
	noTemperature, newMaxTokens, noUsage, noEffort bool
	schema                                         schemaForm
	thoughts                                       thoughtForm
}

type schemaForm int

const (
	strictSchema schemaForm = iota // where the schema can be held strictly
	fullSchema
	anyJSON // response_format json_object
	noFormat
)

var (
	namesTemperature = regexp.MustCompile(`(?i)temperature`)
	namesNewMax      = regexp.MustCompile(`(?i)max_completion_tokens`)
	namesOptions     = regexp.MustCompile(`(?i)stream_options|include_usage`)
	namesEffort      = regexp.MustCompile(`(?i)reasoning_effort|reasoning effort`)
	namesReasoning   = regexp.MustCompile(`(?i)reasoning(_content|_details)?\b`)
	namesStrict      = regexp.MustCompile(`(?i)\bstrict\b|invalid schema|additionalProperties`)
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
	case namesEffort.MatchString(e.Text) && !q.noEffort && efforts(call) != "":
		q.noEffort = true
		return q, true
	case namesStrict.MatchString(e.Text) && q.schema == strictSchema && call.Schema != nil:
		q.schema = fullSchema
		return q, true
	case namesFormat.MatchString(e.Text) && q.schema < noFormat && call.Schema != nil:
		q.schema = max(anyJSON, q.schema+1)
		return q, true
	case namesReasoning.MatchString(e.Text) && q.thoughts < noThoughts && hasCalls(call):
		q.thoughts = q.thoughts.after(call)
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
		r.Messages[i] = encodeMessage(m, q.thoughts)
	}
	if !q.noTemperature {
		r.Temperature = &call.Temperature
	}
	switch {
	case call.MaxTokens <= 0:
	case q.newMaxTokens: // asked for by models that think
		r.MaxCompletionTokens = call.MaxTokens + max(call.Thoughts, llm.ThoughtTokens)
	default:
		r.MaxTokens = call.MaxTokens + call.Thoughts
	}
	if !q.noEffort {
		r.ReasoningEffort = efforts(call)
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

func encodeMessage(m llm.Message, form thoughtForm) message {
	out := message{Role: string(m.Author), Content: m.Text, ToolCall: m.Tool}
	if len(m.Calls) > 0 {
		out.reasoning = form.of(m.Echo)
	}
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
	if held, ok := strictly(schema); ok && form == strictSchema {
		return &responseFormat{Type: "json_schema", Schema: &jsonSchema{Name: "reply", Schema: held, Strict: true}}
	}
	switch form {
	case strictSchema, fullSchema:
		return &responseFormat{Type: "json_schema", Schema: &jsonSchema{Name: "reply", Schema: schema}}
	case anyJSON:
		return &responseFormat{Type: "json_object"}
	}
	return nil
}
