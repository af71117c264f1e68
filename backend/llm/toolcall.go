package llm

import (
	"encoding/json"
	"regexp"
	"strings"
)

// around is what models write around a call of a tool in their text.
var around = regexp.MustCompile("^(?s:```[a-zA-Z_]*\\s*(.*?)\\s*(?:```)?|<(?:tool_call|function_call|tool)>\\s*(.*?)\\s*(?:</(?:tool_call|function_call|tool)>)?)$")

// IsToolCall reports a text that is nothing but one call of a tool, as models write
// one that were offered none: a name with its input, as JSON, in a fence or between
// tags.
func IsToolCall(text string) bool {
	text = strings.TrimSpace(text)
	if m := around.FindStringSubmatch(text); m != nil {
		text = m[1] + m[2]
	}
	var call map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &call) != nil {
		return false
	}
	var name string
	for _, key := range []string{"tool", "tool_name", "name", "function"} {
		if json.Unmarshal(call[key], &name) == nil && name != "" {
			break
		}
	}
	for _, key := range []string{"input", "arguments", "parameters", "args"} {
		if _, has := call[key]; has && name != "" {
			return len(call) == 2
		}
	}
	return false
}
