package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/records"
)

func titles(page []records.ThreadInfo) (out []string) {
	for _, t := range page {
		out = append(out, t.Title)
	}
	return out
}

func TestThreadsAreFoundByTitleQuestionAndAnswer(t *testing.T) {
	db := open(t)
	must(t, db.End(t.Context(), finish(begin(t, db, newRun("run_1", "thr_1", "How old is the BRÜCKE?")), "It is 100% ninety_two years old.")))
	begin(t, db, newRun("run_2", "thr_2", "Something else"))
	must(t, db.Rename(t.Context(), "thr_2", "Renamed Thread"))
	for q, want := range map[string][]string{
		"": {"How old is the BRÜCKE?", "Renamed Thread"}, "brücke": {"How old is the BRÜCKE?"}, "ninety_two old": {"How old is the BRÜCKE?"},
		"100%": {"How old is the BRÜCKE?"}, "ninety%two": nil, "RENAMED": {"Renamed Thread"}, "else": {"Renamed Thread"}, "nothing": nil,
	} {
		page, _, err := db.Threads(t.Context(), records.ThreadQuery{Q: q})
		must(t, err)
		if got := titles(page); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%q: %q, want %q", q, got, want)
		}
	}
}

func TestThreadsArePagedPinnedFirstThenNewest(t *testing.T) {
	db := open(t)
	for i := range 7 {
		run := newRun(contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i)), fmt.Sprint("t", i))
		run.Started = start.Add(time.Duration(i/2) * time.Minute) // pairs with the same time
		begin(t, db, run)
	}
	must(t, db.Pin(t.Context(), "thr_1", true))
	var got []string
	for after, pages := "", 0; ; pages++ {
		page, next, err := db.Threads(t.Context(), records.ThreadQuery{Limit: 2, After: after})
		must(t, err)
		got = append(got, titles(page)...)
		if after = next; next == "" || pages > 5 {
			break
		}
	}
	if want := "t1 t6 t4 t5 t2 t3 t0"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	_, _, err := db.Threads(t.Context(), records.ThreadQuery{After: "nonsense"})
	wantFault(t, err, fault.InvalidRequest)
}

func TestThreadsAreGroupedByDayInTheClocksZone(t *testing.T) {
	zone := time.FixedZone("", -5*3600)
	now := time.Date(2026, 11, 21, 1, 0, 0, 0, zone)
	for ago, want := range map[time.Duration]string{
		30 * time.Minute: "today", 2 * time.Hour: "yesterday", 24 * time.Hour: "yesterday", 26 * time.Hour: "week", 6 * 24 * time.Hour: "week", 8 * 24 * time.Hour: "older",
	} {
		if got := records.DayGroup(now.Add(-ago).UTC(), now); got != want {
			t.Errorf("%v ago: %s, want %s", ago, got, want)
		}
	}
}

func TestAThreadShowsItsRunsInOrder(t *testing.T) {
	db := open(t)
	for i := range 3 {
		run := begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", 9-i)), "thr_1", fmt.Sprint("q", i)))
		if i < 2 {
			must(t, db.End(t.Context(), finish(run, fmt.Sprint("a", i))))
		}
	}
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if thread.Runs != 3 || !thread.Running || thread.Type != records.Chat || thread.Items[0].Question.Text != "q0" || thread.Items[1].Answer.Answer != "a1" {
		t.Errorf("got %+v", thread)
	}
	turns, err := db.History(t.Context(), "thr_1", "run_7", 5)
	must(t, err)
	if !reflect.DeepEqual(turns, []contract.Turn{{Question: "q0", Answer: "a0"}, {Question: "q1", Answer: "a1"}}) {
		t.Errorf("history %v", turns)
	}
	if turns, err = db.History(t.Context(), "thr_1", "", 1); err != nil || turns[0].Question != "q1" {
		t.Errorf("last turn %v %v", turns, err)
	}
	if turns, err = db.History(t.Context(), "thr_2", "", 5); err != nil || len(turns) != 0 {
		t.Errorf("another thread sees %v %v", turns, err)
	}
	_, err = db.Thread(t.Context(), "thr_unknown")
	wantFault(t, err, fault.NotFound)
	_, err = db.Run(t.Context(), "run_unknown")
	wantFault(t, err, fault.NotFound)
}

func TestADamagedRecordIsKeptAsideAndHurtsNoOther(t *testing.T) {
	for name, harm := range map[string]string{"cut": `substr(record, 1, 30)`, "flipped": `replace(record, 'q1', 'q9')`, "empty": `''`} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			for i := range 3 {
				must(t, db.End(t.Context(), finish(begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), "thr_1", fmt.Sprint("q", i))), "fine")))
			}
			_, err := db.w.Exec(`UPDATE runs SET record = ` + harm + ` WHERE id = 'run_1'`)
			must(t, err)
			thread, err := db.Thread(t.Context(), "thr_1")
			must(t, err)
			if thread.Damaged != 1 || len(thread.Items) != 3 || thread.Items[1].Failure.Code != fault.DataDamaged || thread.Items[1].Question.Text != "q1" || thread.Items[2].Answer == nil {
				t.Errorf("got %+v", thread)
			}
			turns, err := db.History(t.Context(), "thr_1", "", 5)
			must(t, err)
			if len(turns) != 2 {
				t.Errorf("history %v", turns)
			}
			var kept int
			must(t, db.r.QueryRow(`SELECT count(*) FROM damaged WHERE run = 'run_1'`).Scan(&kept))
			if kept != 1 {
				t.Errorf("%d records kept aside", kept)
			}
		})
	}
}

