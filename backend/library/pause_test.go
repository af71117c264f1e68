package library_test

import (
	"testing"

	"footnote/backend/fault"
	"footnote/backend/library"
)

func TestNothingIsReadWhileReadingIsPaused(t *testing.T) {
	h := newHouse(t)
	h.paused.Store(true)
	h.open()
	h.write("tide.txt", "High water comes at noon.")
	_, err := h.Add(t.Context(), []string{h.docs}, true)
	must(t, err)
	if err := h.Wait(t.Context(), []string{h.docs}, func(library.File) {}); fault.CodeOf(err) != fault.Busy {
		t.Errorf("who waits is told %v", err)
	}
	if h.reader.files.Load() != 0 {
		t.Error("a file was read")
	}
	h.paused.Store(false)
	if states := h.wait(); states["tide.txt"] != library.Ready {
		t.Errorf("afterwards: %v", states)
	}
}
