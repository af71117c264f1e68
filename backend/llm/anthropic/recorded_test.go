package anthropic

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/llm/wire"
)

func open(baseURL string, client *http.Client) llm.Model {
	return New(Config{BaseURL: baseURL, Client: client, Limits: llmtest.Limits()})
}

func messagePart(line string) llmtest.Part {
	switch {
	case strings.Contains(line, `"type":"message_stop"`):
		return llmtest.Last
	case strings.Contains(line, `"type":"message_`) || strings.Contains(line, `"type":"content_block_`):
		return llmtest.Piece
	}
	return llmtest.Other
}

// plain is a reading of events that knows nothing of this package.
type plain struct {
	text, thought, input, reason string
	names, prompt, completion    int
}

type anyEvent struct {
	Type    string
	Message struct{ Usage map[string]any }
	Usage   map[string]any
	Block   struct{ Type, Text, Thinking string } `json:"content_block"`
	Delta   struct {
		Text, Thinking string
		Input          string `json:"partial_json"`
		Reason         string `json:"stop_reason"`
	}
}

func readPlainly(t *testing.T, events []string) plain {
	t.Helper()
	var p plain
	tool := false
	counts := map[string]any{}
	for _, raw := range events {
		var e anyEvent
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if e.Type == "content_block_start" {
			tool = e.Block.Type == "tool_use"
			if tool {
				p.names++
			}
		}
		p.text += e.Delta.Text
		if e.Block.Type == "text" {
			p.text += e.Block.Text
		}
		p.thought += e.Block.Thinking + e.Delta.Thinking
		if tool {
			p.input += e.Delta.Input
		}
		if e.Delta.Reason != "" {
			p.reason = e.Delta.Reason
		}
		for _, usage := range []map[string]any{e.Message.Usage, e.Usage} {
			for key, n := range usage {
				if n != nil {
					counts[key] = n
				}
			}
		}
	}
	count := func(key string) int { n, _ := counts[key].(float64); return int(n) }
	p.prompt = count("input_tokens") + count("cache_creation_input_tokens") + count("cache_read_input_tokens")
	p.completion = count("output_tokens")
	return p
}

// TestRecordedStreams replays every recorded message and compares with a plain
// reading of its events.
func TestRecordedStreams(t *testing.T) {
	count := llmtest.Recorded(t, messagePart, func(name string, events []string) {
		if strings.HasPrefix(name, "spliced-") {
			return // TestASecondMessageReplacesWhatTheFirstLeftOpen
		}
		want := readPlainly(t, events)
		r, err := llmtest.Replay(t, llmtest.Frames(events), 700, open, llm.Call{Model: "m"})
		input := ""
		for _, c := range r.Calls {
			input += c.Input
		}
		if err != nil || r.Text != want.text || r.Thinking != want.thought || input != want.input || len(r.Calls) != want.names {
			t.Errorf("%s: %v\ntext %q\nwant %q\nthought %q\nwant %q\n%d calls %s\nwant %d %s", name, err, r.Text, want.text, r.Thinking, want.thought, len(r.Calls), input, want.names, want.input)
		}
		if r.Usage.Prompt != want.prompt && want.prompt > 0 || r.Usage.Completion != want.completion && want.completion > 0 {
			t.Errorf("%s: usage %+v, want %d and %d", name, r.Usage, want.prompt, want.completion)
		}
		if finish := wire.FinishOf(want.reason); want.names == 0 && r.Finish != finish {
			t.Errorf("%s: finish %s, want %s", name, r.Finish, finish)
		}
	}, "fantasy", "langchaingo", "pydantic-ai", "vercel-ai/anthropic")
	t.Logf("%d recorded messages", count)
	if count < 30 {
		t.Errorf("only %d messages found", count)
	}
}

// TestRecordedWholeMessages replays answers to requests without a stream.
func TestRecordedWholeMessages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(llmtest.Recordings(t), "vercel-ai", "anthropic", "*.json"))
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
			Type    string
			Reason  string                        `json:"stop_reason"`
			Content []struct{ Type, Text string } `json:"content"`
		}
		if json.Unmarshal(data, &whole) != nil || whole.Type != "message" {
			continue
		}
		count++
		text, calls := "", 0
		for _, c := range whole.Content {
			switch c.Type {
			case "text":
				text += c.Text
			case "tool_use":
				calls++
			}
		}
		r, err := llmtest.Replay(t, data, 4000, open, llm.Call{Model: "m"})
		if err != nil || r.Text != text || len(r.Calls) != calls || calls == 0 && r.Finish != wire.FinishOf(whole.Reason) {
			t.Errorf("%s: %q, %d calls, %s, %v; want %q, %d", filepath.Base(file), r.Text, len(r.Calls), r.Finish, err, text, calls)
		}
	}
	t.Logf("%d recorded whole messages", count)
	if count < 5 {
		t.Errorf("only %d messages found", count)
	}
}
