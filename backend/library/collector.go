package library

import (
	"runtime/debug"
	"sync"
)

// While files are read, most of what is in use is soon garbage, and the collector
// may wait for as much again. Vectors are no garbage, and by default the collector
// would wait for a share of them too: with an embedder it waits for less.
const (
	collectWords   = 110
	collectVectors = 40
)

// working counts the libraries of this process that read files. The setting of
// the collector is the process's: the last to rest puts back what was.
var working struct {
	mu     sync.Mutex
	count  int
	before int
}

// tuneForWork sets the collector for reading files, once a spell of work.
func (l *Library) tuneForWork() {
	if l.tuned.Swap(true) {
		return
	}
	percent := collectWords
	if l.Embedder != nil {
		percent = collectVectors
	}
	working.mu.Lock()
	defer working.mu.Unlock()
	before := debug.SetGCPercent(percent)
	if working.count++; working.count == 1 {
		working.before = before
	}
}

// tuneForRest ends what tuneForWork began.
func (l *Library) tuneForRest() {
	if !l.tuned.Swap(false) {
		return
	}
	working.mu.Lock()
	defer working.mu.Unlock()
	if working.count--; working.count == 0 {
		debug.SetGCPercent(working.before)
	}
}
