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
	x := &check.Examiner{
		Deps: check.Deps{Checker: b.Checker}, Tell: tell, Task: task, Models: models, Scorer: &gather.Scorer{Task: task, Tell: tell}, Binder: b,
		Evidence: gather.Evidence{Documents: []evidence.Document{answertest.Page()}}, Selection: answertest.Selection(),
	}
	got := x.Check(t.Context(), "The Lorne bridge is 503 metres long [1]. Bread dough rests overnight in a cool cellar [1].")
	var verdicts []string
	for _, c := range got.Citations {
		verdicts = append(verdicts, string(c.Verdict))
	}
	if strings.Join(verdicts, " ") != "quoted not-found" || got.Report.Verdicts[contract.QuotedIn] != 1 || len(got.Cards) != 1 {
		t.Errorf("%v, %+v", verdicts, got.Report)
	}
}
