package library_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSearchAsYouTypePutsFilesInOrder(t *testing.T) {
	filler := strings.Repeat("The weather was calm and nothing else is told of that day. ", 12)
	l, _ := shelved(t, map[string]string{
		"two.txt":      "Copper valve. Copper valve. Copper valve. Copper valve.",
		"three.txt":    filler + "A copper part went in. " + filler + "Then the valve was shut in the harbour.",
		"plural.txt":   "Turbines turbines turbines turbines.",
		"single.txt":   filler + "One turbine stands there. " + filler,
		"Gearbox.txt":  filler + "Nothing on it.",
		"mentions.txt": "Gearbox gearbox gearbox, and a gearbox again: gearbox.",
	})
	for query, want := range map[string][]string{
		"copper valve harbour": {"three.txt", "two.txt"},
		"turbine":              {"single.txt", "plural.txt"},
		"gearb":                {"Gearbox.txt", "mentions.txt"},
		"gearbox":              {"Gearbox.txt", "mentions.txt"},
	} {
		m, err := l.SearchWords(t.Context(), query, 20)
		must(t, err)
		var got []string
		for _, i := range m.Items {
			if name := filepath.Base(i.Path); !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", query, got, want)
		}
	}
}
