package server

import (
	"context"

	"footnote/backend/answer"
	"footnote/backend/store"
)

// PersonaText is what a persona is made of.
type PersonaText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Personas lists the reader's system prompts.
func (v *Verbs) Personas(ctx context.Context) (Page[store.Persona], error) {
	list, err := v.DB.Personas(ctx)
	return pageOf(list, ""), err
}

// AddPersona makes a persona.
func (v *Verbs) AddPersona(ctx context.Context, in PersonaText) (store.Persona, error) {
	return v.DB.AddPersona(ctx, store.Persona{Name: in.Name, Text: in.Text})
}

// ChangePersona gives a persona another name and text.
func (v *Verbs) ChangePersona(ctx context.Context, id string, in PersonaText) (store.Persona, error) {
	return v.DB.ChangePersona(ctx, store.Persona{ID: id, Name: in.Name, Text: in.Text})
}

// RemovePersona deletes a persona.
func (v *Verbs) RemovePersona(ctx context.Context, id string) error {
	return v.DB.DropPersona(ctx, id)
}

// Lenses lists the domains and folders that come first, last or never.
func (v *Verbs) Lenses(ctx context.Context) (Page[answer.Lens], error) {
	list, err := v.DB.Lenses(ctx)
	return pageOf(list, ""), err
}

// SetLenses replaces all lenses.
func (v *Verbs) SetLenses(ctx context.Context, list answer.Lenses) (Page[answer.Lens], error) {
	list, err := list.Checked()
	if err == nil {
		err = v.DB.SetLenses(ctx, list)
	}
	if err != nil {
		return Page[answer.Lens]{}, err
	}
	return v.Lenses(ctx)
}
