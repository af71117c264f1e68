package answer_test

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/intent"
	"footnote/backend/lang"
	"footnote/backend/llm/llmtest"
)

// Greetings, thanks, good-byes and questions about Footnote are answered in every
// language and mode, and nobody is asked for it: no engine, no file, no model.
func TestSmallTalkAsksNobody(t *testing.T) {
	own, err := intent.Own()
	if err != nil {
		t.Fatal(err)
	}
	said := map[lang.Code]map[intent.Intent]string{}
	for _, s := range own {
		if said[s.Code] == nil {
			said[s.Code] = map[intent.Intent]string{}
		}
		if is, code := intent.Of(s.Text, false, false, nil); is == s.Is && code == s.Code && said[s.Code][is] == "" {
			said[s.Code][is] = s.Text
		}
	}
	modes := []contract.Mode{contract.ModeBalanced, contract.ModeAgent, contract.ModeDeep, contract.ModeSpeed}
	for n, code := range lang.Codes() {
		model := llmtest.NewScripted()
		s := set(t, oneModel{name: "test/m", model: model}, nil)
		for _, is := range []intent.Intent{intent.Greeting, intent.Thanks, intent.Goodbye, intent.About} {
			text := said[code][is]
			if text == "" {
				t.Errorf("%s has no %s of its own", code, is)
				continue
			}
			events := s.ask(t, text, func(q *contract.Question) { q.Mode = modes[n%len(modes)] })
			a := finished(t, events)
			if a.Outcome != contract.Chatted || a.Answer != intent.Reply(code, is) || len(a.Citations) != 0 || len(a.Ledger) != 0 {
				t.Errorf("%s %q: %s %q", code, text, a.Outcome, a.Answer)
			}
		}
		if len(model.Calls())+len(s.web.Queries())+len(s.web.Reads())+len(s.shelf.queries()) != 0 {
			t.Errorf("%s: %d calls of the model, searched %v and %v", code, len(model.Calls()), s.web.Queries(), s.shelf.queries())
		}
	}
}

func TestSmallTalkIsAnsweredInTheChosenLanguage(t *testing.T) {
	s := set(t, nil, nil)
	for _, language := range []string{"de", "de-AT", "DE"} {
		a := finished(t, s.ask(t, "Hello!", func(q *contract.Question) { q.Language = language }))
		if a.Answer != intent.Reply(lang.German, intent.Greeting) {
			t.Errorf("%s: %q", language, a.Answer)
		}
	}
}

// What came along, what was said before and what the reader chose may be what a
// question is about.
func TestWhatIsThisIsLookedFor(t *testing.T) {
	s := set(t, nil, nil)
	a := finished(t, s.ask(t, "What is this?", nil))
	if a.Outcome != contract.Chatted || a.Answer != intent.Reply(lang.English, intent.About) {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
	for name, change := range map[string]func(*contract.Question){
		"pasted": func(q *contract.Question) { q.Context = bridgeFile },
		"earlier": func(q *contract.Question) {
			q.Earlier = []contract.Said{{Question: "What is the Lorne bridge?", Answer: "An arch."}}
		},
		"scope": func(q *contract.Question) { q.Scope.Files = []string{"src_a"} },
	} {
		if a := finished(t, s.ask(t, "What is this?", change)); a.Answer == intent.Reply(lang.English, intent.About) {
			t.Errorf("%s: answered as small talk", name)
		}
	}
}
