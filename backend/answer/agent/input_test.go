package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestInputsOfTheWrongKindAreUnderstood(t *testing.T) {
	in, err := readInput(`{"n": "7", "big": 900, "t": ["a", "b"], "l": "x, y", "k": "Social_Media", "bad": {}}`, "q")
	if err != nil {
		t.Fatal(err)
	}
	if in.number("n", 1, 1, 10) != 7 || in.number("big", 1, 1, 10) != 10 || in.number("none", 3, 1, 10) != 3 || in.number("bad", 3, 1, 10) != 3 {
		t.Error("numbers")
	}
	if in.text("none", "t") != "a" || in.text("bad") != "" || !slices.Equal(in.texts("l"), []string{"x", "y"}) || in.oneOf("k", categories...) != "social media" {
		t.Error("words")
	}
	if in, err := readInput("", "q"); err != nil || len(in) != 0 || string(in.json()) != "{}" {
		t.Errorf("nothing: %v %v", in, err)
	}
	if _, err := readInput("{]", ""); err == nil {
		t.Error("a broken object was taken")
	}
}

func TestTextWithoutCallsStays(t *testing.T) {
	for _, text := range []string{"DONE", "I have enough.", "NO_SEARCH"} {
		if calls, rest, broken := textCalls(text); len(calls) > 0 || rest != text || broken {
			t.Errorf("%q: %v %q %v", text, calls, rest, broken)
		}
	}
	if calls, _, broken := textCalls("```json\n{\"tool\" web_search]\n```"); len(calls) > 0 || !broken {
		t.Errorf("a broken call: %v %v", calls, broken)
	}
}

func FuzzTextCalls(f *testing.F) {
	f.Add("```json\n{\"tool\":\"web_search\",\"input\":{\"query\":\"x\"}}\n```")
	f.Add("<tool_call>{\"name\":\"a\",\"arguments\":\"{}\"}")
	f.Add("{'tool': 'a', 'input': [1,")
	f.Add("[[[{")
	f.Add("``` ```<tool>{}")
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest, broken := textCalls(text)
		if len(rest) > len(text) || broken && len(calls) > 0 {
			t.Errorf("%d calls, %q", len(calls), rest)
		}
		for _, c := range calls {
			in, err := readInput(c.Input, "query")
			if c.Name == "" || err == nil && !json.Valid(in.json()) {
				t.Errorf("%+v", c)
			}
			if strings.TrimSpace(in.text("query")) != in.text("query") {
				t.Error("blanks")
			}
		}
	})
}
