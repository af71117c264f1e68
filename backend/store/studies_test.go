package store

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

func TestAStudyIsKeptWithItsRunAndTheLastOneCounts(t *testing.T) {
	db := open(t)
	run := newRun("run_1", "thr_1", "why?")
	run.Question.Mode = contract.ModeDeep
	begin(t, db, run)
	if _, err := db.Study(t.Context(), "run_1"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("no study: %v", err)
	}
	must(t, db.KeepStudy(t.Context(), "run_1", contract.Study{Pass: 1}))
	want := contract.Study{Pass: 2, Plan: []string{"How?"}, Done: []contract.Explored{{Question: "Why?", Facts: []contract.Fact{{Text: "Because."}}}}}
	must(t, db.KeepStudy(t.Context(), "run_1", want))
	got, err := db.Study(t.Context(), "run_1")
	must(t, err)
	if got.Pass != 2 || got.Plan[0] != "How?" || got.Done[0].Facts[0].Text != "Because." {
		t.Errorf("got %+v", got)
	}
	must(t, db.DeleteThread(t.Context(), "thr_1", true))
	if _, err := db.Study(t.Context(), "run_1"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the study outlives its thread: %v", err)
	}
}

func TestOpenResearchIsLeftToGoOnAndNothingElse(t *testing.T) {
	db := open(t)
	for _, id := range []contract.RunID{"run_1", "run_2", "run_3"} {
		run := newRun(id, contract.ThreadID("thr_"+id[4:]), "why?")
		if id != "run_3" {
			run.Question.Mode = contract.ModeDeep
		}
		begin(t, db, run)
		journaled(t, db, id, contract.Started{})
	}
	must(t, db.Append(t.Context(), event("run_2", 2, contract.StoppedRun{By: "user"})))
	n, err := db.CloseOpen(t.Context())
	must(t, err)
	left, err := db.Unfinished(t.Context())
	must(t, err)
	if n != 2 || len(left) != 1 || left[0].ID != "run_1" || left[0].Question.Mode != contract.ModeDeep {
		t.Errorf("%d ended, left %+v", n, left)
	}
}
