package openai

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

func replay(t *testing.T, body []byte, size int) (llm.Reply, error) {
	t.Helper()
	return llmtest.Replay(t, body, size, func(baseURL string, client *http.Client) llm.Model {
		return New(Config{Name: "Test", BaseURL: baseURL + "/v1", Client: client, Limits: llmtest.Limits()})
	}, llm.Call{Model: "m"})
}

func TestMutatedStreams(t *testing.T) {
	root := filepath.Join(llmtest.Recordings(t), "mutated")
	for _, vendor := range []string{"openai", "deepseek"} {
		list, err := os.Open(filepath.Join(root, vendor+"-expected.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer list.Close()
		for lines := bufio.NewScanner(list); lines.Scan(); {
			var want struct {
				File      string
				Text      string  `json:"expected_text"`
				Reasoning *string `json:"expected_reasoning"`
				End       string  `json:"expected_end"`
			}
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			t.Run(want.File, func(t *testing.T) {
				body, err := os.ReadFile(filepath.Join(root, want.File))
				if err != nil {
					t.Fatal(err)
				}
				size := 1000
				if want.File == "openai-non-ascii.sse" {
					size = 1
				}
				r, err := replay(t, body, size)
				if r.Text != want.Text || want.Reasoning != nil && r.Thinking != *want.Reasoning {
					t.Errorf("text %q, thought %q", r.Text, r.Thinking)
				}
				if complete := strings.HasPrefix(want.End, "complete"); complete != (err == nil) {
					t.Errorf("ended with %v, wanted %s", err, want.End)
				}
			})
		}
	}
}

// TestRecordedStreams replays every recorded chat stream and compares with a
// plain reading of its events.
func TestRecordedStreams(t *testing.T) {
	count := llmtest.Recorded(t, chatPart, func(name string, events []string) { checkRecording(t, name, events) }, "fantasy", "langchaingo", "pydantic-ai", "vercel-ai")
	t.Logf("%d recorded chat streams", count)
	if count < 30 {
		t.Errorf("only %d streams found", count)
	}
}

func chatPart(line string) llmtest.Part {
	switch {
	case line == "[DONE]":
		return llmtest.End
	case strings.Contains(line, `"chat.completion.chunk"`):
		return llmtest.Piece
	}
	return llmtest.Other
}

type recorded struct {
	Choices []struct {
		Delta struct {
			Content          any
			ReasoningContent string `json:"reasoning_content"`
			Reasoning        string
			ToolCalls        []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
	Error any
}

func checkRecording(t *testing.T, name string, events []string) {
	t.Helper()
	var text, thought, input, finish string
	var usage llm.Usage
	names, failed, inParts := 0, false, false
	for _, e := range events {
		var r recorded
		if err := json.Unmarshal([]byte(e), &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		failed = failed || r.Error != nil
		if r.Usage != nil {
			usage = llm.Usage{Prompt: r.Usage.Prompt, Completion: r.Usage.Completion}
		}
		if len(r.Choices) == 0 {
			continue
		}
		c := r.Choices[0]
		if s, ok := c.Delta.Content.(string); ok {
			text += s
		}
		if _, ok := c.Delta.Content.([]any); ok {
			inParts = true // thoughts among the parts: read by TestContentInParts
		}
		if thought += c.Delta.ReasoningContent; c.Delta.ReasoningContent == "" {
			thought += c.Delta.Reasoning
		}
		for _, call := range c.Delta.ToolCalls {
			input += call.Function.Arguments
			if call.Function.Name != "" {
				names++
			}
		}
		if c.FinishReason != "" {
			finish = c.FinishReason
		}
	}
	r, err := replay(t, append(llmtest.Frames(events), "data: [DONE]\n\n"...), 700)
	if failed != (err != nil) {
		t.Errorf("%s: %v", name, err)
	}
	got := ""
	for _, c := range r.Calls {
		got += c.Input
	}
	if r.Text != text || r.Thinking != thought && !inParts || got != input || len(r.Calls) != names && !failed {
		t.Errorf("%s: text %q (%q), thought %q (%q), %d calls (%d)", name, r.Text, text, r.Thinking, thought, len(r.Calls), names)
	}
	if failed {
		return
	}
	if usage.Prompt > 0 && (r.Usage.Prompt != usage.Prompt || r.Usage.Completion != usage.Completion && usage.Completion > 0) {
		t.Errorf("%s: usage %+v, want %+v", name, r.Usage, usage)
	}
	if finish == "tool_calls" != (r.Finish == llm.UseTools) && names == 0 {
		t.Errorf("%s: finish %s, want %s", name, r.Finish, finish)
	}
}

// TestRecordedWholeAnswers replays answers to requests without a stream.
func TestRecordedWholeAnswers(t *testing.T) {
	root := llmtest.Recordings(t)
	files, err := filepath.Glob(filepath.Join(root, "vercel-ai", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var whole struct {
			Object  string
			Choices []struct {
				Message struct {
					Content   string
					ToolCalls []any `json:"tool_calls"`
				}
			}
		}
		if json.Unmarshal(data, &whole) != nil || whole.Object != "chat.completion" || len(whole.Choices) == 0 {
			continue
		}
		count++
		r, err := replay(t, data, 4000)
		if m := whole.Choices[0].Message; err != nil || r.Text != m.Content || len(r.Calls) != len(m.ToolCalls) {
			t.Errorf("%s: %+v, %v", filepath.Base(file), r, err)
		}
	}
	t.Logf("%d recorded whole answers", count)
	if count < 5 {
		t.Errorf("only %d answers found", count)
	}
}
