package answer

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

const replyRunes = 2000 // of a reply to a question asked back

// Clarify replies to the question that a run asked back. Faults: not-found,
// already-ended, not-waiting, invalid-request for an empty or too long reply.
func (e *Engine) Clarify(ctx context.Context, id contract.RunID, reply string) error {
	l, err := e.running(ctx, id)
	if err != nil {
		return err
	}
	reply = strings.TrimSpace(strings.ToValidUTF8(reply, "\uFFFD"))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.reply == nil:
		return fault.New(fault.NotWaiting, "This run waits for nothing.", "Ask again with what you want to add.")
	case reply == "":
		return fault.New(fault.InvalidRequest, "The reply is empty.", "Say which of the meanings you want, or press “Answer now”.")
	case utf8.RuneCountInString(reply) > replyRunes:
		return fault.New(fault.InvalidRequest, fmt.Sprintf("The reply has more than %d characters.", replyRunes), "Say it in fewer words.")
	}
	l.clarifyLocked(contract.Clarified{Reply: reply, By: "user"})
	return nil
}
