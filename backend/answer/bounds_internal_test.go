package answer

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/fault"
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
		q := Question{Domains: slices.Clone(c.domains)}
		if err := q.checkBounds(); err != nil {
			t.Fatalf("%v: %v", c.domains, err)
		}
		got := ""
		for _, l := range q.allowed(leads) {
			got += l.Source.Address[len(l.Source.Address)-1:]
		}
		if got != c.want {
			t.Errorf("%v allows %q, want %q", c.domains, got, c.want)
		}
	}
}

func TestBoundsAreNamedToEngines(t *testing.T) {
	q := Question{Since: "week", Domains: []string{"example.org", "-old.example.org"}}
	if got := q.bound(WebQuery{Text: "bridge"}); got.Since != "week" || got.Text != "bridge site:example.org" {
		t.Errorf("%+v", got)
	}
	if got := q.bound(WebQuery{Text: "bridge site:other.org", Since: "day"}); got.Since != "day" || got.Text != "bridge site:other.org" {
		t.Errorf("a narrower wish became %+v", got)
	}
	q.Domains = []string{"a.org", "b.org"}
	if got := q.bound(WebQuery{Text: "bridge"}); got.Text != "bridge" {
		t.Errorf("two domains are named as %q", got.Text)
	}
}

func TestWhatIsNoBoundIsRefused(t *testing.T) {
	for name, q := range map[string]Question{
		"a decade":       {Since: "decade"},
		"no domain":      {Domains: []string{"example"}},
		"an empty one":   {Domains: []string{""}},
		"a password":     {Domains: []string{"https://a:b@example.org"}},
		"many domains":   {Domains: slices.Repeat([]string{"example.org"}, mostDomains+1)},
		"a query in one": {Domains: []string{"example.org other words"}},
	} {
		if err := q.checkBounds(); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	q := Question{Beside: []Focus{"everywhere"}}
	if err := q.checkBounds(); fault.CodeOf(err) != fault.InvalidFocus {
		t.Errorf("an unknown focus: %v", err)
	}
}

func TestAConversationKeptElsewhereIsCutNotRefused(t *testing.T) {
	q := Question{Earlier: slices.Repeat([]Said{{strings.Repeat("x", turnRunes+5), "y"}}, mostEarlier+3)}
	if err := q.checkBounds(); err != nil {
		t.Fatal(err)
	}
	if turns := q.earlier(); len(turns) != mostEarlier || len(turns[0].Question) > turnRunes+3 {
		t.Errorf("%d turns of %d characters", len(turns), len(turns[0].Question))
	}
}
