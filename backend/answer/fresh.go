package answer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Standing is an answer that is kept fresh: its question is asked again by the
// clock, or when a file it cites changes.
type Standing struct {
	Run      RunID             `json:"run"` // the answer that a reader chose; later ones refresh it
	Thread   ThreadID          `json:"thread"`
	EveryMs  int64             `json:"every_ms"`  // 0: not by the clock
	OnChange bool              `json:"on_change"` // of a file that it cites
	Files    map[string]string `json:"-"`         // paths and the digests that were last checked
	Due      *time.Time        `json:"due,omitempty"`
	Tried    *time.Time        `json:"tried,omitempty"`
	Checked  *time.Time        `json:"checked,omitempty"` // the last try that came to its end
	Changed  *time.Time        `json:"changed,omitempty"` // the last one that found changes
	Failures int               `json:"failures"`          // in a row
	Failure  *Failure          `json:"failure,omitempty"` // the last of them
	Paused   bool              `json:"paused"`            // given up: it waits for a person
	Unseen   bool              `json:"unseen"`            // changes were found that nobody has looked at
	Checking bool              `json:"checking"`          // just now
}

// Wish is how an answer is to be kept fresh: by the clock, by its files, or both.
type Wish struct {
	EveryMs  int64 `json:"every_ms"`
	OnChange bool  `json:"on_change"`
}

// Limits of how often an answer is asked again.
const (
	LeastEvery = time.Hour
	MostEvery  = 366 * 24 * time.Hour
)

// Standings keeps which answers are kept fresh. What is not there is fault
// not-found.
type Standings interface {
	Standing(ctx context.Context, thread ThreadID) ([]Standing, error) // of all threads, if none is named
	PutStanding(ctx context.Context, s Standing) error
	EditStanding(ctx context.Context, run RunID, change func(*Standing)) error
	DropStanding(ctx context.Context, run RunID) error

	// Freshest is the newest answer that goes back to one.
	Freshest(ctx context.Context, run RunID) (Run, error)
	// SettleCheck ends a check: it becomes a turn of its thread, or only its
	// question and its ledger are kept.
	SettleCheck(ctx context.Context, standing, check RunID, turn bool, change func(*Standing)) error
	// SweepChecks sees to the checks that an earlier process broke off.
	SweepChecks(ctx context.Context) error
	// FileDigests tells the digests of files: empty where there is none any more,
	// none where it cannot be told now.
	FileDigests(ctx context.Context, paths []string) (map[string]string, error)
}

// FreshNews tells open windows of a check that began or ended.
type FreshNews struct {
	Run     RunID    `json:"run"` // of the standing question
	Thread  ThreadID `json:"thread"`
	State   string   `json:"state"`   // checking, changed, same, failed, paused, off
	Message string   `json:"message"` // why it failed
}

// Kind makes it an event of the library's stream, which every window follows.
func (FreshNews) Kind() string { return "fresh" }

// refreshing is the question of an answered run as it is asked again.
func refreshing(run Run) Question {
	q := run.Question
	q.Thread, q.Replaces, q.Cache, q.Refreshes, q.Unattended, q.Aside = run.Thread, "", false, run.ID, true, false
	return q
}

// check asks the question of an answered run again, aside from its thread.
func (e *Engine) check(ctx context.Context, run Run) (Run, error) {
	q := refreshing(run)
	q.Aside = true
	return e.ask(ctx, q)
}

// Quiet reports whether no person's question is being answered, and gives a
// channel that is closed when runs begin or end.
func (e *Engine) Quiet() (quiet bool, changed <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	quiet = true
	for _, l := range e.live {
		quiet = quiet && (l.run.Question.Aside || l.over())
	}
	return quiet, e.stir
}

// stirred wakes who waits for Quiet, as a run has begun or ended; the engine is
// locked.
func (e *Engine) stirred() {
	e.settle()
	close(e.stir)
	e.stir = make(chan struct{})
}

