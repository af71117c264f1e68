package api

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/records"
)

// PersonaText is what a persona is made of.
type PersonaText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ChangePersona names a persona and what it is made of from now on.
type ChangePersona struct {
	ID   string `path:"id"`
	Body PersonaText
}

// Personas are the reader's system prompts.
type Personas struct{ *Rooms }

// List lists the reader's system prompts.
func (s Personas) List(ctx context.Context, _ None) (Page[records.Persona], error) {
	list, err := s.DB.Personas(ctx)
	return PageOf(list, ""), err
}

// Add makes a persona.
func (s Personas) Add(ctx context.Context, in PersonaText) (records.Persona, error) {
	return s.DB.AddPersona(ctx, records.Persona{Name: in.Name, Text: in.Text})
}

// Change gives a persona another name and text.
func (s Personas) Change(ctx context.Context, in ChangePersona) (records.Persona, error) {
	return s.DB.ChangePersona(ctx, records.Persona{ID: in.ID, Name: in.Body.Name, Text: in.Body.Text})
}

// Remove deletes a persona.
func (s Personas) Remove(ctx context.Context, in ID) (Nothing, error) {
	return Nothing{}, s.DB.DropPersona(ctx, in.ID)
}

// Lenses are the domains and folders that come first, last or never.
type Lenses struct{ *Rooms }

// List lists the lenses.
func (s Lenses) List(ctx context.Context, _ None) (Page[contract.Lens], error) {
	list, err := s.DB.Lenses(ctx)
	return PageOf(list, ""), err
}

// Set replaces all lenses.
func (s Lenses) Set(ctx context.Context, list contract.Lenses) (Page[contract.Lens], error) {
	list, err := list.Checked()
	if err == nil {
		err = s.DB.SetLenses(ctx, list)
	}
	if err != nil {
		return Page[contract.Lens]{}, err
	}
	return s.List(ctx, None{})
}
