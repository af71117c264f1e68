package answer_test

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/privacy"
)

func TestWhatWasOpenedAheadIsInTheLedgerOfTheNextRunThatMayGoOut(t *testing.T) {
	s := set(t, nil, nil)
	ahead := []privacy.LedgerEntry{{Host: "engine.example", Purpose: "connect", BytesOut: 90, BytesIn: 40, Requests: 1}}
	s.TakeOpened = func(context.Context) ([]privacy.LedgerEntry, error) {
		taken := ahead
		ahead = nil
		return taken, nil
	}
	told := func(events []contract.Event) bool {
		ledger := events[len(events)-1].Body.(contract.FinishedRun).Answer.Ledger
		return slices.ContainsFunc(ledger, func(e privacy.LedgerEntry) bool {
			return e.Host == "engine.example" && e.Purpose == "connect" && e.BytesOut == 90 && e.BytesIn == 40 && e.Requests == 1
		})
	}
	if told(s.ask(t, "When was the bridge over the Lorne opened?", func(q *contract.Question) { q.Offline = true })) {
		t.Error("an offline answer says that something went out")
	}
	if !told(s.ask(t, "How long is the Lorne bridge?", nil)) {
		t.Error("no ledger has it")
	}
	if told(s.ask(t, "What did the Lorne bridge cost?", nil)) {
		t.Error("two ledgers have it")
	}
}
