package app

import (
	"footnote/backend/answer"
	"footnote/backend/server"
	"footnote/backend/store"
)

// Personas lists the reader's system prompts.
func (b *Bindings) Personas() (server.Page[store.Persona], error) { return b.verbs.Personas(b.ctx) }

// AddPersona makes a persona.
func (b *Bindings) AddPersona(in server.PersonaText) (store.Persona, error) {
	return b.verbs.AddPersona(b.ctx, in)
}

// ChangePersona gives a persona another name and text.
func (b *Bindings) ChangePersona(id string, in server.PersonaText) (store.Persona, error) {
	return b.verbs.ChangePersona(b.ctx, id, in)
}

// RemovePersona deletes a persona.
func (b *Bindings) RemovePersona(id string) error { return b.verbs.RemovePersona(b.ctx, id) }

// Lenses lists the domains and folders that come first, last or never.
func (b *Bindings) Lenses() (server.Page[answer.Lens], error) { return b.verbs.Lenses(b.ctx) }

// SetLenses replaces all lenses.
func (b *Bindings) SetLenses(list []answer.Lens) (server.Page[answer.Lens], error) {
	return b.verbs.SetLenses(b.ctx, list)
}
