package answer

import (
	"context"

	"footnote/backend/answer/contract"
)

// Clarify replies to the question that a run asked back. Faults: not-found,
// already-ended, not-waiting, invalid-request for an empty or too long reply.
func (e *Engine) Clarify(ctx context.Context, id contract.RunID, reply string) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	return l.Reply(reply)
}
