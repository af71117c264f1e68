package main

import "footnote/backend/server"

// Refresh asks the question of an answered run again; the new answer tells how it
// differs.
func (a *App) Refresh(id string) (server.Asked, error) { return a.verbs.Refresh(a.ctx, id) }
