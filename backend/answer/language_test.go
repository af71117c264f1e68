package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestCloseQuotationsInAnotherLanguageAreSaidToBe(t *testing.T) {
	for question, want := range map[string]bool{"Wie lang ist die Bridge über die Lorne, und wie ist sie gebaut?": true, "What is the bridge made of and who painted it over the Lorne?": false} {
		s := set(t, nil, nil)
		a := finished(t, s.ask(t, question, func(q *contract.Question) { q.Focus = contract.FocusLocal }))
		if got := noticed(a, "other-language"); got != want {
			t.Errorf("%s (%s): %v, %q", question, a.Grade, a.Notices, a.Answer)
		}
	}
}

func TestFilesInAnotherLanguageAreSaidWhereNothingIsFound(t *testing.T) {
	l := &lister{files: 3}
	s := set(t, nil, func(s *stage) { s.shelf.files = nil; l.shelf = s.shelf; s.search = l })
	a := finished(t, s.ask(t, "Wie hoch ist der Turm der Kirche?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if a.Outcome != contract.NoEvidence || !strings.Contains(a.Answer, "Your files are in English.") {
		t.Errorf("%s: %q", a.Outcome, a.Answer)
	}
}
