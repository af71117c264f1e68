package library

import (
	"runtime/debug"
	"testing"
)

func collects() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

func TestTheCollectorIsSetForWorkAndBackAfterIt(t *testing.T) {
	before := debug.SetGCPercent(33)
	defer debug.SetGCPercent(before)
	var one, other Library
	one.tuneForWork()
	one.tuneForWork()
	other.tuneForWork()
	if got := collects(); got == 33 {
		t.Error("it is not set for work")
	}
	one.tuneForRest()
	one.tuneForRest()
	if got := collects(); got == 33 {
		t.Error("set back while one is at work")
	}
	other.tuneForRest()
	if got := collects(); got != 33 {
		t.Errorf("after all work %d", got)
	}
}

// waiting is a sentence encoder that counts who has it wait.
type waiting struct {
	Meaning
	holds int
}

func (w *waiting) Hold() func() {
	w.holds++
	return func() { w.holds-- }
}

func TestTheEncoderWaitsWhileFilesAreRead(t *testing.T) {
	w := &waiting{}
	l := Library{Config: Config{Meaning: w}}
	for range 2 {
		l.tuneForWork()
		l.tuneForWork()
		if w.holds != 1 {
			t.Errorf("%d holds at work", w.holds)
		}
		l.tuneForRest()
		l.tuneForRest()
		if w.holds != 0 {
			t.Errorf("%d holds at rest", w.holds)
		}
	}
}
