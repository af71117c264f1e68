package gemini

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

func open(baseURL string, client *http.Client) llm.Model {
	return New(Config{BaseURL: baseURL, Client: client, Limits: llmtest.Limits()})
}

func candidatePart(line string) llmtest.Part {
	switch {
	case !strings.HasPrefix(line, `{"candidates"`):
		return llmtest.Other
	case strings.Contains(line, `"finishReason"`):
		return llmtest.Last
	}
	return llmtest.Piece
}

// TestRecordedStreams replays every recorded stream and compares with a plain
// reading of its events. Arguments in pieces come only to those who ask for them.
func TestRecordedStreams(t *testing.T) {
	count := llmtest.Recorded(t, candidatePart, func(name string, events []string) {
		if strings.Contains(strings.Join(events, ""), "willContinue") {
			return
		}
		var text, thought, signatures string
		var calls, prompt, completion int
		for _, raw := range events {
			var e event
			if err := json.Unmarshal([]byte(raw), &e); err != nil {
				t.Fatal(err)
			}
			for _, p := range e.Candidates[0].Content.Parts {
				switch {
				case p.Call != nil:
					calls++
					signatures += p.Signature
				case p.Thought:
					thought += p.Text
				default:
					text += p.Text
				}
			}
			if e.Usage != nil {
				prompt, completion = e.Usage.Prompt, e.Usage.Answer+e.Usage.Thoughts
			}
		}
		r, err := llmtest.Replay(t, llmtest.Frames(events), 700, open, llm.Call{Model: "m"})
		echoes := ""
		for _, c := range r.Calls {
			echoes += c.Echo
			if c.Name == "" || !json.Valid([]byte(c.Input)) {
				t.Errorf("%s: call %+v", name, c)
			}
		}
		if err != nil || r.Text != text || r.Thinking != thought || len(r.Calls) != calls || echoes != signatures {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if r.Usage.Prompt != prompt || r.Usage.Completion != completion {
			t.Errorf("%s: usage %+v, want %d and %d", name, r.Usage, prompt, completion)
		}
	}, "fantasy", "vercel-ai/google")
	t.Logf("%d recorded streams", count)
	if count < 9 {
		t.Errorf("only %d streams found", count)
	}
}

// TestRecordedAnswers replays whole answers and lists of events, also with enums
// as numbers.
func TestRecordedAnswers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(llmtest.Recordings(t), "langchaingo", "googleai__*.httprr"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, answer, _ := strings.Cut(string(data), "HTTP/2.0 ")
		head, body, found := strings.Cut(strings.ReplaceAll(answer, "\r\n", "\n"), "\n\n")
		if !found {
			t.Fatalf("%s: no answer", file)
		}
		body, _, _ = strings.Cut(body, "POST https://")
		count++
		r, err := llmtest.Replay(t, []byte(body), 900, open, llm.Call{Model: "m"})
		if !strings.HasPrefix(head, "200") {
			if fault.CodeOf(err) != fault.ModelAuth {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		if err != nil || r.Blank() || r.Usage.Estimated {
			t.Errorf("%s: %+v, %v", filepath.Base(file), r, err)
		}
	}
	t.Logf("%d recorded answers", count)
}
