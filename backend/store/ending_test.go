package store

import (
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/fault"
)

func TestAnEndingIsStoredAsAWholeOrNotAtAll(t *testing.T) {
	db := open(t)
	run := begin(t, db, newRun("run_run", "thr_1", "Why?"))
	run.Status, run.Partial = contract.Stopped, "The bridge"
	ending := journal.Ending{Run: run, Ranking: &trace.Ranking{Measure: "dot"}, Tape: &trace.Tape{PromptHash: "abc"}}
	told := []contract.Event{{Run: run.ID, Seq: 1, Kind: "stopped", Body: contract.StoppedRun{Partial: run.Partial}}}
	if err := db.AppendEnding(t.Context(), told, []journal.Ending{ending}); err != nil {
		t.Fatal(err)
	}
	if events, err := db.Since(t.Context(), run.ID, 0); err != nil || len(events) != 1 {
		t.Errorf("%+v %v", events, err)
	}
	if got, err := db.Run(t.Context(), run.ID); err != nil || got.Status != contract.Stopped || got.Partial != "The bridge" {
		t.Errorf("%+v %v", got, err)
	}
	if r, err := db.Ranking(t.Context(), run.ID); err != nil || r.Measure != "dot" {
		t.Errorf("%+v %v", r, err)
	}
	if tape, err := db.Tape(t.Context(), run.ID); err != nil || tape.PromptHash != "abc" {
		t.Errorf("%+v %v", tape, err)
	}
	other := begin(t, db, newRun("run_other", "thr_1", "Why?"))
	if err := db.AppendEnding(t.Context(), nil, []journal.Ending{{Run: other}}); err != nil { // nothing was ranked and no model spoke
		t.Fatal(err)
	}
	if _, err := db.Ranking(t.Context(), other.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	stopped := contract.Event{Run: other.ID, Seq: 1, Kind: "stopped", Body: contract.StoppedRun{}}
	gone := newRun("run_gone", "thr_1", "Why?")
	if err := db.AppendEnding(t.Context(), []contract.Event{stopped}, []journal.Ending{{Run: gone, Ranking: ending.Ranking, Tape: ending.Tape}}); err == nil {
		t.Error("an ending of no run is stored")
	}
	if events, err := db.Since(t.Context(), other.ID, 0); err != nil || len(events) != 0 {
		t.Errorf("events beside it are stored: %+v %v", events, err)
	}
	if _, err := db.Ranking(t.Context(), gone.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a part of it is stored: %v", err)
	}
}
