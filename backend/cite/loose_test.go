package cite

import (
	"strings"
	"testing"
)

type verdictOf struct{ claim, passage, verdict, why string }

func hold(t *testing.T, all []verdictOf) {
	t.Helper()
	c := testChecker(t)
	for _, x := range all {
		f := c.Check(x.claim, "", x.passage)
		if f.Verdict != x.verdict || !strings.Contains(f.Why, x.why) {
			t.Errorf("%s / %s: %s (%.3f), %q", x.claim, x.passage, f.Verdict, f.Score, f.Why)
		}
	}
}

// TestWhatCanBothBeTrueIsNoContradiction holds loose pairs beside ones that do
// exclude each other; the loose ones stay unsupported.
func TestWhatCanBothBeTrueIsNoContradiction(t *testing.T) {
	hold(t, []verdictOf{
		{"The boats can produce good sails.", "Not all boats can produce good sails.", Partly, ""},
		{"All the boats can produce good sails.", "Not all the boats can produce good sails.", Contradicted, "Not all"},
		{"No boats are for sale here.", "It is true that no boats are for sale here.", Supported, ""},
		{"No boats are for sale here.", "The boats are for sale here.", Contradicted, "boats"},
		{"no but boats are for sale here", "The boats are for sale here.", Supported, ""},
		{"No, boats are for sale here.", "The boats are for sale here.", Supported, ""},
		{"The boats can produce good sails.", "Not all boats sail, but the boats can produce good sails.", Supported, ""},
		{"The boats can produce good sails.", "The boats cannot produce good sails.", Contradicted, "cannot produce"},
		{"Alma and Jonas start dating again.", "Later Alma and Jonas stop dating.", NotFound, ""},
		{"Alma and Jonas start dating.", "Later Alma and Jonas stop dating.", Contradicted, "stop"},
		{"Vera Lind wrote Get You Home Tonight.", "Vera Lind wrote “Don't Get You Home Tonight”.", Partly, ""},
		{"The keepers lock the gate at night.", "DO NOT LOCK THE GATE AT NIGHT, KEEPERS!", Contradicted, "NOT LOCK"},
	})
}

func TestBothIsSaidOfTwo(t *testing.T) {
	hold(t, []verdictOf{
		{"They are both French.", "Remy Lange, born in 1969, is a French film director.", Partly, "both"},
		{"They are both French.", "Remy Lange and Ann Sorel are French film directors.", Supported, ""},
		{"Remy Lange is both a French director and a writer.", "Remy Lange is a French director, a writer too.", Supported, ""},
	})
}