// origin is the answer that a chain of refreshed ones goes back to.
func origin(ctx context.Context, past Past, id RunID) RunID {
	for range 1000 { // a chain in a circle is none of ours
		run, err := past.Run(ctx, id)
		if err != nil || run.Question.Refreshes == "" {
			return id
		}
		id = run.Question.Refreshes
	}
	return id
}

// differs reports whether an answer tells other than the one it refreshes. A model
// words the same texts differently each time: that alone is no change.
func differs(before, after Answer) bool {
	d := after.Diff
	if len(d.Links)+len(d.Passages)+len(d.Sources) > 0 {
		return true
	}
	return len(d.Claims) > 0 && (after.Outcome == Computed || !slices.Equal(sourceIDs(before), sourceIDs(after)))
}

// sourceIDs name the texts that an answer rests on, with what they said.
func sourceIDs(a Answer) []evidence.SourceID {
	var ids []evidence.SourceID
	for _, s := range a.Sources {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return ids
}

// unfair is why an answer cannot be compared with the one before: it had to do
// without something that one had. Nil where it can.
func unfair(before, after Answer) *Failure {
	files, web := hasFiles(before), hasWeb(before)
	for _, n := range after.Notices {
		switch {
		case n.Code == string(fault.ConfirmNeeded):
			return &Failure{fault.ConfirmNeeded, n.Message, "Ask the question yourself and allow it, or choose a model on this computer."}
		case web && (n.Code == "offline" || n.Code == "search-blocked" || n.Code == "search-skipped"):
			return &Failure{fault.SearchFailed, n.Message, "It is tried again by itself."}
		case n.Code == "search-partial" && (files && !hasFiles(after) || web && !hasWeb(after)):
			return &Failure{fault.SearchFailed, n.Message, "It is tried again by itself."}
		}
	}
	if before.Outcome == Answered && after.Outcome == Extracted {
		return &Failure{fault.ModelMissing, "The model that wrote the answer is not there now.", "Start it, or choose another."}
	}
	if after.Diff == nil {
		return &Failure{fault.Internal, "The answer could not be compared with the one before.", "Check it by hand."}
	}
	return nil
}

func hasFiles(a Answer) bool {
	return slices.ContainsFunc(a.Sources, func(s SourceCard) bool { return s.Kind == evidence.File })
}

func hasWeb(a Answer) bool {
	return slices.ContainsFunc(a.Sources, func(s SourceCard) bool {
		return s.Kind != evidence.File && s.Kind != evidence.Computed && s.Kind != evidence.Pasted
	})
}

// checked refuses a wish that cannot be fulfilled for an answer.
func (w Wish) checked(run Run) error {
	every := time.Duration(w.EveryMs) * time.Millisecond
	switch {
	case run.Question.Private:
		return NoPrivateFreshness()
	case run.Question.Aside, run.Answer == nil, run.Answer.Outcome == Chatted:
		return fault.New(fault.InvalidRequest, "This question has no answer that could be kept fresh.", "Keep one fresh that rests on sources.")
	case w.EveryMs == 0 && !w.OnChange:
		return fault.New(fault.InvalidRequest, "It is not said when the answer is to be checked.", "Send every_ms, on_change or both.")
	case w.EveryMs != 0 && (every < LeastEvery || every > MostEvery):
		return fault.New(fault.InvalidRequest, fmt.Sprintf("An answer is checked every hour at the most, and every %d days at the least.", int(MostEvery.Hours()/24)), "Choose a time between.")
	case w.OnChange && len(run.FilesRead()) == 0:
		return fault.New(fault.InvalidRequest, "This answer cites no file, so none of them can change.", "Have it checked by the clock.")
	}
	return nil
}

// NoPrivateFreshness is the fault of keeping a private conversation fresh.
func NoPrivateFreshness() error {
	return fault.New(fault.InvalidRequest, "A private conversation is kept nowhere, so it cannot be kept fresh.", "Ask the question in a conversation that is kept.")
}
