package answer_test

import (
	"slices"
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

func TestTheLanguageOfAQuotationIsThatOfItsSentence(t *testing.T) {
	s := set(t, nil, func(s *stage) {
		s.web, s.shelf = nil, &shelf{files: map[string]string{"/lib/towers.md": "The bridge over the Lorne was opened on 3 May 1932. " +
			"Мост через реку был построен давно, и он стоит до сих пор. Его красят каждые десять лет, и это стоит городу много денег. По нему ходят поезда и ездят машины, а под ним ходят корабли."}}
	})
	a := finished(t, s.ask(t, "When was the bridge over the Lorne opened?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if a.Grade != contract.GradeAnswers || !strings.Contains(a.Answer, "1932") || noticed(a, "other-language") {
		t.Errorf("%s: %q, %v", a.Grade, a.Answer, a.Notices)
	}
}

func TestWhereNothingAnswersTheLanguagesOfTheFilesAreNamed(t *testing.T) {
	l := &lister{files: 3, opens: map[int]string{0: "Мост через реку был построен в 1932 году, и он стоит до сих пор."}, passages: map[int]int{0: 40}}
	s := set(t, nil, func(s *stage) { l.shelf = s.shelf; s.search = l })
	a := finished(t, s.ask(t, "Wer hat den Anstrich der Bridge von 1995 bezahlt, und warum so spät?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if a.Grade == contract.GradeAnswers || !slices.ContainsFunc(a.Notices, func(n contract.Notice) bool {
		return n.Code == "other-language" && n.Message == "Your files are in Russian and English. A question in Russian or English may find more."
	}) {
		t.Errorf("%s: %v", a.Grade, a.Notices)
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
