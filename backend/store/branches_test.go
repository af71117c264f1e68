package store

import (
	"fmt"
	"reflect"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/records"
)

// talk keeps a thread of questions.
func talk(t *testing.T, db *DB, thread contract.ThreadID, questions ...string) {
	t.Helper()
	for _, q := range questions {
		run := begin(t, db, newRun(contract.RunID("run_"+string(thread)+q), thread, q))
		must(t, db.End(t.Context(), finish(run, "a")))
	}
}

// edit asks another question in the place of a turn.
func edit(t *testing.T, db *DB, from contract.ThreadID, turn int, to contract.ThreadID, question string) {
	t.Helper()
	was, err := db.Thread(t.Context(), from)
	must(t, err)
	n := 0
	must(t, db.Branch(t.Context(), records.Branch{From: from, Run: was.Items[turn].ID, Version: true, Title: question}, to,
		func() contract.RunID { n++; return contract.RunID(fmt.Sprint("run_", to, n)) }))
	talk(t, db, to, question)
}

func TestVersionsAreOneConversation(t *testing.T) {
	db := open(t)
	talk(t, db, "a", "q0", "q1")
	must(t, db.Pin(t.Context(), "a", true))
	edit(t, db, "a", 1, "b", "q1 edited")
	edit(t, db, "b", 0, "c", "q0 edited")
	talk(t, db, "other", "q")
	must(t, db.Branch(t.Context(), records.Branch{From: "a", Run: "run_aq0"}, "d", func() contract.RunID { return "run_d" }))
	listed := func(q records.ThreadQuery) (all string) {
		page, _, err := db.Threads(t.Context(), q)
		must(t, err)
		for _, thread := range page {
			all += fmt.Sprintf("%s %v %s, ", thread.ID, thread.Others, thread.Title)
		}
		return all
	}
	if got, want := listed(records.ThreadQuery{}), "c [a b] q0 edited, d [] q0, other [] q, "; got != want {
		t.Errorf("listed are %s want %s", got, want)
	}
	if got := listed(records.ThreadQuery{Q: "q1 edited"}); got != "b [a c] q0, " {
		t.Errorf("found is %s", got)
	}
	must(t, db.Rename(t.Context(), "c", "named"))
	must(t, db.Pin(t.Context(), "b", false))
	a, err := db.Thread(t.Context(), "a")
	must(t, err)
	if a.Title != "named" || a.Pinned {
		t.Errorf("%q, pinned %v", a.Title, a.Pinned)
	}
	must(t, db.DropBranch(t.Context(), "c"))
	must(t, db.DeleteThread(t.Context(), "b", false))
	if got := listed(records.ThreadQuery{}); got != "d [] q0, other [] q, " {
		t.Errorf("left is %s", got)
	}
	if err := db.DeleteThread(t.Context(), "b", false); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a second time: %v", err)
	}
}

func TestATurnKnowsItsOtherVersions(t *testing.T) {
	db := open(t)
	talk(t, db, "a", "q0", "q1", "q2")
	edit(t, db, "a", 1, "b", "q1 edited")
	talk(t, db, "b", "q2 of b")
	edit(t, db, "b", 2, "c", "q2 edited")       // shares q0 and the edited q1 with b
	edit(t, db, "c", 1, "d", "q1 edited again") // of the copy of a turn that was asked in b
	edit(t, db, "a", 0, "e", "q0 edited")
	type versions = map[int][]contract.ThreadID
	for id, want := range map[contract.ThreadID]versions{
		"a": {0: {"a", "e"}, 1: {"a", "b", "d"}},
		"b": {0: {"b", "e"}, 1: {"a", "b", "d"}, 2: {"b", "c"}},
		"c": {0: {"c", "e"}, 1: {"a", "c", "d"}, 2: {"b", "c"}},
		"d": {0: {"d", "e"}, 1: {"a", "b", "d"}},
		"e": {0: {"a", "e"}},
	} {
		thread, err := db.Thread(t.Context(), id)
		must(t, err)
		have := versions{}
		for _, v := range thread.Versions {
			have[v.Turn] = v.Threads
		}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %v, want %v", id, have, want)
		}
	}
	b, err := db.Thread(t.Context(), "b")
	must(t, err)
	if b.Title != "q0" || len(b.Items) != 3 || b.Items[0].Question.Text != "q0" || b.Items[1].Question.Text != "q1 edited" {
		t.Errorf("%q %+v", b.Title, b.Items)
	}
	must(t, db.DropBranch(t.Context(), "a"))
	d, err := db.Thread(t.Context(), "d")
	must(t, err)
	if want := []records.Versions{{Turn: 0, Threads: []contract.ThreadID{"d", "e"}}, {Turn: 1, Threads: []contract.ThreadID{"b", "d"}}}; !reflect.DeepEqual(d.Versions, want) {
		t.Errorf("after the first was deleted: %v, want %v", d.Versions, want)
	}
}
