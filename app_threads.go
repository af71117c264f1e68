package main

import "footnote/backend/server"

// RepairThread takes the runs out of a thread that have no answer to show.
func (a *App) RepairThread(id string) (server.ThreadView, error) {
	return a.verbs.RepairThread(a.ctx, id)
}

// BranchThread begins a thread that shares the runs of another one up to a run.
func (a *App) BranchThread(id, run string) (server.Branched, error) {
	return a.verbs.Branch(a.ctx, id, server.BranchPoint{Run: run})
}
