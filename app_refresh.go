package main

import (
	"footnote/backend/answer"
	"footnote/backend/server"
)

// Refresh asks the question of an answered run again; the new answer tells how it
// differs.
func (a *App) Refresh(id string) (server.Asked, error) { return a.verbs.Refresh(a.ctx, id) }

// KeepFresh has an answer asked again by the clock, or when a file that it cites
// changes.
func (a *App) KeepFresh(id string, w answer.Wish) (answer.Standing, error) {
	return a.verbs.KeepFresh(a.ctx, id, w)
}

// DropFresh has an answer kept fresh no longer.
func (a *App) DropFresh(id string) error { return a.verbs.DropFresh(a.ctx, id) }

// FreshList lists the answers that are kept fresh.
func (a *App) FreshList() (server.Page[server.FreshView], error) { return a.verbs.FreshList(a.ctx) }

// SeenThread notes that the reader has looked at what checks found in a thread.
func (a *App) SeenThread(id string) error { return a.verbs.SeenThread(a.ctx, id) }
