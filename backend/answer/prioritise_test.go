package answer_test

import (
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

func prioritise(text string) llmtest.Reply {
	return llmtest.Reply{Text: text, When: func(c llm.Call) bool { return c.Purpose == "prioritise" }}
}

func bridges(s *stage) {
	s.shelf = nil
	s.web = &webtest.Frozen{Seen: day, Pages: []webtest.Page{
		{Address: "https://a.example/lorne", Title: "Lorne bridge A", Text: "The Lorne bridge is 503 metres long, says the town council here.", Published: day},
		{Address: "https://b.example/lorne", Title: "Lorne bridge B", Text: "The Lorne bridge is 503 metres long, writes its own builder today.", Published: day},
	}}
}

func order(a contract.Answer) (urls string) {
	for _, s := range a.Sources {
		urls += strings.TrimPrefix(s.URL, "https://") + " " + s.Reason + ";"
	}
	return urls
}

func TestAModelsOpinionOnSourcesOrdersThem(t *testing.T) {
	ask := func(said llmtest.Reply, change func(*stage)) contract.Answer {
		model := llmtest.NewScripted(rewrite("Lorne bridge length"), said, chat("It is 503 metres long [1]."))
		s := set(t, oneModel{name: "test/m", model: model}, func(s *stage) { bridges(s); change(s) })
		return finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
	}
	none := func(s *stage) { s.set.Rank.Prioritise = "on" }
	for reply, want := range map[string]string{
		`[{"url":"https://b.example/lorne","rank":1,"reason":"the builder"},{"url":"https://evil.example/","rank":2}]`: "b.example/lorne the builder;a.example/lorne ;",
		"```json\n[{\"url\": \"https://a.example/lorne/\", \"rank\": 1, \"reason\": \"the town\"}]\n```":               "a.example/lorne the town;b.example/lorne ;",
		"I cannot say.": "a.example/lorne ;b.example/lorne ;", `[{"url":"https://b.example/lorne","rank":9}]`: "a.example/lorne ;b.example/lorne ;", `{"rank":1}`: "a.example/lorne ;b.example/lorne ;",
	} {
		if got := order(ask(prioritise(reply), none)); got != want {
			t.Errorf("%s: %q, want %q", reply, got, want)
		}
	}
	off := func(s *stage) { s.set.Rank.Prioritise = "off" }
	if got := order(ask(prioritise(`[{"url":"https://b.example/lorne","rank":1}]`), off)); got != "a.example/lorne ;b.example/lorne ;" {
		t.Errorf("switched off: %q", got)
	}
}

func TestASlowOpinionIsNotWaitedForAgain(t *testing.T) {
	slow := prioritise("[]")
	slow.FirstDelay = time.Minute
	model := llmtest.NewScripted(rewrite("Lorne bridge length"), slow, slow, slow, chat("It is 503 metres long [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, func(s *stage) { bridges(s); s.set.Rank.Prioritise = "auto" })
	asked := func() (n int) {
		for _, c := range model.Calls() {
			if c.Purpose == "prioritise" {
				n++
			}
		}
		return n
	}
	for range 4 {
		if a := finished(t, s.ask(t, "How long is the Lorne bridge?", func(q *contract.Question) { q.Cache = false })); a.Outcome != contract.Answered {
			t.Fatal(a.Outcome)
		}
	}
	if asked() != 2 {
		t.Errorf("asked %d times", asked())
	}
}
