package quote

import (
	"footnote/backend/plain"
	"strings"
	"testing"
	"time"

	"footnote/backend/cite"
)

// What a stranger's text repeats costs as much as it is long: each "&" copied all that
// follows it, and each word of a question read the whole question for its price.
func TestWhatRepeatsIsReadOnce(t *testing.T) {
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(){
		"ands":  func() { plain.EscapeMarkdown(strings.Repeat("&", 1<<20)) },
		"words": func() { NewQuery(checker, strings.Repeat("a. ", 5000)) },
	} {
		began := time.Now()
		if read(); time.Since(began) > 20*time.Second {
			t.Errorf("%s take %s", name, time.Since(began))
		}
	}
}

func TestEntitiesAreEscapedAndOtherAndsAreNot(t *testing.T) {
	for text, want := range map[string]string{
		"AT&T &amp; &#38; &CounterClockwiseContourIntegral; R&D; &": `AT&T \&amp; \&#38; \&CounterClockwiseContourIntegral; R&D; &`,
		"日&本; _é_ \xff_": `日&本; \_é\_ ` + "\uFFFD" + `\_`,
	} {
		if got := plain.EscapeMarkdown(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
