package library

import (
	"sync"

	"footnote/backend/collector"
)

// What the collector waits for while files are read: most of what is allocated then
// is soon garbage.
const (
	garbage      = 56 << 20
	garbageLeast = 40 // percent of what is in use: vectors, most of it
)

// working counts the libraries of this process that read files. The setting of
// the collector is the process's: the last to rest puts back what was.
var working struct {
	mu    sync.Mutex
	count int
	waits *collector.Waits
}

// tuneForWork sets the collector for reading files, once a spell of work, and has the
// sentence encoder wait: its thread gives way to all others, and so holds up whoever
// shares the memory with it (ADR 103).
func (l *Library) tuneForWork() {
	if l.tuned.Swap(true) {
		return
	}
	working.mu.Lock()
	defer working.mu.Unlock()
	if encoder, ok := l.Meaning.(interface{ Hold() (release func()) }); ok {
		l.release = encoder.Hold()
	}
	if working.count++; working.count == 1 {
		working.waits = collector.ForGarbage(garbage, garbageLeast)
	}
}

// tuneForRest ends what tuneForWork began.
func (l *Library) tuneForRest() {
	if !l.tuned.Swap(false) {
		return
	}
	working.mu.Lock()
	defer working.mu.Unlock()
	if l.release != nil {
		l.release()
	}
	if working.count--; working.count == 0 {
		working.waits.End()
	}
}
