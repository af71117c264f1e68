package refresh

import (
	"context"
	"fmt"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Subscription is an answer that is kept fresh: its question is asked again by the
// clock, or when a file it cites changes.
type Subscription struct {
	Run      contract.RunID    `json:"run"` // the answer that a reader chose; later ones refresh it
	Thread   contract.ThreadID `json:"thread"`
	EveryMs  int64             `json:"every_ms"`  // 0: not by the clock
	OnChange bool              `json:"on_change"` // of a file that it cites
	Files    map[string]string `json:"-"`         // paths and the digests that were last checked
	Due      *time.Time        `json:"due,omitempty"`
	Tried    *time.Time        `json:"tried,omitempty"`
	Checked  *time.Time        `json:"checked,omitempty"` // the last try that came to its end
	Changed  *time.Time        `json:"changed,omitempty"` // the last one that found changes
	Failures int               `json:"failures"`          // in a row
	Failure  *contract.Failure `json:"failure,omitempty"` // the last of them
	Paused   bool              `json:"paused"`            // given up: it waits for a person
	Unseen   bool              `json:"unseen"`            // changes were found that nobody has looked at
	Checking bool              `json:"checking"`          // just now
}

// Schedule is how an answer is to be kept fresh: by the clock, by its files, or both.
type Schedule struct {
	EveryMs  int64 `json:"every_ms"`
	OnChange bool  `json:"on_change"`
}

// Limits of how often an answer is asked again.
const (
	LeastEvery = time.Hour
	MostEvery  = 366 * 24 * time.Hour
)

// Store keeps which answers are kept fresh. What is not there is fault
// not-found.
type Store interface {
	Subscriptions(ctx context.Context, thread contract.ThreadID) ([]Subscription, error) // of all threads, if none is named
	PutSubscription(ctx context.Context, s Subscription) error
	EditSubscription(ctx context.Context, run contract.RunID, change func(*Subscription)) error
	DropSubscription(ctx context.Context, run contract.RunID) error

	// Freshest is the newest answer that goes back to one.
	Freshest(ctx context.Context, run contract.RunID) (contract.Run, error)
	// SettleCheck ends a check: it becomes a turn of its thread, or only its
	// question and its ledger are kept.
	SettleCheck(ctx context.Context, subscription, check contract.RunID, turn bool, change func(*Subscription)) error
	// SweepChecks sees to the checks that an earlier process broke off.
	SweepChecks(ctx context.Context) error
	// FileDigests tells the digests of files: empty where there is none any more,
	// none where it cannot be told now.
	FileDigests(ctx context.Context, paths []string) (map[string]string, error)
}

// News tells open windows of a check that began or ended.
type News struct {
	Run     contract.RunID    `json:"run"` // of the subscription
	Thread  contract.ThreadID `json:"thread"`
	State   string            `json:"state"`   // checking, changed, same, failed, paused, off
	Message string            `json:"message"` // why it failed
}

// Kind makes it an event of the library's stream, which every window follows.
func (News) Kind() string { return "fresh" }

// checked refuses a schedule that cannot be kept for an answer.
func (s Schedule) checked(run contract.Run) error {
	every := time.Duration(s.EveryMs) * time.Millisecond
	switch {
	case run.Question.Private:
		return NoPrivate()
	case run.Question.Aside, run.Answer == nil, run.Answer.Outcome == contract.Chatted:
		return fault.New(fault.InvalidRequest, "This question has no answer that could be kept fresh.", "Keep one fresh that rests on sources.")
	case s.EveryMs == 0 && !s.OnChange:
		return fault.New(fault.InvalidRequest, "It is not said when the answer is to be checked.", "Send every_ms, on_change or both.")
	case s.EveryMs != 0 && (every < LeastEvery || every > MostEvery):
		return fault.New(fault.InvalidRequest, fmt.Sprintf("An answer is checked every hour at the most, and every %d days at the least.", int(MostEvery.Hours()/24)), "Choose a time between.")
	case s.OnChange && len(run.FilesRead()) == 0:
		return fault.New(fault.InvalidRequest, "This answer cites no file, so none of them can change.", "Have it checked by the clock.")
	}
	return nil
}

// NoPrivate is the fault of keeping a private conversation fresh.
func NoPrivate() error {
	return fault.New(fault.InvalidRequest, "A private conversation is kept nowhere, so it cannot be kept fresh.", "Ask the question in a conversation that is kept.")
}
