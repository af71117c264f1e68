package journal

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
)

// Store is the numbered log of runs. Append must have stored the events, of
// whatever runs, when it returns, and none of them when it fails; Since gives the
// events after seq, in order.
type Store interface {
	Append(ctx context.Context, events ...contract.Event) error
	Since(ctx context.Context, run contract.RunID, seq int) ([]contract.Event, error)
}

// Ending is what is stored of a run that has ended. Ranking is nil when nothing
// was ranked.
type Ending struct {
	Run     contract.Run
	Ranking *trace.Ranking
	Tape    *trace.Tape
}

// Enders are a Store that keeps endings with the last events of their runs:
// one commit, all of it or nothing.
type Enders interface {
	AppendEnding(ctx context.Context, events []contract.Event, endings []Ending) error
}
