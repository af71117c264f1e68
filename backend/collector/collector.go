// Package collector sets Go's garbage collector by the garbage it waits for, in
// bytes, and not by a share of what is in use. A collection looks through what is in
// use, however little was thrown away since the last one: of a small heap it would
// run at every few megabytes, and of a large one, most of which is no garbage, wait
// for too many. A limit that no program could work in is raised.
package collector

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// most is the largest share of what is in use, in percent, that the collector waits
// for.
const most = 800

// Waits is a collector that waits for so many bytes of garbage. The setting is that
// of the whole process.
type Waits struct {
	garbage uint64
	least   int
	before  int

	mu    sync.Mutex
	set   int
	ended bool
}

// ForGarbage has the collector wait for so many bytes of garbage until End is called,
// and for at least so many percent of what is in use: with very much in use it would
// else run all the time.
func ForGarbage(bytes uint64, least int) *Waits {
	w := &Waits{garbage: bytes, least: least}
	w.set = w.percentOf(inUse())
	w.before = debug.SetGCPercent(w.set)
	w.atNext()
	return w
}

// End puts back what was set before.
func (w *Waits) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.ended = true
		debug.SetGCPercent(w.before)
	}
}

// atNext sets the collector anew when it has run: then it is known what is in use.
func (w *Waits) atNext() {
	mark := new([16]byte) // large enough to be freed by itself
	runtime.SetFinalizer(mark, func(*[16]byte) {
		if w.again() {
			w.atNext()
		}
	})
}

func (w *Waits) again() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return false
	}
	if percent := w.percentOf(inUse()); percent != w.set {
		w.set = percent
		debug.SetGCPercent(percent)
	}
	return true
}

// inUse is how many bytes the last collection found in use.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// percentOf is the share of what is in use that is as much as the garbage, in steps of
// an eighth at most: to set it stops the program for a moment.
func (w *Waits) percentOf(inUse uint64) int {
	percent := int(min(100*w.garbage/max(inUse, 1), most))
	step := 1
	for step*16 <= percent {
		step *= 2
	}
	return max(w.least, percent/step*step)
}
