package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/llm"
)

// toolInput is what a model wants a tool to work on. Models mistake kinds: a
// number comes as a text, one text as a list. What can be understood is.
type toolInput map[string]any

// readInput reads the input of a call, mended where that is safe. Words without
// any JSON are taken for the value of the key only, where the tool has one.
func readInput(raw, only string) (toolInput, error) {
	raw = strings.TrimSpace(raw)
	var quoted string
	if json.Unmarshal([]byte(raw), &quoted) == nil { // JSON in a JSON text
		raw = strings.TrimSpace(quoted)
	}
	if raw == "" || raw == "null" {
		return toolInput{}, nil
	}
	for value := range llm.Values(raw) {
		var in toolInput
		if json.Unmarshal([]byte(value), &in) == nil {
			return in, nil
		}
	}
	if only != "" && !strings.ContainsAny(raw, "{}[]") {
		return toolInput{only: raw}, nil
	}
	return nil, errors.New("its input is no JSON object")
}

// json is the input as the reader of events sees it: always one object.
func (in toolInput) json() json.RawMessage {
	b, err := json.Marshal(map[string]any(in))
	if err != nil || in == nil {
		return json.RawMessage("{}")
	}
	return b
}

// text is the first of the keys that holds words.
func (in toolInput) text(keys ...string) string {
	for _, key := range keys {
		if s := strings.TrimSpace(textOf(in[key])); s != "" {
			return s
		}
	}
	return ""
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		if len(v) > 0 {
			return textOf(v[0])
		}
	}
	return ""
}

// texts is a list of words; a single text is cut at its commas.
func (in toolInput) texts(key string) []string {
	var out []string
	switch v := in[key].(type) {
	case string:
		out = strings.Split(v, ",")
	case []any:
		for _, one := range v {
			out = append(out, textOf(one))
		}
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// number is a whole number between least and most.
func (in toolInput) number(key string, otherwise, least, most int) int {
	n, err := strconv.ParseFloat(strings.TrimSpace(textOf(in[key])), 64)
	if err != nil || n != n {
		n = float64(otherwise)
	}
	return int(max(float64(least), min(float64(most), n)))
}

// oneOf is a word of a closed list, in any case; empty when it is none of them.
func (in toolInput) oneOf(key string, allowed ...string) string {
	for _, word := range append(in.texts(key), in.text(key)) {
		word = strings.ReplaceAll(strings.ToLower(word), "_", " ")
		if slices.Contains(allowed, word) {
			return word
		}
	}
	return ""
}

// lacks is the error that a model reads when a key is missing.
func lacks(tool, key, example string) error {
	return fmt.Errorf("%s needs %q, a text. Call it again, for example with {%q: %q}", tool, key, key, example)
}

var (
	fencedBlock = regexp.MustCompile("(?s)```[a-zA-Z_]*[ \t]*\n?(.*?)(?:```|$)")
	taggedBlock = regexp.MustCompile(`(?s)<(?:tool_call|function_call|tool)>(.*?)(?:</(?:tool_call|function_call|tool)>|$)`)
	bareBlock   = regexp.MustCompile(`(?s)(?:^|\n)\s*([\[{].*)$`)
)

// textCalls finds the calls of tools that a model wrote into its text: in a
// fenced block, between tags, or as nothing but JSON. rest is the text without
// them, and without any JSON. broken is set where a call was meant that cannot
// be read.
func textCalls(text string) (calls []llm.ToolCall, rest string, broken bool) {
	rest = text
	for _, block := range []*regexp.Regexp{fencedBlock, taggedBlock, bareBlock} {
		found := block.FindAllStringSubmatch(rest, -1)
		rest = block.ReplaceAllString(rest, "\n")
		for _, m := range found {
			here := callsIn(m[1])
			calls = append(calls, here...)
			broken = broken || len(here) == 0 && strings.Contains(m[1], "{")
		}
	}
	return calls, strings.TrimSpace(rest), broken && len(calls) == 0
}

// callsIn reads the calls of a block.
func callsIn(block string) (calls []llm.ToolCall) {
	for value := range llm.Values(block) {
		var list []map[string]json.RawMessage
		if json.Unmarshal([]byte(value), &list) != nil {
			var one map[string]json.RawMessage
			if json.Unmarshal([]byte(value), &one) != nil {
				continue
			}
			list = append(list, one)
		}
		for _, object := range list {
			if call, ok := callOf(object); ok {
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// callOf reads {"tool": name, "input": {…}} and what other models are used to
// write for it.
func callOf(object map[string]json.RawMessage) (llm.ToolCall, bool) {
	var call llm.ToolCall
	for _, key := range []string{"tool", "tool_name", "name", "function", "action"} {
		var inner map[string]json.RawMessage
		switch {
		case json.Unmarshal(object[key], &call.Name) == nil && call.Name != "":
			call.Input = string(inputOf(object, key))
			return call, true
		case json.Unmarshal(object[key], &inner) == nil && inner["name"] != nil:
			return callOf(inner)
		}
	}
	return call, false
}

// inputOf is the part of a call that holds its input; without one, all its other
// keys.
func inputOf(object map[string]json.RawMessage, name string) json.RawMessage {
	for _, key := range []string{"input", "arguments", "parameters", "args", "action_input"} {
		if raw, ok := object[key]; ok {
			return raw
		}
	}
	others := map[string]json.RawMessage{}
	for key, raw := range object {
		if key != name {
			others[key] = raw
		}
	}
	raw, err := json.Marshal(others)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}
