package library

import (
	"runtime/debug"
	"testing"

	"footnote/backend/llm"
)

func collects() int {
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent
}

func TestTheCollectorIsSetForWorkAndBackAfterIt(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	var words Library
	vectors := Library{Config: Config{Embedder: struct{ llm.Embedder }{}}}
	words.tuneForWork()
	words.tuneForWork()
	if got := collects(); got != collectWords {
		t.Errorf("for words %d", got)
	}
	vectors.tuneForWork()
	if got := collects(); got != collectVectors {
		t.Errorf("for vectors %d", got)
	}
	words.tuneForRest()
	words.tuneForRest()
	if got := collects(); got == 77 {
		t.Error("set back while one is at work")
	}
	vectors.tuneForRest()
	if got := collects(); got != 77 {
		t.Errorf("after all work %d", got)
	}
}
