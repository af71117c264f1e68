package answer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/llm"
	"footnote/backend/llm/llmtest"
)

// byName gives each model its own server; those of cloud are beyond this computer.
type byName map[string]llm.Model

func (b byName) Resolve(_ context.Context, want string) (llm.ResolvedModel, error) {
	if want == "auto" {
		want = "test/chat"
	}
	m, ok := b[want]
	if !ok {
		return llm.ResolvedModel{}, nil
	}
	provider, _, _ := strings.Cut(want, "/")
	return llm.ResolvedModel{Name: want, Model: m, ID: want, Provider: provider, Cloud: provider == "cloud"}, nil
}

type allowed map[string]bool

func (a allowed) MaySend(_ context.Context, provider string) (bool, error) { return a[provider], nil }

func notices(a contract.Answer) (codes []string) {
	for _, n := range a.Notices {
		codes = append(codes, n.Code+" "+n.Action)
	}
	return codes
}

func TestTheModelOfRerankOrdersThePassages(t *testing.T) {
	for said, want := range map[string]string{
		"none asked":      "a.example/lorne ;b.example/lorne ;",
		"[2, 1]":          "b.example/lorne ;a.example/lorne ;",
		"Order: [2]":      "b.example/lorne ;a.example/lorne ;",
		"[9, 0, -1]":      "a.example/lorne ;b.example/lorne ;",
		"I cannot say.":   "a.example/lorne ;b.example/lorne ;",
		`[{"number": 2}]`: "a.example/lorne ;b.example/lorne ;",
	} {
		order2 := llmtest.NewScripted(llmtest.Reply{Text: said})
		models := byName{"test/chat": llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It is 503 metres long [1].")), "test/order": order2}
		s := set(t, models, func(s *stage) {
			bridges(s)
			s.set.Rank.Prioritise = "off"
			if said != "none asked" {
				s.set.Models.Rerank = "test/order"
			}
		})
		a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
		if got := order(a); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
		failed := slices.Contains(notices(a), "rerank-failed ")
		if usable := strings.Contains(said, "[2"); said != "none asked" && failed == usable {
			t.Errorf("%s: notices %q", said, notices(a))
		}
		if asked := len(order2.Calls()) > 0; asked != (said != "none asked") {
			t.Errorf("%s: the model was asked: %v", said, asked)
		}
	}
}

func TestAFailingRerankerChangesNothing(t *testing.T) {
	models := byName{"test/chat": llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It is 503 metres long [1].")), "test/order": llmtest.NewScripted(llmtest.Reply{Err: errors.New("no such model")})}
	s := set(t, models, func(s *stage) { bridges(s); s.set.Rank.Prioritise, s.set.Models.Rerank = "off", "test/order" })
	a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
	if got := order(a); a.Outcome != contract.Answered || got != "a.example/lorne ;b.example/lorne ;" {
		t.Errorf("%s %q", a.Outcome, got)
	}
}

func TestARerankerBeyondThisComputerSeesFilesOnlyWithConsent(t *testing.T) {
	for _, may := range []bool{false, true} {
		order2 := llmtest.NewScripted(llmtest.Reply{Text: "[1, 2]"})
		models := byName{"test/chat": llmtest.NewScripted(rewrite("Lorne bridge length"), chat("It is 503 metres long [1].")), "cloud/order": order2}
		s := set(t, models, func(s *stage) {
			s.web, s.set.Models.Rerank = nil, "cloud/order"
			s.shelf.files = map[string]string{"/d/lorne.txt": "The Lorne bridge is 503 metres long.", "/d/other.txt": "The Lorne bridge was opened in 1964 and is long."}
			s.consents = allowed{"cloud": may}
		})
		a := finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
		withheld := slices.Contains(notices(a), "rerank-withheld allow-cloud:cloud")
		if asked := len(order2.Calls()) > 0; asked != may || withheld == may {
			t.Errorf("allowed %v: asked %v, notices %q", may, asked, notices(a))
		}
	}
}
