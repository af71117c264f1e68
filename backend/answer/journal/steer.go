package journal

import (
	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Steering has a research steered by fn from here on; nil ends it. fn may be called at
// any time until then, and emits what it does.
func (l *Live) Steering(fn func(dimension string, to contract.Steering, question string) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits.steer = fn
}

// Steer tells a research what to do with a subquestion. Faults: not-waiting, and those
// of the research.
func (l *Live) Steer(dimension string, to contract.Steering, question string) error {
	l.mu.Lock()
	fn := l.waits.steer
	l.mu.Unlock()
	if fn == nil {
		return fault.New(fault.NotWaiting, "This run looks into no subquestions now.", "They can be changed while they are being looked into.")
	}
	return fn(dimension, to, question)
}
