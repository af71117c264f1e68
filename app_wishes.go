package main

import (
	"footnote/backend/answer"
	"footnote/backend/server"
	"footnote/backend/store"
)

// Personas lists the reader's system prompts.
func (a *App) Personas() (server.Page[store.Persona], error) { return a.verbs.Personas(a.ctx) }

// AddPersona makes a persona.
func (a *App) AddPersona(in server.PersonaText) (store.Persona, error) {
	return a.verbs.AddPersona(a.ctx, in)
}

// ChangePersona gives a persona another name and text.
func (a *App) ChangePersona(id string, in server.PersonaText) (store.Persona, error) {
	return a.verbs.ChangePersona(a.ctx, id, in)
}

// RemovePersona deletes a persona.
func (a *App) RemovePersona(id string) error { return a.verbs.RemovePersona(a.ctx, id) }

// Lenses lists the domains and folders that come first, last or never.
func (a *App) Lenses() (server.Page[answer.Lens], error) { return a.verbs.Lenses(a.ctx) }

// SetLenses replaces all lenses.
func (a *App) SetLenses(list []answer.Lens) (server.Page[answer.Lens], error) {
	return a.verbs.SetLenses(a.ctx, list)
}
