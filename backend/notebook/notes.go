package notebook

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Note is what a reader wrote down in a collection, with the words it is about.
type Note struct {
	ID         string    `json:"id"`
	Collection string    `json:"collection"`
	Text       string    `json:"text"` // may be empty where something is quoted
	Quote      *Quote    `json:"quote,omitempty"`
	Made       time.Time `json:"made"`
	Changed    time.Time `json:"changed"`
}

// Quote is words of a source as it was read.
type Quote struct {
	Text   string            `json:"text"`
	Source evidence.SourceID `json:"source"`
	Title  string            `json:"title"` // of the source
	At     evidence.Locator  `json:"locator"`
}

// Store keeps notes. Notes lists those of a collection, the newest first. A note
// or collection that does not exist is fault not-found; dropping a note twice is
// no error.
type Store interface {
	Notes(ctx context.Context, collection string) ([]Note, error)
	NoteByID(ctx context.Context, id string) (Note, error)
	PutNote(ctx context.Context, n Note) error
	DropNote(ctx context.Context, id string) error
}

const (
	mostText  = 20_000 // code points
	mostQuote = 8_000
)

// Check trims a note and refuses one that says nothing or too much: fault
// invalid-request or too-large.
func (n *Note) Check() error {
	n.Text = strings.TrimSpace(strings.ToValidUTF8(n.Text, "\uFFFD"))
	if length := utf8.RuneCountInString(n.Text); length > mostText {
		return fault.New(fault.TooLarge, fmt.Sprintf("The note has %d characters; %d are allowed.", length, mostText), "Write two notes.")
	}
	if n.Quote == nil {
		if n.Text == "" {
			return fault.New(fault.InvalidRequest, "The note is empty.", "Write something, or delete it.")
		}
		return nil
	}
	n.Quote.Text = strings.TrimSpace(strings.ToValidUTF8(n.Quote.Text, "\uFFFD"))
	switch length := utf8.RuneCountInString(n.Quote.Text); {
	case length == 0 || n.Quote.Source == "" || n.Quote.At.Start < 0 || n.Quote.At.End <= n.Quote.At.Start:
		return fault.New(fault.InvalidRequest, "A quotation needs its words, its source and its place.", "Send text, source and locator.")
	case length > mostQuote:
		return fault.New(fault.TooLarge, fmt.Sprintf("The quotation has %d characters; %d are allowed.", length, mostQuote), "Select less.")
	}
	return nil
}
