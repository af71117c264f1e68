package main

import (
	"footnote/backend/answer"
	"footnote/backend/server"
)

// Trace tells how a run went.
func (a *App) Trace(run string) (server.TraceView, error) { return a.verbs.Trace(a.ctx, run) }

// Replay ranks the evidence of a saved run in another way and compares.
func (a *App) Replay(run string, change answer.Replay) (answer.Replayed, error) {
	return a.verbs.Replay(a.ctx, run, change)
}
