package gather

import (
	"slices"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

func TestDomainsBoundWhatIsFound(t *testing.T) {
	leads := []evidence.Lead{}
	for _, address := range []string{"https://www.example.org/a", "https://docs.example.org/b", "https://notexample.org/c", "https://pins.example/d"} {
		leads = append(leads, evidence.Lead{Source: evidence.Source{Address: address}})
	}
	for _, c := range []struct {
		domains []string
		want    string
	}{
		{nil, "abcd"}, {[]string{"example.org"}, "ab"}, {[]string{"https://WWW.Example.org/path"}, "ab"}, {[]string{"docs.example.org"}, "b"},
		{[]string{"-example.org"}, "cd"}, {[]string{"example.org", "-docs.example.org"}, "a"}, {[]string{"example.org", "pins.example"}, "abd"},
	} {
		q := contract.Question{Text: "bridge", Focus: contract.FocusWeb, Mode: contract.ModeSpeed, Domains: slices.Clone(c.domains)}
		if err := q.Check(100, 0); err != nil {
			t.Fatalf("%v: %v", c.domains, err)
		}
		got := ""
		for _, l := range allowed(q, leads) {
			got += l.Source.Address[len(l.Source.Address)-1:]
		}
		if got != c.want {
			t.Errorf("%v allows %q, want %q", c.domains, got, c.want)
		}
	}
}

func TestBoundsAreNamedToEngines(t *testing.T) {
	q := contract.Question{Since: "week", Domains: []string{"example.org", "-old.example.org"}}
	if got := bound(q, WebQuery{Text: "bridge"}); got.Since != "week" || got.Text != "bridge site:example.org" {
		t.Errorf("%+v", got)
	}
	if got := bound(q, WebQuery{Text: "bridge site:other.org", Since: "day"}); got.Since != "day" || got.Text != "bridge site:other.org" {
		t.Errorf("a narrower wish became %+v", got)
	}
	q.Domains = []string{"a.org", "b.org"}
	if got := bound(q, WebQuery{Text: "bridge"}); got.Text != "bridge" {
		t.Errorf("two domains are named as %q", got.Text)
	}
}
