package check_test

import (
	"strings"
	"testing"

	"footnote/backend/answer/answertest"
	"footnote/backend/answer/check"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/llm"
)

func TestCheckingJudgesEachMarker(t *testing.T) {
	task, models := answertest.Task("How long is the Lorne bridge?"), &llm.RoleModels{}
	tell, b := answertest.Teller(t, models), answertest.Binder(t, task)
	chosen := answertest.Selection()
	chosen.Cards[0].Flags = []string{"partly-read"}
	chosen.Cards = append(chosen.Cards, contract.SourceCard{N: 2, ID: "src_beside", Title: "Beside", Flags: []string{"partly-read"}})
	x := &check.Examiner{
		Deps: check.Deps{Checker: b.Checker}, Tell: tell, Task: task, Models: models, Scorer: &gather.Scorer{Task: task, Tell: tell}, Binder: b,
		Evidence: gather.Evidence{Documents: []evidence.Document{answertest.Page()}}, Selection: chosen,
	}
	got := x.Check(t.Context(), "The Lorne bridge is 503 metres long [1]. Bread dough rests overnight in a cool cellar [1].")
	var verdicts []string
	for _, c := range got.Citations {
		verdicts = append(verdicts, string(c.Verdict))
	}
	if strings.Join(verdicts, " ") != "quoted not-found" || got.Report.Verdicts[contract.QuotedIn] != 1 || len(got.Cards) != 2 {
		t.Errorf("%v, %+v", verdicts, got.Report)
	}
	if notices := answertest.Told[contract.Noticed](tell); len(notices) != 1 || notices[0].Code != "partly-read" || strings.Contains(notices[0].Message, "Beside") {
		t.Errorf("told %+v", notices)
	}
	if x.Check(t.Context(), "Nothing is said of it."); len(answertest.Told[contract.Noticed](tell)) != 2 {
		t.Error("where nothing is cited all are told")
	}
}
