package gist_test

import (
	"testing"

	"footnote/backend/answer/quote/gist"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestTellingIsASentenceOrTheHeadsOfATable(t *testing.T) {
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Agreement\n\nThis agreement between the residents and the gardener runs for twelve months.\n\nThe hedge is cut twice.\n": "This agreement between the residents and the gardener runs for twelve months.",
		"Jobs 2024\nDate  Client  Place  Charged\n2024-01-16  Lockhart  Hillend  185\n":                                           "Date  Client  Place  Charged",
		"Notes": "",
	} {
		s, ok := gist.Telling(c, []rank.Candidate{{Passage: evidence.Passage{Text: text}}})
		if s.Text != want || ok != (want != "") || ok && text[s.Span.Start:s.Span.End] != want {
			t.Errorf("%q: %q %v, want %q", text, s.Text, ok, want)
		}
	}
}
