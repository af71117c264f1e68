package anthropic

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/llm"
)

const (
	replyTokens = 4096    // of a call that sets no limit; the protocol wants one
	replyTool   = "reply" // the tool through which a reply of a schema comes
)

type request struct {
	Model       string      `json:"model"`
	MaxTokens   int         `json:"max_tokens"`
	System      string      `json:"system,omitempty"`
	Messages    []message   `json:"messages"`
	Temperature *float64    `json:"temperature,omitempty"`
	Stream      bool        `json:"stream"`
	Tools       []tool      `json:"tools,omitempty"`
	ToolChoice  *toolChoice `json:"tool_choice,omitempty"`

	form schemaForm
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is one part of a message: text, tool_use or tool_result.
type block struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Call    string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`

	raw json.RawMessage // a thought, as it came
}

// MarshalJSON writes a thought as it came.
func (b block) MarshalJSON() ([]byte, error) {
	if b.raw != nil {
		return b.raw, nil
	}
	type plain block
	return json.Marshal(plain(b))
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
}

// schemaForm is how a reply of a schema is asked for.
type schemaForm int

const (
	freeText  schemaForm = iota // the prompt alone asks for it
	asTool                      // the model must call a tool of that schema
	offerTool                   // the tool is there, but the model cannot be made to call it
)

// quirks are what a model turned out not to take.
type quirks struct {
	noTemperature, noChoice, noThoughts bool
}

var (
	namesTemperature = regexp.MustCompile(`(?i)temperature`)
	namesThoughts    = regexp.MustCompile(`(?i)thinking|signature`)
	namesChoice      = regexp.MustCompile(`(?i)tool_choice`)
)

// learn draws the lesson of a refusal; false when it holds none that is new.
func (q quirks) learn(call llm.Call, e *llm.StatusError) (quirks, bool) {
	switch {
	case e.Status != 400:
	case namesTemperature.MatchString(e.Text) && !q.noTemperature:
		q.noTemperature = true
		return q, true
	case namesChoice.MatchString(e.Text) && !q.noChoice && call.Schema != nil:
		q.noChoice = true
		return q, true
	case namesThoughts.MatchString(e.Text) && !q.noThoughts && slices.ContainsFunc(call.Messages, func(m llm.Message) bool { return m.Echo != "" }):
		q.noThoughts = true
		return q, true
	}
	return q, false
}

func encode(call llm.Call, q quirks) request {
	r := request{Model: call.Model, Stream: true, MaxTokens: call.MaxTokens, Messages: []message{}}
	if r.MaxTokens <= 0 {
		r.MaxTokens = replyTokens
	}
	r.MaxTokens += call.Thoughts
	if !q.noTemperature {
		t := min(max(call.Temperature, 0), 1)
		r.Temperature = &t
	}
	var system []string
	for _, m := range call.Messages {
		if m.Author == llm.System {
			system = append(system, m.Text)
			continue
		}
		if q.noThoughts {
			m.Echo = ""
		}
		r.add(m)
	}
	r.System = strings.Join(system, "\n\n")
	for _, t := range call.Tools {
		r.Tools = append(r.Tools, tool{t.Name, t.Description, objectSchema(t.Schema)})
	}
	r.ask(call, q)
	return r
}

// add appends a message. The protocol knows two roles that take turns, and no
// empty text.
func (r *request) add(m llm.Message) {
	role, blocks := "user", []block(nil)
	if m.Author == llm.Assistant {
		role = "assistant"
	}
	if len(m.Calls) > 0 {
		blocks = thoughts(m.Echo)
	}
	switch text := strings.TrimRight(m.Text, " \t\r\n"); {
	case m.Author == llm.ToolReply:
		blocks = append(blocks, block{Type: "tool_result", Call: m.Tool, Content: m.Text})
	case text != "":
		blocks = append(blocks, block{Type: "text", Text: text})
	}
	for _, c := range m.Calls {
		blocks = append(blocks, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: object(c.Input)})
	}
	if len(blocks) == 0 {
		return
	}
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == role {
		r.Messages[n-1].Content = append(r.Messages[n-1].Content, blocks...)
		return
	}
	r.Messages = append(r.Messages, message{role, blocks})
}

// thoughts are the blocks of thoughts that came before calls. A model that thinks
// is only heard with them when its tools have answered.
func thoughts(echo string) (blocks []block) {
	var came []json.RawMessage
	if echo == "" || json.Unmarshal([]byte(echo), &came) != nil {
		return nil
	}
	for _, one := range came {
		blocks = append(blocks, block{raw: one})
	}
	return blocks
}

// ask makes the model reply in the call's schema, by a tool of that schema that
// it has to use. Schemas of other things than objects cannot be asked for.
func (r *request) ask(call llm.Call, q quirks) {
	var root struct{ Type string }
	if call.Schema == nil || json.Unmarshal(call.Schema, &root) != nil || root.Type != "object" {
		return
	}
	r.Tools = append(r.Tools, tool{replyTool, "Give the reply in this form.", call.Schema})
	r.form = asTool
	switch {
	case q.noChoice:
		r.form = offerTool
	case len(call.Tools) > 0:
		r.ToolChoice = &toolChoice{Type: "any"}
	default:
		r.ToolChoice = &toolChoice{Type: "tool", Name: replyTool}
	}
}

// object is the input of a call as the protocol wants it, whatever the model had
// written.
func object(input string) json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(input), &keys) == nil && keys != nil {
		return json.RawMessage(input)
	}
	return json.RawMessage("{}")
}

func objectSchema(schema json.RawMessage) json.RawMessage {
	if len(schema) == 0 {
		return json.RawMessage(`{"type":"object"}`)
	}
	return schema
}
