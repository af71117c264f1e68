package app

import (
	"footnote/backend/answer"
	"footnote/backend/server"
)

// Trace tells how a run went.
func (b *Bindings) Trace(run string) (server.TraceView, error) { return b.verbs.Trace(b.ctx, run) }

// Replay ranks the evidence of a saved run in another way and compares.
func (b *Bindings) Replay(run string, change answer.Replay) (answer.Replayed, error) {
	return b.verbs.Replay(b.ctx, run, change)
}
