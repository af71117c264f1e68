package contract

import (
	"footnote/backend/evidence"
)

// Diff is how a refreshed answer differs from the one before, and what became of
// that one's sources. What is as it was is not listed.
type Diff struct {
	Run      RunID           `json:"run"` // the answer before
	Claims   []ClaimChange   `json:"claims"`
	Links    []DeadLink      `json:"links"`
	Passages []EditedPassage `json:"passages"`
	Sources  []SourceChange  `json:"sources"`
}

// Change says what became of something.
type Change string

// Changes of claims and sources.
const (
	New     Change = "new"
	Gone    Change = "gone"
	Changed Change = "changed"
)

// ClaimChange is a sentence that the answers do not share.
type ClaimChange struct {
	Change Change `json:"change"`
	Before string `json:"before"` // empty when new
	After  string `json:"after"`  // empty when gone
}

// DeadLink is a source of the answer before that cannot be read any more.
type DeadLink struct {
	Source  evidence.SourceID `json:"source_id"`
	Title   string            `json:"title"`
	Address string            `json:"address"`
	Code    string            `json:"code"` // as in unread; not-found for files
	Reason  string            `json:"reason"`
}

// EditedPassage is a cited passage whose words do not stand in its source any
// more. After is what comes nearest to it there; empty when nothing does.
type EditedPassage struct {
	Source  evidence.SourceID  `json:"source_id"`
	Passage evidence.PassageID `json:"passage_id"`
	Title   string             `json:"title"`
	Address string             `json:"address"`
	Before  string             `json:"before"`
	After   string             `json:"after"`
}

// SourceChange is a source that only one of the answers has.
type SourceChange struct {
	Change  Change            `json:"change"`
	Source  evidence.SourceID `json:"source_id"`
	Title   string            `json:"title"`
	Address string            `json:"address"`
}
