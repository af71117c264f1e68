package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestAnOverviewIsOfTheFileThatIsNamed(t *testing.T) {
	files := map[string]string{
		"/x/Minutes March.md": "# Accounts\nThe trust closed the year with 61,240 euro in the bank.\n# Railing\nThe trustees accepted the offer of Dunmore for the gallery railing.\n# Schools\nFrom September schools pay 3 euro for each pupil.\n",
		"/x/Guide.md":         guide,
		"/x/Note.txt":         "The minutes are kept in the boathouse by the secretary of the trust.\n",
	}
	a := tabled(t, files, "Summarise the minutes", 0)
	if a.Outcome != contract.Extracted || len(a.Citations) != 3 || len(a.Sources) != 1 || a.Sources[0].Path != "/x/Minutes March.md" {
		t.Fatalf("%s %q %+v", a.Outcome, a.Answer, a.Sources)
	}
	if !strings.HasPrefix(a.Answer, "**Sentences that say most of “") {
		t.Errorf("%q", a.Answer)
	}
	for _, c := range a.Citations {
		if c.Verdict != contract.QuotedIn || !strings.Contains(files["/x/Minutes March.md"], c.Quote.Text) {
			t.Errorf("%+v", c)
		}
	}
	if other := tabled(t, files, "Summarise the treaty", 0); strings.Contains(other.Answer, "Sentences that say most") {
		t.Errorf("no file is called so: %q", other.Answer)
	}
}
