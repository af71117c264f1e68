package app

import "footnote/backend/server"

// RepairThread takes the runs out of a thread that have no answer to show.
func (b *Bindings) RepairThread(id string) (server.ThreadView, error) {
	return b.verbs.RepairThread(b.ctx, id)
}

// BranchThread begins a thread that shares the runs of another one up to a run.
func (b *Bindings) BranchThread(id, run string) (server.Branched, error) {
	return b.verbs.Branch(b.ctx, id, server.BranchPoint{Run: run})
}
