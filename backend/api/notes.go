package api

import (
	"context"
	"crypto/rand"
	"time"

	"footnote/backend/evidence"
	"footnote/backend/notebook"
)

// Notes are what a reader wrote down in a collection.
type Notes struct{ *Rooms }

// List lists the notes of a collection, the newest first.
func (s Notes) List(ctx context.Context, in ID) (Page[notebook.Note], error) {
	c, err := s.Library.Collection(ctx, in.ID)
	if err != nil {
		return Page[notebook.Note]{}, err
	}
	list, err := s.DB.Notes(ctx, c.ID)
	return PageOf(list, ""), err
}

// NewNote is what is written down: text, words of a source, or both.
type NewNote struct {
	Text  string          `json:"text"`
	Quote *notebook.Quote `json:"quote"`
}

// AddNote names a collection and what is written down in it.
type AddNote struct {
	ID   string `path:"id"`
	Body NewNote
}

// Add writes a note. A source that is not known is fault not-found.
func (s Notes) Add(ctx context.Context, in AddNote) (notebook.Note, error) {
	c, err := s.Library.Collection(ctx, in.ID)
	if err != nil {
		return notebook.Note{}, err
	}
	now := time.Now()
	n := notebook.Note{ID: evidence.ID("nte", rand.Text()), Collection: c.ID, Text: in.Body.Text, Quote: in.Body.Quote, Made: now, Changed: now}
	if err := n.Check(); err != nil {
		return n, err
	}
	return n, s.DB.PutNote(ctx, n)
}

// NoteChange is another text of a note.
type NoteChange struct {
	Text string `json:"text"`
}

// ChangeNote names a note and its new text.
type ChangeNote struct {
	ID   string `path:"id"`
	Body NoteChange
}

// Change writes a note anew; what it quotes stays.
func (s Notes) Change(ctx context.Context, in ChangeNote) (notebook.Note, error) {
	n, err := s.DB.NoteByID(ctx, in.ID)
	if err != nil {
		return n, err
	}
	n.Text, n.Changed = in.Body.Text, time.Now()
	if err := n.Check(); err != nil {
		return n, err
	}
	return n, s.DB.PutNote(ctx, n)
}

// Remove deletes a note.
func (s Notes) Remove(ctx context.Context, in ID) (Nothing, error) {
	return Nothing{}, s.DB.DropNote(ctx, in.ID)
}
