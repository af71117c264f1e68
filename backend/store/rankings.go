package store

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
)

// KeepRanking stores how the evidence of a run was ranked; it goes with the run.
func (d *DB) KeepRanking(ctx context.Context, run contract.RunID, r trace.Ranking) error {
	return d.keepNote(ctx, run, "rankings", r)
}

// Ranking gives how the evidence of a run was ranked. A run that ranked nothing
// is fault not-found.
func (d *DB) Ranking(ctx context.Context, run contract.RunID) (r trace.Ranking, err error) {
	return r, d.note(ctx, run, "rankings", &r)
}
