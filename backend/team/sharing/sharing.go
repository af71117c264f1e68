// Package sharing has what is told of a conversation that one person shows to
// others: whole to who may read all that an answer had, else what of its sources
// they may read themselves.
//
//	sharing.go  shares, and what they show    cut.go  an answer as others see it
package sharing

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
)

// Kind is with whom something is shared.
type Kind string

// Kinds of shares.
const (
	Person Kind = "person"
	Group  Kind = "group"
	Link   Kind = "link" // with whoever of the team has its address
)

// Share lets somebody see a conversation.
type Share struct {
	ID     string    `json:"id"`
	Kind   Kind      `json:"kind"`
	To     string    `json:"to"` // name; empty of a link
	Made   time.Time `json:"made"`
	Secret string    `json:"secret,omitempty"` // of a link that was just made: it is told once
}

// Shared is a conversation of somebody else as lists show it.
type Shared struct {
	ID      string    `json:"id"`
	From    string    `json:"from"`
	Title   string    `json:"title"`
	Updated time.Time `json:"updated"`
	Runs    int       `json:"runs"`
}

// Thread is a conversation of somebody else as one person may see it.
type Thread struct {
	Shared
	Items []contract.Run `json:"runs"`
}

// Giver shares a person's own conversations. One that is missing, or nobody of a
// name, is fault not-found.
type Giver interface {
	Shares(ctx context.Context, thread contract.ThreadID) ([]Share, error)
	Give(ctx context.Context, thread contract.ThreadID, name string) (Share, error)
	Link(ctx context.Context, thread contract.ThreadID) (Share, error)
	Take(ctx context.Context, thread contract.ThreadID, share string) error
}

// Viewer sees conversations of others, as far as they are shown now: what was taken
// back is fault not-found.
type Viewer interface {
	Listed(ctx context.Context) ([]Shared, error)
	Shown(ctx context.Context, shared string) (Thread, error)
	Open(ctx context.Context, secret string) (shared string, err error) // by a link
	Since(ctx context.Context, shared string, run contract.RunID, seq int) ([]contract.Event, error)
}

// Store keeps what is shared. Copy makes a conversation of one's own of what is
// shown, to ask further in it.
type Store interface {
	Giver
	Viewer
	Copy(ctx context.Context, shared string, thread contract.ThreadID, mint func() contract.RunID) error
}
