package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// Records keeps threads and runs. Begin creates the thread when it is new.
// CloseOpen marks runs that were left running as failed with interrupted,
// appends the missing last event to each and returns how many there were.
type Records interface {
	Begin(ctx context.Context, run contract.Run, title string) error
	End(ctx context.Context, run contract.Run) error
	History(ctx context.Context, thread contract.ThreadID, before contract.RunID, n int) ([]contract.Turn, error)
	CloseOpen(ctx context.Context) (int, error)
}

// Archive keeps what was read, under its digest, so that a citation can always
// be shown. Keep stores all or nothing and is idempotent.
type Archive interface {
	Keep(ctx context.Context, texts ...Kept) error
}

// Kept is a text that was read, with the passages of it that may be cited.
type Kept struct {
	evidence.Document
	Passages []evidence.Passage
}