func TestAReplacedRunTakesTheLaterOnesAlong(t *testing.T) {
	db := open(t)
	for i := range 3 {
		begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), "thr_1", fmt.Sprint("q", i)))
	}
	edited := newRun("run_3", "thr_1", "q1 edited")
	edited.Question.Replaces = "run_1"
	begin(t, db, edited)
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if len(thread.Items) != 2 || thread.Items[1].ID != "run_3" {
		t.Errorf("got %+v", thread.Items)
	}
}

func TestABranchIsACopyUpToARun(t *testing.T) {
	db := open(t)
	for i := range 3 {
		run := begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), "thr_1", fmt.Sprint("q", i)))
		journaled(t, db, run.ID, contract.Started{Question: "q"}, contract.StoppedRun{By: "user"})
		must(t, db.End(t.Context(), finish(run, "a")))
	}
	n := 0
	must(t, db.Branch(t.Context(), records.Branch{From: "thr_1", Run: "run_1"}, "thr_2", func() contract.RunID { n++; return contract.RunID(fmt.Sprint("run_copy", n)) }))
	branch, err := db.Thread(t.Context(), "thr_2")
	must(t, err)
	if len(branch.Items) != 2 || branch.Items[0].Answer.Thread != "thr_2" || branch.Items[1].ID != "run_copy2" {
		t.Errorf("got %+v", branch)
	}
	events, err := db.Since(t.Context(), "run_copy1", 0)
	must(t, err)
	if len(events) != 2 || events[0].Run != "run_copy1" {
		t.Errorf("events %v", events)
	}
	old, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if len(old.Items) != 3 {
		t.Errorf("the old thread has %d runs", len(old.Items))
	}
}

func TestRunsAreListedNewestFirstByStatusAndThread(t *testing.T) {
	db := open(t)
	for i := range 5 {
		run := begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i%2)), "q"))
		if i > 2 {
			must(t, db.End(t.Context(), finish(run, "a")))
		}
	}
	page, next, err := db.Runs(t.Context(), records.RunQuery{Status: contract.Running, Limit: 2})
	must(t, err)
	if len(page) != 2 || page[0].ID != "run_2" || next == "" {
		t.Errorf("got %v %q", page, next)
	}
	page, next, err = db.Runs(t.Context(), records.RunQuery{Status: contract.Running, Limit: 2, After: next})
	must(t, err)
	if len(page) != 1 || page[0].ID != "run_0" || next != "" {
		t.Errorf("got %v %q", page, next)
	}
	if page, _, err = db.Runs(t.Context(), records.RunQuery{Thread: "thr_1"}); err != nil || len(page) != 2 {
		t.Errorf("got %v %v", page, err)
	}
}

func TestSessionsNameThreads(t *testing.T) {
	db := open(t)
	begin(t, db, newRun("run_1", "thr_1", "q"))
	begin(t, db, newRun("run_2", "thr_2", "q"))
	must(t, db.BindSession(t.Context(), "my-session", "thr_1"))
	must(t, db.BindSession(t.Context(), "my-session", "thr_2"))
	if id, err := db.Session(t.Context(), "my-session"); id != "thr_2" || err != nil {
		t.Errorf("got %v %v", id, err)
	}
	_, err := db.Session(t.Context(), "other")
	wantFault(t, err, fault.NotFound)
}

func TestDeletingAThreadRemovesItsRowsAndOnErasureItsSnapshots(t *testing.T) {
	for _, erase := range []bool{false, true} {
		db := open(t)
		doc, passages := document(evidence.Web, "https://a.example/", "cited line")
		shared, more := document(evidence.Web, "https://b.example/", "shared line")
		must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
		must(t, db.Keep(t.Context(), answer.Kept{Document: shared, Passages: more}))
		for i, cards := range [][]contract.SourceCard{{{ID: doc.Source.ID}, {ID: shared.Source.ID}}, {{ID: shared.Source.ID}}} {
			run := finish(begin(t, db, newRun(contract.RunID(fmt.Sprint("run_", i)), contract.ThreadID(fmt.Sprint("thr_", i)), "q")), "a")
			run.Answer.Sources = cards
			must(t, db.End(t.Context(), run))
		}
		must(t, db.DeleteThread(t.Context(), "thr_0", erase))
		for _, table := range []string{"threads", "runs"} {
			var n int
			must(t, db.r.QueryRow(`SELECT count(*) FROM `+table).Scan(&n))
			if n != 1 {
				t.Errorf("%s: %d rows", table, n)
			}
		}
		if _, err := db.Source(t.Context(), doc.Source.ID); (fault.CodeOf(err) == fault.NotFound) != erase {
			t.Errorf("erase %v: snapshot %v", erase, err)
		}
		if _, err := db.Source(t.Context(), shared.Source.ID); err != nil {
			t.Errorf("erase %v: the other thread lost its snapshot: %v", erase, err)
		}
		wantFault(t, db.DeleteThread(t.Context(), "thr_0", erase), fault.NotFound)
	}
}
