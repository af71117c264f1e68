package queries

import (
	"testing"
	"time"

	"footnote/backend/answer/contract"
)

func TestRulesPassTheRewriteGoldens(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	reynolds := []contract.Turn{{Question: "Tell me about Ryan Reynolds", Answer: "Ryan Reynolds is a Canadian actor [1]."}}
	cancer := []contract.Turn{{Question: "What is throat cancer?"}}
	for _, c := range []struct {
		question string
		history  []contract.Turn
		query    string // empty: no search
	}{
		{"Hi there!", nil, ""},
		{"Thanks a lot", nil, ""},
		{"good morning", nil, ""},
		{"Translate that into German", reynolds, ""},
		{"Who won the Super Bowl?", nil, "won the Super Bowl"},
		{"Who won the Super Bowl in 2019?", nil, "won the Super Bowl in 2019"},
		{"Who is his wife?", reynolds, "Ryan Reynolds wife"},
		{"When was he born?", reynolds, "Ryan Reynolds born"},
		{"Is it treatable?", cancer, "throat cancer treatable"},
		{"What are the types?", cancer, "types throat cancer"},
		{"Tell me about lung cancer.", cancer, "lung cancer"},
		{"latest Go release", nil, "latest Go release 2026"},
		{"Can you tell me what the boiling point of water is?", nil, "boiling point of water is"},
		{"weather in Lisbon", nil, "weather in Lisbon"},
		{"How does the International Space Station keep its orbit?", nil, "International Space Station keep its orbit"},
	} {
		if got := IsSmallTalk(c.question, c.history); got != (c.query == "") {
			t.Errorf("%q: small talk %v", c.question, got)
			continue
		}
		if c.query == "" {
			continue
		}
		if got := ByRules(Standalone(c.question, c.history), now); got != c.query {
			t.Errorf("%q: query %q, want %q", c.question, got, c.query)
		}
	}
}

func TestRewriterOutputIsCleaned(t *testing.T) {
	for said, want := range map[string]string{
		"Query: \"bridge opening date\"":                 "bridge opening date",
		"```\nbridge opening date\n```":                  "bridge opening date",
		"<think>the user wants</think>\nbridge date":     "bridge date",
		"wants a date</think> bridge date":               "bridge date",
		"Here is the query:\nbridge opening date":        "bridge opening date",
		"search query: bridge\n\nThis query looks for …": "bridge",
		"“Brücke Eröffnung”":                             "Brücke Eröffnung",
		"undefined":                                      "",
		"":                                               "",
		"---":                                            "",
	} {
		if got, none := Clean(said); got != want || none {
			t.Errorf("%q gives %q, none %v; want %q", said, got, none, want)
		}
	}
	if _, none := Clean("NO_SEARCH."); !none {
		t.Error("NO_SEARCH is not understood")
	}
}
