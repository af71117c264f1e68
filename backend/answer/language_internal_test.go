package answer

import (
	"strings"
	"testing"
)

func TestFilesInAnotherLanguageAreNamed(t *testing.T) {
	german, french := "Die Brücke wurde im Jahr 1932 für den Verkehr geöffnet.", "Le pont a été ouvert à la circulation en 1932."
	english := "The bridge was opened to the traffic in 1932."
	for _, c := range []struct {
		question string
		texts    []string
		want     string
	}{
		{"When was the bridge opened?", []string{german, french}, "French German"},
		{"When was the bridge opened?", []string{german, english}, ""},
		{"Wann wurde die Brücke geöffnet?", []string{german}, ""},
		{"橋はいつ開通しましたか?", []string{english}, "English"},
		{"1932?", []string{english}, ""},
		{"When was the bridge opened?", nil, ""},
	} {
		if got := strings.Join(otherLanguages(c.question, c.texts), " "); got != c.want {
			t.Errorf("%s over %q: %q, want %q", c.question, c.texts, got, c.want)
		}
	}
}
