package answer_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

// TestNumbersOfScriptsWithoutSpacesAreChecked has a model cite Chinese text: one
// number as it stands there, one that is not.
func TestNumbersOfScriptsWithoutSpacesAreChecked(t *testing.T) {
	model := agentic(steps("跨海大桥全长55千米 [1]。隧道全长9.3千米 [1]。"))
	s := set(t, model, func(s *stage) {
		s.shelf.files = map[string]string{"/home/ann/大桥.txt": "跨海大桥全长55千米，于2018年10月通车。隧道全长6.7千米，于2017年5月贯通。"}
	})
	a := finished(t, s.ask(t, "跨海大桥和隧道有多长？", func(q *contract.Question) { q.Web = false }))
	if len(a.Citations) != 2 {
		t.Fatalf("%d citations: %s", len(a.Citations), a.Answer)
	}
	if c := a.Citations[0]; c.Verdict != contract.Supported || !strings.Contains(c.Quote.Text, "55千米") {
		t.Errorf("%s: %q", c.Verdict, c.Quote.Text)
	}
	if c := a.Citations[1]; c.Verdict == contract.Supported {
		t.Errorf("9.3 is %s by %q", c.Verdict, c.Quote.Text)
	}
}
