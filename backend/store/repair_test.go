package store

import (
	"fmt"
	"strings"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/store/sqlite"
)

func TestRepairDropsWhatHasNoAnswerAndKeepsTheRest(t *testing.T) {
	db := open(t)
	must(t, db.End(t.Context(), finish(begin(t, db, newRun("run_1", "thr_1", "q1")), "a1")))
	failed := begin(t, db, newRun("run_2", "thr_1", "q2"))
	failed.Status, failed.Failure = contract.Failed, &contract.Failure{Code: fault.ModelTimeout}
	must(t, db.End(t.Context(), failed))
	must(t, db.End(t.Context(), finish(begin(t, db, newRun("run_3", "thr_1", "q3")), "a3")))
	stopped := begin(t, db, newRun("run_4", "thr_1", "q4"))
	stopped.Status, stopped.Partial = contract.Stopped, "a4, as far as it"
	must(t, db.End(t.Context(), stopped))
	begin(t, db, newRun("run_5", "thr_1", "q5")) // stuck
	begin(t, db, newRun("run_6", "thr_2", "q6"))
	_, err := db.w.Exec(`UPDATE runs SET record = '{' WHERE id = 'run_3'`)
	must(t, err)

	gone, err := db.Repair(t.Context(), "thr_1")
	must(t, err)
	thread, err := db.Thread(t.Context(), "thr_1")
	must(t, err)
	if gone != 3 || len(thread.Items) != 2 || thread.Items[0].ID != "run_1" || thread.Items[1].ID != "run_4" || thread.Running {
		t.Errorf("%d went, there are %+v", gone, thread.Items)
	}
	var aside int
	must(t, db.r.QueryRow(`SELECT count(*) FROM damaged WHERE run = 'run_3'`).Scan(&aside))
	if aside != 1 {
		t.Error("the damaged record is not aside any more")
	}
	if other, err := db.Thread(t.Context(), "thr_2"); err != nil || len(other.Items) != 1 {
		t.Errorf("another thread has %+v, %v", other.Items, err)
	}
	if gone, err = db.Repair(t.Context(), "thr_1"); gone != 0 || err != nil {
		t.Errorf("a whole thread lost %d runs, %v", gone, err)
	}
	_, err = db.Repair(t.Context(), "thr_none")
	wantFault(t, err, fault.NotFound)
}

func TestHistoryBringsThePassagesThatWereCited(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.Web, "https://example.org/a", "The first line.", "The second line.")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
	run := finish(begin(t, db, newRun("run_1", "thr_1", "q1")), "The second [1].")
	cite := contract.Citation{Marker: 1, Passage: passages[1].ID, Source: doc.Source.ID}
	gone := contract.Citation{Marker: 1, Passage: "psg_gone", Source: doc.Source.ID}
	run.Answer.Citations = []contract.Citation{cite, gone, cite}
	run.Answer.Sources = []contract.SourceCard{{N: 1, ID: doc.Source.ID, Engine: "frozen"}}
	must(t, db.End(t.Context(), run))
	turns, err := db.History(t.Context(), "thr_1", "", 5)
	must(t, err)
	if len(turns) != 1 || len(turns[0].Cited) != 1 {
		t.Fatalf("got %+v", turns)
	}
	if c := turns[0].Cited[0]; c.Passage.Text != "The second line." || c.Passage.Source != doc.Source.ID || c.Source.Address != doc.Source.Address || c.Via != "frozen" {
		t.Errorf("got %+v", c)
	}
}

func TestADeletedThreadLeavesNoRowInAnyTable(t *testing.T) {
	db := open(t)
	doc, passages := document(evidence.Web, "https://example.org/secret", "Only this thread read it.")
	must(t, db.Keep(t.Context(), answer.Kept{Document: doc, Passages: passages}))
	run := begin(t, db, newRun("run_gone", "thr_gone", "q"))
	journaled(t, db, run.ID, contract.Selected{Sources: []contract.SourceCard{{ID: doc.Source.ID}}}, contract.TextDelta{Delta: "x"})
	must(t, db.BindSession(t.Context(), "ses_gone", "thr_gone"))
	must(t, db.End(t.Context(), finish(run, "a")))
	must(t, db.DeleteThread(t.Context(), "thr_gone", true))
	tables, err := sqlite.Collect(t.Context(), db.r, sqlite.ScanString[string], `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose%'`)
	must(t, err)
	for _, table := range tables {
		rows, err := db.r.Query(`SELECT * FROM ` + table)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			row, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			must(t, rows.Scan(into...))
			if text := fmt.Sprintf("%s", row); strings.Contains(text, "_gone") || strings.Contains(text, string(doc.Source.ID)) || strings.Contains(text, doc.Source.Digest) {
				t.Errorf("%s still has %s", table, text)
			}
		}
		must(t, rows.Close())
	}
}
