package store

import (
	"path/filepath"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/records"
	"footnote/backend/refresh"
)

// keptFresh stores an answered thread whose answer is kept fresh.
func keptFresh(t *testing.T, db *DB) refresh.Subscription {
	t.Helper()
	must(t, db.End(t.Context(), finish(begin(t, db, newRun("run_1", "thr_1", "why?")), "Because.")))
	due := start.Add(time.Hour)
	s := refresh.Subscription{
		Run: "run_1", Thread: "thr_1", EveryMs: 3_600_000, OnChange: true, Files: map[string]string{"/a.txt": "digest"}, Due: &due, Failures: 2,
		Failure: &contract.Failure{Code: fault.Offline, Message: "Away.", Hint: "Wait."}, Unseen: true,
	}
	must(t, db.PutSubscription(t.Context(), s))
	return s
}

// checkedAside stores a check that has ended.
func checkedAside(t *testing.T, db *DB, id contract.RunID) contract.Run {
	t.Helper()
	run := newRun(id, "thr_1", "why?")
	run.Question.Aside, run.Question.Refreshes = true, "run_1"
	begin(t, db, run)
	src := evidence.Source{ID: evidence.SourceID("src_" + id), Kind: evidence.Web, Address: "https://example.org/" + string(id), Digest: evidence.Digest([]byte(id)), Seen: start}
	must(t, db.Keep(t.Context(), answer.Kept{Document: evidence.Document{Source: src, Text: "What was read for " + string(id)}}))
	run = finish(run, "Because of that.")
	run.Answer.Sources = []contract.SourceCard{{ID: src.ID}}
	run.Answer.Ledger = []privacy.LedgerEntry{{Host: "example.org", BytesOut: 1}}
	journaled(t, db, id, contract.Started{}, contract.FinishedRun{Answer: *run.Answer})
	must(t, db.End(t.Context(), run))
	return run
}

func onlySubscription(t *testing.T, db *DB) refresh.Subscription {
	t.Helper()
	all, err := db.Subscriptions(t.Context(), "thr_1")
	must(t, err)
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	return all[0]
}

func TestASubscriptionIsKeptAndGoesWithItsThread(t *testing.T) {
	db := open(t)
	want := keptFresh(t, db)
	got := onlySubscription(t, db)
	if !got.Due.Equal(*want.Due) || got.Files["/a.txt"] != "digest" || *got.Failure != *want.Failure || got.EveryMs != want.EveryMs || !got.OnChange || got.Failures != 2 || got.Tried != nil || got.Paused {
		t.Errorf("%+v", got)
	}
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if !thread.Fresh || !thread.Unseen {
		t.Errorf("%+v", thread.ThreadInfo)
	}
	must(t, db.Seen(t.Context(), "thr_1"))
	if thread, err = db.Thread(t.Context(), "thr_1"); err != nil || thread.Unseen || onlySubscription(t, db).Unseen {
		t.Errorf("%v %+v", err, thread.ThreadInfo)
	}
	must(t, db.DeleteThread(t.Context(), "thr_1", false))
	if all, err := db.Subscriptions(t.Context(), ""); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
	wantFault(t, db.EditSubscription(t.Context(), "run_1", func(*refresh.Subscription) {}), fault.NotFound)
	if db.PutSubscription(t.Context(), want) == nil {
		t.Error("a question stands without its thread")
	}
}

func TestASubscriptionGoesWithTheRunThatIsReplaced(t *testing.T) {
	db := open(t)
	keptFresh(t, db)
	check := newRun("run_2", "thr_1", "why?")
	check.Question.Aside = true
	begin(t, db, check)
	edited := newRun("run_3", "thr_1", "why not?")
	edited.Question.Replaces = "run_1"
	begin(t, db, edited)
	if all, err := db.Subscriptions(t.Context(), ""); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
	must(t, db.End(t.Context(), finish(check, "Late."))) // it still runs, and has its place
	wantFault(t, db.SettleCheck(t.Context(), "run_1", "run_2", true, func(*refresh.Subscription) {}), fault.NotFound)
	if thread, err := db.Thread(t.Context(), "thr_1"); err != nil || len(thread.Items) != 1 || thread.Items[0].ID != "run_3" {
		t.Errorf("%v %+v", err, thread)
	}
}

