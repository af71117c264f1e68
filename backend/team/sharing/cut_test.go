package sharing

import (
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func cited(source, text string, from, to int) Cited {
	return Cited{Passage: evidence.Passage{ID: evidence.PassageID("psg_" + source), Text: text}, Source: evidence.Source{ID: evidence.SourceID(source), Kind: evidence.File, Title: source, Address: "/" + source}, Quote: contract.Range{Start: from, End: to}}
}

func TestOfACutAnswerOnlyWhatMayBeReadIsTold(t *testing.T) {
	run := contract.Run{ID: "run_a", Status: contract.Finished, Question: contract.Question{Text: "When?", Context: "pasted", Instructions: "be brief"}, Partial: "secret", Answer: &contract.Answer{Answer: "secret"}}
	hidden := Cited{Hidden: true}
	lamp := cited("lamp", "Öl: the lamp burns oil.", 4, 23)
	out := Cut(run, []Cited{hidden, hidden, lamp, lamp, hidden, cited("tower", "x", 0, 9), cited("rock", "The rock.", 0, 9)})
	want := Withheld + "\n\nthe lamp burns oil. [1]\n\n" + Withheld + "\n\nThe rock. [2]"
	if out.Answer.Answer != want {
		t.Errorf("%q, want %q", out.Answer.Answer, want)
	}
	runes := []rune(out.Answer.Answer)
	for _, c := range out.Answer.Citations {
		if string(runes[c.Claim.Start:c.Claim.End]) != c.Claim.Text || out.Answer.Sources[c.Marker-1].ID != c.Source {
			t.Errorf("%+v", c)
		}
	}
	if out.Partial != "" || out.Question.Context != "" || out.Question.Instructions != "" || len(out.Answer.Notices) != 1 {
		t.Errorf("%+v", out)
	}
	if all := Cut(run, nil).Answer.Answer; all != Withheld {
		t.Errorf("without citations: %q", all)
	}
	running := run
	running.Status = contract.Running
	if out := Cut(running, nil); out.Answer != nil || out.Status != contract.Running {
		t.Errorf("%+v", out)
	}
}

func TestAWholeAnswerTellsNothingOfHowItWasAsked(t *testing.T) {
	run := contract.Run{
		Question: contract.Question{Text: "When?", Scope: contract.Scope{Folders: []string{"/pay"}}}, Failure: &contract.Failure{Code: fault.Internal, Message: "/pay.md"},
		Answer: &contract.Answer{Answer: "In 1932 [1].", Sources: []contract.SourceCard{{Title: "a", AlsoIn: []string{"/pay.md"}}}, Notices: []contract.Notice{{Message: "/pay.md"}}, FollowUps: []string{"/pay.md?"}},
	}
	out := Whole(run)
	if out.Answer.Answer != "In 1932 [1]." || len(out.Question.Scope.Folders)+len(out.Answer.Sources[0].AlsoIn)+len(out.Answer.Notices)+len(out.Answer.FollowUps) > 0 || strings.Contains(out.Failure.Message, "pay") {
		t.Errorf("%+v %+v", out, out.Answer)
	}
	if len(run.Answer.Sources[0].AlsoIn) == 0 {
		t.Error("the answer itself was changed")
	}
	told := Told(contract.Event{Body: contract.FailedRun{Failure: *run.Failure}})
	if f := told.Body.(contract.FailedRun).Failure; strings.Contains(f.Message, "pay") {
		t.Errorf("%+v", f)
	}
}
