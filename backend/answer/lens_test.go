package answer_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/web/webtest"
)

// wishes are those of a test.
type wishes struct {
	lenses   contract.Lenses
	personas map[string]string
}

func (w wishes) Lenses(context.Context) (contract.Lenses, error) { return w.lenses, nil }

func (w wishes) PersonaText(_ context.Context, names []string) (string, error) {
	var texts []string
	for _, name := range names {
		if w.personas[name] == "" {
			return "", fault.New(fault.InvalidRequest, "There is no such persona.", "")
		}
		texts = append(texts, w.personas[name])
	}
	return strings.Join(texts, "\n"), nil
}

func TestAPersonaStandsBelowTheRulesInThePrompt(t *testing.T) {
	model := llmtest.NewScripted(rewrite("x"), chat("1932 [1]."))
	s := set(t, oneModel{name: "test/m", model: model}, func(s *stage) { s.wishes = wishes{personas: map[string]string{"Teacher": "Explain as to a child."}} })
	s.ask(t, "When was the Lorne bridge opened?", func(q *contract.Question) {
		q.Personas, q.Instructions = []string{"Teacher"}, "Use metric units."
	})
	system := wrote(t, model).Messages[0].Text
	rules, persona, own := strings.Index(system, "MUST be cited"), strings.Index(system, "Explain as to a child."), strings.Index(system, "Use metric units.")
	if rules < 0 || persona < rules || own < persona {
		t.Errorf("rules at %d, persona at %d, own words at %d in\n%s", rules, persona, own, system)
	}
	q := s.Defaults()
	q.Text, q.Personas = "When?", []string{"Nobody"}
	if _, err := s.Ask(t.Context(), q); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("an unknown persona: %v", err)
	}
}

func lensed(t *testing.T, lenses ...contract.Lens) (*stage, contract.Answer) {
	t.Helper()
	s := set(t, nil, func(s *stage) {
		s.wishes = wishes{lenses: lenses}
		s.web.Pages = append(s.web.Pages, webtest.Page{Address: "https://other.net/lorne", Title: "Lorne bridge", Published: day.AddDate(0, -2, 0),
			Text: "# Lorne bridge\nThe Lorne bridge is 503 metres long, says another page about the length of it."})
	})
	return s, finished(t, s.ask(t, "How long is the Lorne bridge?", nil))
}

func domains(a contract.Answer) (out []string) {
	for _, s := range a.Sources {
		out = append(out, s.Domain+s.Path)
	}
	return out
}

func TestABlockedDomainIsNeverReadNorShown(t *testing.T) {
	s, a := lensed(t, contract.Lens{Pattern: "other.net", Action: contract.Block}, contract.Lens{Pattern: "/home/ann", Action: contract.Block})
	if got := domains(a); slices.ContainsFunc(got, func(d string) bool { return d != "example.org" }) || len(got) == 0 {
		t.Errorf("the answer rests on %v", got)
	}
	for _, read := range s.web.Reads() {
		if strings.Contains(read, "other.net") {
			t.Errorf("%s was read", read)
		}
	}
}

func TestALensMovesRanksAndSaysSo(t *testing.T) {
	for _, first := range []string{"example.org", "other.net"} {
		last := map[string]string{"example.org": "other.net", "other.net": "example.org"}[first]
		_, a := lensed(t, contract.Lens{Pattern: first, Action: contract.Boost}, contract.Lens{Pattern: last, Action: contract.Lower})
		for _, s := range a.Sources {
			switch s.Domain {
			case first:
				if *s.Scores.Authority != 1 || s.Reason == "" {
					t.Errorf("%s is boosted: %v %q", first, *s.Scores.Authority, s.Reason)
				}
			case last:
				if *s.Scores.Authority != 0 || s.Reason == "" {
					t.Errorf("%s is lowered: %v %q", last, *s.Scores.Authority, s.Reason)
				}
			}
		}
	}
}

func TestLensesAreCheckedAndTheLongestPatternDecides(t *testing.T) {
	lenses, err := contract.Lenses{
		{Pattern: "HTTPS://www.Example.org/path", Action: contract.Block}, {Pattern: "docs.example.org", Action: contract.Boost},
		{Pattern: "/home/ann/", Action: contract.Lower}, {Pattern: "/home/ann/best", Action: contract.Boost}, {Pattern: "example.org", Action: contract.Lower, Note: "x"},
	}.Checked()
	if err != nil || len(lenses) != 4 {
		t.Fatalf("%+v %v", lenses, err)
	}
	for host, want := range map[string]string{"example.org": "lower", "EXAMPLE.ORG.": "lower", "a.docs.example.org": "boost", "notexample.org": "", "org": ""} {
		if got := lenses.OfHost(host); got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
	for path, want := range map[string]string{"/home/ann/a.txt": "lower", "/home/ann/best/a.txt": "boost", "/home/ann": "lower", "/home/anna/a.txt": ""} {
		if got := lenses.OfPath(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for _, bad := range []contract.Lens{{Pattern: "", Action: "block"}, {Pattern: "a b", Action: "block"}, {Pattern: "a.org", Action: "hide"}, {Pattern: "*.org", Action: "block"}, {Pattern: "x/y", Action: "lower"}} {
		if _, err := (contract.Lenses{bad}).Checked(); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
