package answer

import (
	"strings"
	"testing"
)

func TestFilesInAnotherLanguageAreNamed(t *testing.T) {
	german, french := excerpt{"Die Brücke wurde im Jahr 1932 für den Verkehr geöffnet.", 3}, excerpt{"Le pont a été ouvert à la circulation en 1932.", 2}
	english, russian := excerpt{"The bridge was opened to the traffic in 1932.", 1}, excerpt{"Мост был открыт для движения в 1932 году, и он стоит до сих пор.", 2}
	for _, c := range []struct {
		question string
		texts    []excerpt
		want     string
	}{
		{"When was the bridge opened?", []excerpt{french, german}, "German French"},
		{"When was the bridge opened?", []excerpt{russian, french}, "French Russian"},
		{"Quand le pont a-t-il été ouvert à la circulation ?", []excerpt{english, russian}, "Russian English"},
		{"When was the bridge opened?", []excerpt{german, english}, ""},
		{"Wann wurde die Brücke geöffnet?", []excerpt{german}, ""},
		{"橋はいつ開通しましたか?", []excerpt{english}, "English"},
		{"1932?", []excerpt{english}, ""},
		{"When was the bridge opened?", nil, ""},
	} {
		if got := strings.Join(otherLanguages(c.question, c.texts), " "); got != c.want {
			t.Errorf("%s over %v: %q, want %q", c.question, c.texts, got, c.want)
		}
	}
}
