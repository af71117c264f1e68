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

// Shared is a Store that other processes write to as well, and whose readers may
// lose rights while a run goes on. AtWork tells whether some process has not ended a
// run yet; Withheld, whether what it tells may not be shown any more.
type Shared interface {
	AtWork(ctx context.Context, run contract.RunID) (bool, error)
	Withheld(ctx context.Context, run contract.RunID) (bool, error)
}
