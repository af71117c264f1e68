package contract

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/fault"
)

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
	if turns := q.EarlierTurns(); len(turns) != mostEarlier || len(turns[0].Question) > turnRunes+3 {
		t.Errorf("%d turns of %d characters", len(turns), len(turns[0].Question))
	}
}
