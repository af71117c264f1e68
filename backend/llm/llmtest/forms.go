package llmtest

import (
	"encoding/json"
	"fmt"
)

type object map[string]any

// form is one dialect, as the suite's server speaks it. Its functions give the
// events of one thing that a model says.
type form struct {
	text, think func(string) object
	tool        func(index int, name, query string) []object
	finish      func(reason string, counted bool) []any // a string goes out as it stands
	failure     func(message, code string) object
	whole       func(text string) object
	begin       []object // before the first thought, where a form has such events
	comment     string   // a keep-alive
	lines       bool     // one JSON a line instead of server-sent events
	open        bool     // the finish is no end mark: more may follow it
}

var openaiForm = form{
	text: func(text string) object { return openaiDelta(object{"content": text}) },
	think: func(text string) object {
		return openaiDelta(object{"reasoning_content": text})
	},
	tool: func(index int, name, query string) []object {
		first, second := halves(query)
		return []object{
			openaiDelta(object{"tool_calls": []object{{"index": index, "id": fmt.Sprintf("call_%d", index), "function": object{"name": name, "arguments": first}}}}),
			openaiDelta(object{"tool_calls": []object{{"index": index, "id": "", "function": object{"name": "", "arguments": second}}}}),
		}
	},
	finish: func(reason string, counted bool) []any {
		end := []any{object{"choices": []object{{"index": 0, "delta": object{}, "finish_reason": reason}}}}
		if !counted {
			return end
		}
		return append(end, object{"choices": []object{}, "usage": object{"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}}, "[DONE]")
	},
	failure: func(message, code string) object { return object{"error": object{"message": message, "code": code}} },
	whole: func(text string) object {
		return object{"choices": []object{{"message": object{"role": "assistant", "content": text}, "finish_reason": "stop"}}, "usage": object{"prompt_tokens": 10, "completion_tokens": 20}}
	},
	comment: ": keep-alive\n\n",
}

func openaiDelta(delta object) object {
	return object{"choices": []object{{"index": 0, "delta": delta, "finish_reason": nil}}}
}

// halves is the input of a call in two pieces.
func halves(query string) (first, second string) {
	input, _ := json.Marshal(object{"query": query}) // cannot fail
	half := len(input) / 2
	return string(input[:half]), string(input[half:])
}

var ollamaForm = form{
	text:  func(text string) object { return ollamaMessage(object{"content": text}) },
	think: func(text string) object { return ollamaMessage(object{"content": "", "thinking": text}) },
	tool: func(_ int, name, query string) []object {
		return []object{ollamaMessage(object{"content": "", "tool_calls": []object{{"function": object{"name": name, "arguments": object{"query": query}}}}})}
	},
	finish: func(reason string, counted bool) []any {
		end := object{"message": object{"content": ""}, "done": true, "done_reason": reason}
		if counted {
			end["prompt_eval_count"], end["eval_count"] = 10, 20
		}
		return []any{end}
	},
	failure: func(message, _ string) object { return object{"error": message} },
	whole: func(text string) object {
		return object{"message": object{"role": "assistant", "content": text}, "done": true, "done_reason": "stop", "prompt_eval_count": 10, "eval_count": 20}
	},
	comment: "\n", lines: true,
}

func ollamaMessage(message object) object {
	message["role"] = "assistant"
	return object{"message": message, "done": false}
}

// anthropicForm keeps text in block 0, thoughts in 1 and calls from 2 on.
var anthropicForm = form{
	text: func(text string) object { return anthropicDelta(0, object{"type": "text_delta", "text": text}) },
	think: func(text string) object {
		return anthropicDelta(1, object{"type": "thinking_delta", "thinking": text})
	},
	begin: []object{{"type": "content_block_start", "index": 1, "content_block": object{"type": "thinking", "thinking": "", "signature": ""}}},
	tool: func(index int, name, query string) []object {
		first, second := halves(query)
		return []object{
			{"type": "content_block_start", "index": index + 2, "content_block": object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", index), "name": name, "input": object{}}},
			anthropicDelta(index+2, object{"type": "input_json_delta", "partial_json": first}),
			anthropicDelta(index+2, object{"type": "input_json_delta", "partial_json": second}),
			{"type": "content_block_stop", "index": index + 2},
		}
	},
	finish: func(reason string, counted bool) []any {
		end := object{"type": "message_delta", "delta": object{"stop_reason": named(reason, "end_turn", "max_tokens", "refusal")}}
		if !counted {
			return []any{end}
		}
		end["usage"] = object{"input_tokens": 6, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 1, "output_tokens": 20}
		return []any{end, object{"type": "message_stop"}}
	},
	failure: func(message, code string) object {
		return object{"type": "error", "error": object{"type": code, "message": message}}
	},
	whole: func(text string) object {
		return object{"type": "message", "content": []object{{"type": "text", "text": text}}, "stop_reason": "end_turn", "usage": object{"input_tokens": 10, "output_tokens": 20}}
	},
	comment: "event: ping\ndata: {\"type\": \"ping\"}\n\n",
}

func anthropicDelta(index int, delta object) object {
	return object{"type": "content_block_delta", "index": index, "delta": delta}
}

func named(reason, stop, length, filtered string) string {
	return map[string]string{"stop": stop, "length": length, "content_filter": filtered}[reason]
}

var geminiForm = form{
	text:  func(text string) object { return geminiPart(object{"text": text}) },
	think: func(text string) object { return geminiPart(object{"text": text, "thought": true}) },
	tool: func(_ int, name, query string) []object {
		return []object{geminiPart(object{"functionCall": object{"name": name, "args": object{"query": query}}, "thoughtSignature": Signed})}
	},
	finish: func(reason string, counted bool) []any {
		end := object{"candidates": []object{{"content": object{"parts": []object{{"text": ""}}}, "finishReason": named(reason, "STOP", "MAX_TOKENS", "SAFETY")}}}
		if counted {
			end["usageMetadata"] = object{"promptTokenCount": 10, "candidatesTokenCount": 15, "thoughtsTokenCount": 5}
		}
		return []any{end}
	},
	failure: func(message, code string) object {
		return object{"error": object{"message": message, "status": code}}
	},
	whole: func(text string) object {
		answer := geminiPart(object{"text": text})
		answer["candidates"].([]object)[0]["finishReason"] = "STOP"
		return answer
	},
	comment: ": keep-alive\n\n", open: true,
}

func geminiPart(part object) object {
	return object{"candidates": []object{{"content": object{"role": "model", "parts": []object{part}}}}}
}

// inAllForms is an event that every form understands.
func inAllForms(text string) string {
	all := object{"message": object{"content": text}}
	for _, f := range []form{openaiForm, anthropicForm, geminiForm} {
		for key, value := range f.text(text) {
			all[key] = value
		}
	}
	data, _ := json.Marshal(all) // strings only
	return string(data)
}
