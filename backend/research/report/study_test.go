package report

import (
	"testing"

	"footnote/backend/answer/contract"
)

func TestAQuestionThatTwoPassesLookedIntoHasOneSection(t *testing.T) {
	got := OnePerQuestion([]contract.Explored{{Question: "A", Pass: 1, Weak: true, Facts: []contract.Fact{{}}}, {Question: "B", Pass: 1}, {Question: "A", Pass: 2, Summary: "s", Facts: []contract.Fact{{}}}})
	if len(got) != 2 || len(got[0].Facts) != 2 || got[0].Summary != "s" || got[0].Weak {
		t.Errorf("%+v", got)
	}
}
