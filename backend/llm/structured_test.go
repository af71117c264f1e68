package llm_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

type plan struct {
	Query string   `json:"query"`
	Terms []string `json:"terms"`
	Web   bool     `json:"web"`
}

const planSchema = `{"type":"object","properties":{"query":{"type":"string"},"terms":{"type":"array"},"web":{"type":"boolean"}},"required":["query"]}`

func TestStructuredRepliesAreRepaired(t *testing.T) {
	for _, text := range []string{
		`{"query":"it's new","terms":["a","b"],"web":true}`,
		"```json\n{\"query\": \"it's new\", \"terms\": [\"a\", \"b\"], \"web\": true}\n```\nHope this helps!",
		`Sure [1]! Here it is: {'query': 'it's new', 'terms': ['a', 'b',], 'web': True} — anything else?`,
		`{query: "it's new", terms: ["a", "b"], web: true, // yes
		}`,
		"<think>{\"query\": \"SECRET\"}</think>{\"query\":\"it's new\",\"terms\":[\"a\",\"b\"],\"web\":true}",
		`{"query":"it's new","web":true,"terms":["a","b"`,
		`{“query”: “it's new”, “terms”: [“a”, “b”], “web”: true}`,
		`{"note":{"x":1}} {"query":"it\u0027s new","terms":["a","b"],"web":true}`,
	} {
		model := llmtest.NewScripted(llmtest.Reply{Text: text})
		var got plan
		err := llm.Structured(t.Context(), model, llm.Call{Messages: []llm.Message{{Author: llm.User, Text: "q"}}}, json.RawMessage(planSchema), &got)
		if err != nil || got.Query != "it's new" || !slices.Equal(got.Terms, []string{"a", "b"}) || !got.Web {
			t.Errorf("%s\n→ %+v, %v", text, got, err)
		}
		if calls := model.Calls(); len(calls) != 1 || string(calls[0].Schema) != planSchema {
			t.Errorf("%d calls, schema %s", len(calls), calls[0].Schema)
		}
	}
}

func TestStructuredTellsTheModelOnceThenGivesUp(t *testing.T) {
	model := llmtest.NewScripted(llmtest.Reply{Text: "I would search for bridges."}, llmtest.Reply{Text: `{"query":"bridges"}`})
	got := plan{Query: "before"}
	if err := llm.Structured(t.Context(), model, llm.Call{}, json.RawMessage(planSchema), &got); err != nil || got.Query != "bridges" {
		t.Errorf("%+v, %v", got, err)
	}
	second := model.Calls()[1].Messages
	if len(second) != 2 || second[0].Author != llm.Assistant || !strings.Contains(second[1].Text, planSchema) {
		t.Errorf("second call %+v", second)
	}
	stubborn := llmtest.NewScripted(llmtest.Reply{Text: `{"terms":"no list"}`})
	got = plan{Query: "before"}
	err := llm.Structured(t.Context(), stubborn, llm.Call{}, json.RawMessage(planSchema), &got)
	if !errors.Is(err, llm.ErrNotStructured) || got.Query != "before" || len(stubborn.Calls()) != 2 {
		t.Errorf("%+v, %v after %d calls", got, err, len(stubborn.Calls()))
	}
	boom := errors.New("boom")
	if err := llm.Structured(t.Context(), llmtest.NewScripted(llmtest.Reply{Err: boom}), llm.Call{}, json.RawMessage(planSchema), &got); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
}

func TestStructuredLists(t *testing.T) {
	var got []string
	err := llm.Structured(t.Context(), llmtest.NewScripted(llmtest.Reply{Text: "1. [\"one\", \"two\"]"}), llm.Call{}, json.RawMessage(`{"type":"array"}`), &got)
	if err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestValues(t *testing.T) {
	for text, want := range map[string][]string{
		``:                            nil,
		`no JSON`:                     nil,
		`{"a":1}`:                     {`{"a":1}`},
		`x {"a":1} y [2]`:             {`{"a":1}`, `[2]`},
		`{'a':'b'}`:                   {`{"a":"b"}`},
		`{'a':'it's'}`:                {`{"a":"it's"}`},
		`{"a":"line` + "\n" + `b"}`:   {`{"a":"line\nb"}`},
		`{"a":"\frac \d"}`:            {`{"a":"\frac \\d"}`},
		`{"a":None,"b":True}`:         {`{"a":null,"b":true}`},
		`{"a":`:                       {`{"a":null}`},
		`{"a":"cut`:                   {`{"a":"cut"}`},
		`[1,2,,]`:                     {`[1,2]`},
		`{"a":1]`:                     nil,
		`{"a" 1}`:                     nil,
		`{/* c */"a":1}`:              {`{"a":1}`},
		`{"a":"\ud83d\ude42 \u00e9"}`: {`{"a":"🙂 é"}`},
	} {
		got := slices.Collect(llm.Values(text))
		if !slices.Equal(got, want) {
			t.Errorf("%q → %q, want %q", text, got, want)
		}
	}
	if n := len(slices.Collect(llm.Values(strings.Repeat("[1] ", 1000)))); n != 16 {
		t.Errorf("%d values", n)
	}
}

// FuzzValues: whatever a model writes, every value found is valid JSON, and
// valid JSON comes out with the same meaning.
func FuzzValues(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":'c'}],}`)
	f.Add("```json\n[\"x\"]\n```")
	f.Add(`{"a":"\ud800"}`)
	f.Add(`[[[[[[`)
	f.Add("{a:1,b:NaN,c:'\\''}")
	f.Fuzz(func(t *testing.T, text string) {
		for value := range llm.Values(text) {
			if !json.Valid([]byte(value)) {
				t.Errorf("%q is not JSON", value)
			}
		}
		var want any
		trimmed := strings.TrimSpace(text)
		if json.Unmarshal([]byte(trimmed), &want) != nil || trimmed[0] != '{' && trimmed[0] != '[' || strings.Count(text, "[")+strings.Count(text, "{") > 60 {
			return
		}
		for value := range llm.Values(text) {
			var got any
			if json.Unmarshal([]byte(value), &got) != nil {
				t.Fatal(value)
			}
			a, _ := json.Marshal(want)
			b, _ := json.Marshal(got)
			if string(a) != string(b) {
				t.Errorf("%q became %q", a, b)
			}
			return
		}
		t.Errorf("%q was not found", text)
	})
}
