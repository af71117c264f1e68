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
