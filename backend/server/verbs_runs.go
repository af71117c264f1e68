package server

import (
	"context"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/store"
)

// BranchPoint names the run after which a branch goes its own way.
type BranchPoint struct {
	Run string `json:"run"`
}

// Branched names the thread that a branch made.
type Branched struct {
	Thread answer.ThreadID `json:"thread"`
}

// Branch copies a thread up to and with a run into a new one.
func (v *Verbs) Branch(ctx context.Context, thread string, at BranchPoint) (Branched, error) {
	if at.Run == "" {
		return Branched{}, fault.New(fault.MissingID, "No run was named.", "Send {\"run\": \"run_…\"}.")
	}
	made := answer.ThreadID(evidence.ID("thr", NewToken()))
	err := v.DB.Branch(ctx, answer.ThreadID(thread), answer.RunID(at.Run), made, func() answer.RunID {
		return answer.RunID(evidence.ID("run", NewToken()))
	})
	return Branched{made}, err
}

// Clarify replies to the question that a run asked back. Faults: not-found,
// already-ended, not-waiting, invalid-request.
func (v *Verbs) Clarify(ctx context.Context, id, reply string) error {
	return v.Engine.Clarify(ctx, answer.RunID(id), reply)
}

// Plan changes the dimensions of deep research while they are shown, and lets it
// go on; with hold it goes on waiting. No dimensions leave them. Faults: not-found,
// already-ended, not-waiting, invalid-request.
func (v *Verbs) Plan(ctx context.Context, id string, dimensions []string, hold bool) error {
	return v.Engine.Plan(ctx, answer.RunID(id), dimensions, hold)
}

// LedgerQuery selects entries of the ledger. After is the cursor of the page
// before.
type LedgerQuery struct {
	Run, Host, After string
	Limit            int
}

// LedgerLine is an entry of the ledger with the run it belongs to; none yet when
// a connection was opened ahead of a question.
type LedgerLine struct {
	Run answer.RunID `json:"run"`
	answer.LedgerEntry
}

// LedgerList lists what was sent and received, newest run first. A page holds
// the entries of Limit runs.
func (v *Verbs) LedgerList(ctx context.Context, q LedgerQuery) (Page[LedgerLine], error) {
	runs, next := []answer.Run{}, ""
	var err error
	if q.Run != "" {
		var run RunView
		run, err = v.Run(ctx, q.Run)
		runs = append(runs, run.Run)
	} else {
		runs, next, err = v.DB.Runs(ctx, store.RunQuery{Limit: q.Limit, After: q.After, Aside: true})
	}
	if err != nil {
		return Page[LedgerLine]{}, err
	}
	lines, err := v.opened(ctx, q)
	if err != nil {
		return Page[LedgerLine]{}, err
	}
	for _, run := range runs {
		lines = append(lines, linesOf(run.ID, ledgerOf(run), q.Host)...)
	}
	return pageOf(lines, next), nil
}

// ledgerOf is what a run sent and received, however it ended.
func ledgerOf(run answer.Run) []answer.LedgerEntry {
	if run.Answer != nil {
		return run.Answer.Ledger
	}
	return run.Ledger
}
