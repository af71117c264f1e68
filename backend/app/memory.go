package app

import (
	"context"
	"runtime"
	"runtime/debug"
)

// headroom is never written to and takes no memory. The collector counts it as
// in use, and so lets at least half of it come together before it looks through
// what is: with little in use it would do so several times a question.
var headroom []byte

const headroomBytes = 24 << 20

// tuneForServing sets the collector for a program that mostly waits and should be
// small.
func tuneForServing() {
	debug.SetGCPercent(50)
	headroom = make([]byte, headroomBytes)
	runtime.KeepAlive(headroom) // a use, for those who look for what has none
}

// giveBack returns to the system what questions took, once none has been asked
// for a while.
func (b *builder) giveBack(ctx context.Context) {
	if err := b.db.GiveBack(ctx); err != nil && ctx.Err() == nil {
		b.log.Warn("give back memory of the database", "err", err)
	}
	debug.FreeOSMemory()
}
