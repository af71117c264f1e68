package journal

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Clarify asks the reader back and waits: for the reply, for "answer now", or
// until the wait is over. The error is ctx's.
func (l *Live) Clarify(ctx context.Context, ask contract.ClarifyAsked) (contract.Clarified, error) {
	reply := make(chan contract.Clarified, 1)
	l.mu.Lock()
	l.waits.reply = reply
	l.emitLocked(ask)
	l.mu.Unlock()
	timer := time.NewTimer(time.Duration(ask.WaitMs) * time.Millisecond)
	defer timer.Stop()
	select {
	case said := <-reply:
		return said, nil
	case <-timer.C:
		l.mu.Lock()
		l.clarifyLocked(contract.Clarified{By: "timeout"})
		l.mu.Unlock()
		return <-reply, nil // the first who replied has it
	case <-ctx.Done():
		l.mu.Lock()
		l.waits.reply = nil
		l.mu.Unlock()
		return contract.Clarified{}, ctx.Err()
	}
}

const replyRunes = 2000 // of a reply to a question asked back

// Reply replies to the question that was asked back. Faults: not-waiting,
// invalid-request for an empty or too long reply.
func (l *Live) Reply(reply string) error {
	reply = strings.TrimSpace(strings.ToValidUTF8(reply, "\uFFFD"))
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.waits.reply == nil:
		return fault.New(fault.NotWaiting, "This run waits for nothing.", "Ask again with what you want to add.")
	case reply == "":
		return fault.New(fault.InvalidRequest, "The reply is empty.", "Say which of the meanings you want, or press “Answer now”.")
	case utf8.RuneCountInString(reply) > replyRunes:
		return fault.New(fault.InvalidRequest, fmt.Sprintf("The reply has more than %d characters.", replyRunes), "Say it in fewer words.")
	}
	l.clarifyLocked(contract.Clarified{Reply: reply, By: "user"})
	return nil
}

// clarifyLocked hands a reply to who waits for one and reports whether anybody
// did.
func (l *Live) clarifyLocked(said contract.Clarified) bool {
	if l.waits.reply == nil {
		return false
	}
	l.emitLocked(said)
	l.waits.reply <- said
	l.waits.reply = nil
	return true
}