func TestACheckThatFoundNothingLeavesItsLedgerAlone(t *testing.T) {
	db := open(t)
	keptFresh(t, db)
	before, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	run := checkedAside(t, db, "run_2")
	must(t, db.SettleCheck(t.Context(), "run_1", "run_2", false, func(s *refresh.Subscription) { s.Failures = 0 }))
	after, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if len(after.Items) != 1 || after.Runs != 1 || !after.Updated.Equal(before.Updated) || onlySubscription(t, db).Failures != 0 {
		t.Errorf("%+v", after)
	}
	left, err := db.Run(t.Context(), "run_2")
	must(t, err)
	if left.Answer != nil || len(left.Ledger) != 1 || left.Ledger[0].Host != "example.org" || left.Question.Text != "why?" {
		t.Errorf("%+v", left)
	}
	if events, err := db.Since(t.Context(), "run_2", 0); err != nil || len(events) != 0 {
		t.Errorf("%v %+v", err, events)
	}
	if _, err := db.Source(t.Context(), run.Answer.Sources[0].ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("what it alone read is still there: %v", err)
	}
	turns, err := db.History(t.Context(), "thr_1", "", 10)
	must(t, err)
	threads, _, err := db.Threads(t.Context(), records.ThreadQuery{Q: "that"})
	must(t, err)
	all, _, err := db.Runs(t.Context(), records.RunQuery{})
	must(t, err)
	told, _, err := db.Runs(t.Context(), records.RunQuery{Aside: true})
	must(t, err)
	if len(turns) != 1 || len(threads) != 0 || len(all) != 1 || len(told) != 2 {
		t.Errorf("%d turns, %d threads, %d runs, %d with checks", len(turns), len(threads), len(all), len(told))
	}
}

func TestTextsAreLeftWhileAQuestionMayBeAboutToCiteThem(t *testing.T) {
	db := open(t)
	keptFresh(t, db)
	begin(t, db, newRun("run_9", "thr_9", "what else?"))
	run := checkedAside(t, db, "run_2")
	must(t, db.SettleCheck(t.Context(), "run_1", "run_2", false, func(*refresh.Subscription) {}))
	if _, err := db.Source(t.Context(), run.Answer.Sources[0].ID); err != nil {
		t.Error(err)
	}
}

func TestACheckThatFoundChangesIsATurn(t *testing.T) {
	db := open(t)
	keptFresh(t, db)
	checkedAside(t, db, "run_2")
	must(t, db.SettleCheck(t.Context(), "run_1", "run_2", true, func(s *refresh.Subscription) { s.Unseen = true }))
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if len(thread.Items) != 2 || thread.Items[1].Answer == nil || thread.Items[1].Question.Aside || !thread.Unseen {
		t.Errorf("%+v", thread)
	}
	freshest, err := db.Freshest(t.Context(), "run_1")
	if err != nil || freshest.ID != "run_2" {
		t.Errorf("%v %s", err, freshest.ID)
	}
	checkedAside(t, db, "run_3") // not settled yet: no turn
	if freshest, err = db.Freshest(t.Context(), "run_1"); err != nil || freshest.ID != "run_2" {
		t.Errorf("%v %s", err, freshest.ID)
	}
}

func TestChecksThatBrokeOffLeaveNoTurn(t *testing.T) {
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, quiet(), clock())
	must(t, err)
	keptFresh(t, db)
	for id, mode := range map[contract.RunID]contract.Mode{"run_2": contract.ModeBalanced, "run_3": contract.ModeDeep} {
		run := newRun(id, "thr_1", "why?")
		run.Question.Aside, run.Question.Mode = true, mode
		begin(t, db, run)
		journaled(t, db, id, contract.Started{})
	}
	must(t, db.Close())
	db = openIn(t, dir)
	ended, err := db.CloseOpen(t.Context())
	must(t, err)
	left, err := db.Unfinished(t.Context())
	must(t, err)
	must(t, db.SweepChecks(t.Context()))
	if ended != 2 || len(left) != 0 {
		t.Errorf("%d ended, %+v go on", ended, left)
	}
	for _, id := range []contract.RunID{"run_2", "run_3"} {
		if events, err := db.Since(t.Context(), id, 0); err != nil || len(events) != 0 {
			t.Errorf("%v %+v", err, events)
		}
	}
	if thread, err := db.Thread(t.Context(), "thr_1"); err != nil || len(thread.Items) != 1 || thread.Running {
		t.Errorf("%v %+v", err, thread)
	}
}

func TestSubscriptionsAreBackedUpAndStayBehindInBundles(t *testing.T) {
	db := open(t)
	keptFresh(t, db)
	checkedAside(t, db, "run_2")
	kept, err := db.Kept(t.Context(), "thr_1")
	must(t, err)
	if len(kept.Runs) != 1 {
		t.Errorf("a bundle takes %d runs", len(kept.Runs))
	}
	must(t, db.Branch(t.Context(), records.Branch{From: "thr_1", Run: "run_1"}, "thr_2", func() contract.RunID { return "run_5" }))
	if all, err := db.Subscriptions(t.Context(), "thr_2"); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	must(t, db.Backup(t.Context(), backup))
	dir := t.TempDir()
	_, err = Restore(t.Context(), dir, backup, clock())
	must(t, err)
	if got := onlySubscription(t, openIn(t, dir)); got.EveryMs != 3_600_000 || got.Files["/a.txt"] != "digest" {
		t.Errorf("%+v", got)
	}
}
