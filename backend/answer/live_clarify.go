package answer

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
)

// Clarify asks the reader back and waits: for the reply, for "answer now", or
// until the wait is over. The error is ctx's.
func (l *live) Clarify(ctx context.Context, ask contract.ClarifyAsked) (contract.Clarified, error) {
	reply := make(chan contract.Clarified, 1)
	l.mu.Lock()
	l.reply = reply
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
		l.reply = nil
		l.mu.Unlock()
		return contract.Clarified{}, ctx.Err()
	}
}

// clarifyLocked hands a reply to who waits for one and reports whether anybody
// did.
func (l *live) clarifyLocked(said contract.Clarified) bool {
	if l.reply == nil {
		return false
	}
	l.emitLocked(said)
	l.reply <- said
	l.reply = nil
	return true
}
