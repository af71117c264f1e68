package trace

import (
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// KeptThread is a conversation with everything its answers rest on: enough to
// show it elsewhere as it is here, and to work out again how each answer came to
// be.
type KeptThread struct {
	ID        contract.ThreadID
	Title     string
	Type      string
	Created   time.Time
	Updated   time.Time
	Runs      []KeptRun // that have ended, in order
	Documents []KeptDocument
}

// KeptRun is a run with what was noted of it. Sources are the documents that it
// holds; Ranking and Tape are nil where none was kept.
type KeptRun struct {
	Run     contract.Run
	Events  []contract.Event
	Sources []evidence.SourceID
	Ranking *Ranking
	Tape    *Tape
}

// KeptDocument is a source as it was read, with those of its passages that the
// runs name.
type KeptDocument struct {
	evidence.Document
	Passages []evidence.Passage
}
