package conjuncts

import (
	"slices"
	"testing"

	"footnote/backend/cite"
)

func TestTwoThingsAreToldByTheirWords(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string][]string{
		"How much is the deposit and the rent?": {"the deposit", "the rent"},
		"How much do adults and families pay?":  {"adults", "families"},
		"How high is the tower?":                nil,
		"What is it and?":                       nil,
		"What does the report say about the long and many-sided history of the harbour, of the town and of its people?": nil,
	} {
		var got []string
		for _, thing := range Of(c, question) {
			got = append(got, thing.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", question, got)
		}
	}
}
