package llm

import "testing"

func TestATextThatIsNothingButACallOfAToolIsKnown(t *testing.T) {
	for text, want := range map[string]bool{
		`<tool_call>{"name": "web_search", "arguments": {"query": "x"}}</tool_call>`:   true,
		"<tool_call>\n{\"name\": \"web_search\", \"arguments\": {}}":                   true,
		"```json\n{\"name\": \"web_search\", \"parameters\": {\"query\": \"x\"}}\n```": true,
		` {"tool": "file_search", "input": "x"} `:                                      true,
		`{"name": "Ada Quill", "age": 34}`:                                             false,
		`{"name": "Ada Quill"}`:                                                        false,
		`{"name": "add", "parameters": {"a": 1}, "returns": "a number"}`:               false,
		"The call is:\n```json\n{\"name\": \"web_search\", \"parameters\": {}}\n```":   false,
		"```go\nfunc main() {}\n```":                                                   false,
		"The bridge was opened in 1987 [1].":                                           false,
		"":                                                                             false, "{": false, "```": false, "[]": false, "null": false,
	} {
		if IsToolCall(text) != want {
			t.Errorf("%q: %v, want %v", text, !want, want)
		}
	}
}
