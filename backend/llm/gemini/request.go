package gemini

import (
	"encoding/json"
	"regexp"
	"strings"

	"footnote/backend/llm"
)

type request struct {
	Contents []content  `json:"contents"`
	System   *content   `json:"systemInstruction,omitempty"`
	Config   generation `json:"generationConfig"`
	Tools    []toolbox  `json:"tools,omitempty"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

// part is one piece of a content: text, a call or its answer.
type part struct {
	Text      string        `json:"text,omitempty"`
	Thought   bool          `json:"thought,omitempty"`
	Signature string        `json:"thoughtSignature,omitempty"`
	Call      *functionCall `json:"functionCall,omitempty"`
	Answer    *functionDone `json:"functionResponse,omitempty"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionDone struct {
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

type generation struct {
	Temperature float64         `json:"temperature"`
	MaxTokens   int             `json:"maxOutputTokens,omitempty"`
	MediaType   string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseJsonSchema,omitempty"`
	Thinking    *thinking       `json:"thinkingConfig,omitempty"`
}

// thinking says how much a model may think: in tokens, or newer ones how deeply.
type thinking struct {
	Budget int    `json:"thinkingBudget,omitempty"`
	Level  string `json:"thinkingLevel,omitempty"`
}

// quirks are what a model turned out not to take.
type quirks struct{ noSchema, noThinking bool }

// learn draws the lesson of a refusal; false when it holds none that is new.
func (q quirks) learn(call llm.Call, e *llm.StatusError) (quirks, bool) {
	switch {
	case e.Status != 400:
	case namesThinking.MatchString(e.Text) && !q.noThinking:
		q.noThinking = true
		return q, true
	case namesSchema.MatchString(e.Text) && !q.noSchema && call.Schema != nil:
		q.noSchema = true
		return q, true
	}
	return q, false
}

type toolbox struct {
	Functions []function `json:"functionDeclarations"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

var (
	namesSchema   = regexp.MustCompile(`(?i)schema|mime.?type`)
	namesThinking = regexp.MustCompile(`(?i)thinking`)
)

// thinkingOf is how much a model may think in a call: as much as there is room
// for, and little in small steps. Nil leaves it to the model.
func thinkingOf(call llm.Call) *thinking {
	switch model := strings.TrimPrefix(call.Model, "models/"); {
	case call.Thoughts <= 0:
	case strings.HasPrefix(model, "gemini-2.5"):
		return &thinking{Budget: call.Thoughts}
	case strings.HasPrefix(model, "gemini-3") && call.Light():
		return &thinking{Level: "low"}
	}
	return nil
}

// encode makes the request. A call with tools cannot ask for JSON as well.
func encode(call llm.Call, q quirks) request {
	r := request{Contents: []content{}, Config: generation{Temperature: call.Temperature}}
	if call.MaxTokens > 0 {
		r.Config.MaxTokens = call.MaxTokens + max(call.Thoughts, llm.ThoughtTokens)
	}
	if !q.noThinking {
		r.Config.Thinking = thinkingOf(call)
	}
	if call.Schema != nil && len(call.Tools) == 0 {
		r.Config.MediaType = "application/json"
		if !q.noSchema {
			r.Config.Schema = call.Schema
		}
	}
	names := map[string]string{} // of calls, by id: answers carry the name here
	for _, m := range call.Messages {
		if m.Author == llm.System {
			r.system(m.Text)
			continue
		}
		r.add(m, names)
	}
	if len(call.Tools) > 0 {
		var box toolbox
		for _, t := range call.Tools {
			box.Functions = append(box.Functions, function{t.Name, t.Description, t.Schema})
		}
		r.Tools = []toolbox{box}
	}
	return r
}

func (r *request) system(text string) {
	if r.System == nil {
		r.System = &content{}
	}
	r.System.Parts = append(r.System.Parts, part{Text: text})
}

// add appends a message. The protocol knows two roles that take turns, and no
// empty part.
func (r *request) add(m llm.Message, names map[string]string) {
	role, parts := "user", []part(nil)
	if m.Author == llm.Assistant {
		role = "model"
	}
	switch {
	case m.Author == llm.ToolReply:
		parts = append(parts, part{Answer: &functionDone{names[m.Tool], map[string]string{"result": m.Text}}})
	case strings.TrimSpace(m.Text) != "":
		parts = append(parts, part{Text: m.Text})
	}
	for _, c := range m.Calls {
		names[c.ID] = c.Name
		parts = append(parts, part{Call: &functionCall{Name: c.Name, Args: object(c.Input)}, Signature: c.Echo})
	}
	if len(parts) == 0 {
		return
	}
	if n := len(r.Contents); n > 0 && r.Contents[n-1].Role == role {
		r.Contents[n-1].Parts = append(r.Contents[n-1].Parts, parts...)
		return
	}
	r.Contents = append(r.Contents, content{role, parts})
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
