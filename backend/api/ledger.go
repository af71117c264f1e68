package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/privacy"
	"footnote/backend/records"
)

// ClarifyReply replies to what a run asked back.
type ClarifyReply struct {
	Reply string `json:"reply"`
}

// ClarifyRun names a run and what is replied to it.
type ClarifyRun struct {
	ID   string `path:"id"`
	Body ClarifyReply
}

// Clarify replies to the question that a run asked back. Faults: not-found,
// already-ended, not-waiting, invalid-request.
func (s Runs) Clarify(ctx context.Context, in ClarifyRun) (map[string]string, error) {
	return map[string]string{"run": in.ID}, s.Engine.Clarify(ctx, contract.RunID(in.ID), in.Body.Reply)
}

// PlanChange is what deep research shall look into.
type PlanChange struct {
	Dimensions []string `json:"dimensions"`
	Hold       bool     `json:"hold"`
}

// PlanRun names a run and what it shall look into.
type PlanRun struct {
	ID   string `path:"id"`
	Body PlanChange
}

// Plan changes the dimensions of deep research while they are shown, and lets it
// go on; with hold it goes on waiting. No dimensions leave them. Faults: not-found,
// already-ended, not-waiting, invalid-request.
func (s Runs) Plan(ctx context.Context, in PlanRun) (map[string]string, error) {
	return map[string]string{"run": in.ID}, s.Engine.Plan(ctx, contract.RunID(in.ID), in.Body.Dimensions, in.Body.Hold)
}

// Steer is what is to be done with one subquestion: skip, deepen or edit.
type Steer struct {
	Dimension string            `json:"dimension"`
	Action    contract.Steering `json:"action"`
	Question  string            `json:"question"`
}

// SteerRun names a run and what is to be done with a subquestion of it.
type SteerRun struct {
	ID   string `path:"id"`
	Body Steer
}

// Steer changes what becomes of a subquestion while deep research looks into them.
// Faults: not-found, already-ended, not-waiting, invalid-request.
func (s Runs) Steer(ctx context.Context, in SteerRun) (map[string]string, error) {
	return map[string]string{"run": in.ID}, s.Engine.Steer(ctx, contract.RunID(in.ID), in.Body.Dimension, in.Body.Action, in.Body.Question)
}

// LedgerQuery selects entries of the ledger.
type LedgerQuery struct {
	Run  string `query:"run" says:"Of this run"`
	Host string `query:"host" says:"To this host"`
	Paging
}

// LedgerLine is an entry of the ledger with the run it belongs to; none yet when
// a connection was opened ahead of a question.
type LedgerLine struct {
	Run contract.RunID `json:"run"`
	privacy.LedgerEntry
	Files []LedgerFile `json:"files"`
}

// Ledgers lists what was sent and received, newest run first. A page holds the
// entries of Limit runs.
func (s Runs) Ledgers(ctx context.Context, q LedgerQuery) (Page[LedgerLine], error) {
	runs, next := []contract.Run{}, ""
	var err error
	if q.Run != "" {
		var run RunView
		run, err = s.Get(ctx, ID{q.Run})
		runs = append(runs, run.Run)
	} else {
		runs, next, err = s.DB.Runs(ctx, records.RunQuery{Limit: int(q.Limit), After: q.After, Aside: true})
	}
	if err != nil {
		return Page[LedgerLine]{}, err
	}
	lines, err := s.opened(ctx, q)
	if err != nil {
		return Page[LedgerLine]{}, err
	}
	for _, run := range runs {
		lines = append(lines, linesOf(run.ID, LedgerOf(run), q.Host)...)
	}
	return PageOf(lines, next), s.nameFiles(ctx, lines)
}

// LedgerOf is what a run sent and received, however it ended.
func LedgerOf(run contract.Run) []privacy.LedgerEntry {
	if run.Answer != nil {
		return run.Answer.Ledger
	}
	return run.Ledger
}
