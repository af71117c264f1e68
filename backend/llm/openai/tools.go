package openai

import (
	"encoding/json"
	"strings"

	"footnote/backend/llm"
)

// toolPart is a piece of a tool call.
type toolPart struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string   `json:"name"`
		Arguments rawInput `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"` // signatures of thoughts, in Gemini's accent
}

// rawInput are a string, as the protocol has it, or the object itself.
type rawInput string

// UnmarshalJSON takes both forms.
func (a *rawInput) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(a))
	}
	if string(data) != "null" {
		*a = rawInput(data)
	}
	return nil
}

// assembler puts calls together: by index, else by id, else by order. An empty
// string never overwrites; a new name under a used index begins a new call, as
// servers that number every call 0 need it.
type assembler struct {
	calls []*gathered
}

type gathered struct {
	index    *int
	id, name string
	echo     string
	input    strings.Builder
}

func (a *assembler) add(p toolPart) (begun bool) {
	call := a.find(p)
	if begun = call == nil; begun {
		call = &gathered{index: p.Index}
		a.calls = append(a.calls, call)
	}
	if p.ID != "" {
		call.id = p.ID
	}
	if p.Function.Name != "" {
		call.name = p.Function.Name
	}
	if len(p.Extra) > 0 && string(p.Extra) != "null" {
		call.echo = string(p.Extra)
	}
	call.input.WriteString(string(p.Function.Arguments))
	return begun
}

func (a *assembler) find(p toolPart) *gathered {
	for i := len(a.calls) - 1; i >= 0; i-- {
		c := a.calls[i]
		switch {
		case p.Index != nil && c.index != nil && *p.Index == *c.index:
			if p.ID != "" && c.id != "" && p.ID != c.id && p.Function.Name != "" {
				return nil
			}
			return c
		case p.Index == nil && p.ID != "" && p.ID == c.id:
			return c
		}
	}
	if p.Index == nil && p.ID == "" && p.Function.Name == "" && len(a.calls) > 0 {
		return a.calls[len(a.calls)-1]
	}
	return nil
}

// whole gives the calls that have a name.
func (a *assembler) whole() []llm.ToolCall {
	var calls []llm.ToolCall
	for _, c := range a.calls {
		if c.name != "" {
			calls = append(calls, llm.ToolCall{ID: c.id, Name: c.name, Input: c.input.String(), Echo: c.echo})
		}
	}
	return calls
}
