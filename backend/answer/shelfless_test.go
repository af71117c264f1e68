package answer_test

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

func TestFilesThatWereNotSearchedAreSaidToBeSo(t *testing.T) {
	s := set(t, nil, nil)
	s.shelf.err, s.shelf.files = fault.New(fault.IndexRebuilding, "The index is being rebuilt.", "Ask again in a minute."), nil
	a := finished(t, s.ask(t, "When was the bridge over the Lorne opened?", func(q *contract.Question) { q.Focus = contract.FocusLocal }))
	if a.Outcome != contract.NoEvidence || strings.Contains(a.Answer, "Searched your files") || !strings.Contains(a.Answer, "Your files were not searched. The index is being rebuilt.") {
		t.Errorf("%s %q", a.Outcome, a.Answer)
	}
	if !slices.ContainsFunc(a.Notices, func(n contract.Notice) bool { return n.Code == "search-partial" }) {
		t.Errorf("notices %+v", a.Notices)
	}
}
